/// Heat and ice in soil.
#pragma once

#include "physics/noah/column.hpp"

namespace squall::noah {

/// Thermal conductivity of soil [W m-1 K-1] of this moisture, `liquid` of it not frozen [m3 m-3]: Johansen
/// (1975), Peters-Lidard et al. (1998, J. Atmos. Sci. 55, 1209).
real thermal_conductivity(const Site &site, real moisture, real liquid);

/// That of the uppermost layer, which green leaves shade.
real top_conductivity(const Site &site, const Column &column);

/// Liquid water [m3 m-3] that stays in soil of this temperature [K] and moisture: equation 17 of Koren et al.
/// (1999, J. Geophys. Res. 104, 19569). `liquid`: where to look for it first.
real supercooled(const Soil &soil, real temperature, real moisture, real liquid);

/// What the uppermost layer conducts heat from: `temperature` [K], `resistance` times as far away as the
/// surface is from the middle of the layer, through a ground that conducts `conductivity` [W m-1 K-1].
struct Above {
    real temperature, resistance, conductivity;
};

/// Conducts heat through the soil for dt, its water freezing and thawing; implicit in time.
void conduct(const Site &site, Column &column, const Above &above, real dt);

} // namespace squall::noah
