/// How large particles are to radiation: effective radii [um] within the bounds of WRF's tables, as its WDM5
/// and WDM6 have them. From mixing ratios [kg kg-1] in air of a density [kg m-3].
#pragma once

#include <algorithm>

#include "physics/wdm/drops.hpp"

namespace squall::wdm {

/// Half the third moment of the droplets' diameters over the second; `number` in a volume [m-3].
inline double droplet_radius(double q, double density, double number) {
    constexpr double gamma_5_3 = 0.90274529295;
    const Droplets d = droplets_of(real(q), real(density), real(number));
    return std::clamp(1e6 * double(d.length) / (2 * gamma_5_3), 2.51, 50.0);
}

inline double crystal_radius(double q, double density) {
    const wsm6::Crystals c = wsm6::ice_of(real(q), real(density), real(1));
    return std::clamp(0.75e6 * 0.163 * double(c.diameter), 10.01, 125.0);
}

/// Half the mean diameter; `temperature` [K].
inline double flake_radius(double q, double density, double temperature) {
    const real colder = wsm6::colder_snow(real(temperature));
    return std::clamp(0.5e6 * double(wsm6::snow_of(real(q), real(density), 1, colder).l1), 25.0, 999.0);
}

} // namespace squall::wdm
