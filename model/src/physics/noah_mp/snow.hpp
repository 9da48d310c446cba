/// Layers of snow that fall, settle, join and part, and the water in them: Niu et al. (2011, J. Geophys. Res.
/// 116, D12109), after Jordan (1991) and Anderson (1976).
#pragma once

#include "physics/noah_mp/column.hpp"

namespace squall::noah_mp {

/// Where layers join and part.
struct SnowRules {
    real least_depth;                    ///< of snow with layers [m]
    std::array<real, snow_layers> least; ///< thickness of each [m]
    real thickest_second;                ///< beyond it there is a third [m]
    bool glacier;
    bool as_wrf = false; ///< takes heat capacities of a volume for those of a mass where layers join
};
inline constexpr SnowRules rules_of_land{
    real(0.025), {real(0.025), real(0.025), real(0.1)}, real(0.2), false};
inline constexpr SnowRules rules_of_glacier{
    real(0.05), {real(0.045), real(0.05), real(0.2)}, real(0.1), true};

/// What happens to snow in a step.
struct SnowStep {
    real snow, rain;                          ///< that reach the ground [kg m-2 s-1]
    real depth_rate;                          ///< of what falls [m s-1]
    real frost, sublimation;                  ///< [kg m-2 s-1]
    std::array<bool, snow_layers> melted;     ///< layers of which some melted
    std::array<real, snow_layers> ice_before; ///< share of ice in them at the beginning of the step
};

/// What leaves it [kg m-2 s-1].
struct SnowWater {
    real out = 0;  ///< water from its base, and of layers that are no more
    real flow = 0; ///< of glaciers that are too thick
};

/// Ice of the uppermost soil, of which comes what sublimates beyond the snow [m3 m-3].
SnowWater advance_snow(const SnowRules &rules, const SnowStep &step, const Air &air, Snow &snow,
                       real &soil_ice, real &soil_liquid);

/// Divides snow of this water [kg m-2] and depth [m] into layers, all of `temperature` [K]: as WRF's
/// SNOW_INIT.
Snow layered_snow(real water, real depth, real temperature);

} // namespace squall::noah_mp
