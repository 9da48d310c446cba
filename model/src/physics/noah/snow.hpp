/// One layer of snow: Koren et al. (1999, J. Geophys. Res. 104, 19569) and Ek et al. (2003).
#pragma once

#include "physics/noah/evaporation.hpp"

namespace squall::noah {

/// Adds what fell in a step, as new snow of the density that the air's temperature gives it.
void fall(Snow &snow, const Air &air);

/// Thermal conductivity [W m-1 K-1]: Dyachkova as of Anderson (1976). Not for no snow.
real snow_conductivity(const Snow &snow);

/// Share of the ground that a snow covers whose `full` water [m] covers all.
real snow_cover(const Snow &snow, real full);

/// Of snow that has aged: Livneh et al. (2010, J. Hydrometeorol. 11, 13). `bare`: of the ground. Ages it.
real snow_albedo(Snow &snow, const Air &air, real deep, real bare);

inline constexpr real ice_roughness = real(0.001); ///< of bare ice [m]

/// Roughness [m] of ground with snow on it, that of the bare ground buried in part.
real snow_roughness(const Snow &snow, real bare);

/// Lets the snow settle under its own weight for dt: Anderson (1976). `density`: at the beginning of the
/// step, over that of water. Temperatures at its surface and at its base [K].
void settle(Snow &snow, real density, real surface, real base, real dt);

/// What the snow lies on: its temperature in the middle of the uppermost layer [K], how far that is from the
/// snow's surface [m], and the conductivity on the way [W m-1 K-1].
struct Beneath {
    real temperature, distance, conductivity;
    real melting_distance; ///< likewise while the snow melts
};

/// The surface of a step with snow.
struct SnowSurface {
    real skin;   ///< [K]
    real ground; ///< heat into what is beneath [W m-2]
    real melt;   ///< [kg m-2 s-1]
};

/// The energy balance of a surface with snow: what is beyond the melting point melts it, and what evaporates
/// of it (`lost` [kg m-2 s-1], negative: frost) goes from it. `latent`: heat for all evaporation [W m-2].
/// `skin`: of the step before [K].
SnowSurface balance(Snow &snow, const Air &air, const Potential &potential, const Beneath &beneath,
                    real emissivity, real skin, real lost, real latent);

} // namespace squall::noah
