/// How much light the particles of aerosol take from a beam that microphysics carries in numbers: at 550 nm,
/// of those on which droplets form and of those on which crystals do (Thompson and Eidhammer 2014), the
/// numbers of WRF's aer_opt = 3.
#pragma once

#include <string>

namespace squall::radiation {

/// What run files call it, among the types of aerosol; it has the optics of rural aerosol.
inline const std::string carried_aerosol = "carried";

/// Cross-sections of a particle [m2].
struct Extinction {
    double water_friendly, ice_friendly;
};

/// `humidity`: mixing ratio of vapour over that of saturation over water; particles swell with it up to
/// 0.991.
Extinction extinction_of_carried(double humidity, double temperature);

} // namespace squall::radiation
