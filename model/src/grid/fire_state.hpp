/// What a fire leaves behind from one step to the next.
#pragma once

#include <array>

#include "core/array.hpp"

namespace squall {

/// Classes of fuel by how fast they dry: dead wood of 1, 10, 100 and 1000 hours, and what lives.
inline constexpr int moisture_classes = 5;

/// The water in fuel on the atmosphere's cells, and the weather of the step of its model before.
struct FuelMoistureState {
    FuelMoistureState() = default;
    explicit FuelMoistureState(Shape air) : temperature(air), vapour(air), pressure(air), rain(air) {
        for (Array2 &of_class : content) of_class = Array2(air);
    }

    std::array<Array2, moisture_classes> content; ///< mass of water per dry mass (FMC_GC)
    Array2 temperature;                           ///< at 2 m [K] (T2_OLD); 0 before the first step
    Array2 vapour;                                ///< at 2 m [kg kg-1] (Q2_OLD)
    Array2 pressure;                              ///< at the ground [Pa] (PSFC_OLD)
    Array2 rain;                                  ///< since the start [mm] (RAIN_OLD)
};

/// Names in files are WRF's. Empty in a domain without a fire.
struct FireState {
    FireState() = default;
    FireState(Shape air, Shape fire)
        : level_set(fire), ignition_time(fire), fuel_left(fire), area(fire), moisture(fire), rate(fire),
          front_rate(fire), flame_length(fire), burnt(fire), heat_flux(fire), vapour_flux(fire), u(fire),
          v(fire), mean_fuel_left(air), mean_heat_flux(air), mean_vapour_flux(air), burnt_mass(air) {}

    // Part of a restart; on the fire's cells.
    Array2 level_set;        ///< negative where the ground has caught fire [m] (LFN)
    Array2 ignition_time;    ///< after run.start [s]; outside of the fire a time to come (TIGN_G)
    Array2 fuel_left;        ///< share that has not burnt (FUEL_FRAC)
    Array2 area;             ///< share of a cell that has caught fire (FIRE_AREA)
    Array2 moisture;         ///< of the fuel: mass of water per dry mass (FMC_G)
    FuelMoistureState water; ///< of a run with a model of it, else empty

    // Made anew in each step; on the fire's cells.
    Array2 rate;                   ///< of spread along the gradient of the level set [m s-1] (ROS)
    Array2 front_rate;             ///< the same in cells that burn in part, else 0 (ROS_FRONT)
    Array2 flame_length;           ///< in these (Byram 1959) [m] (FLAME_LENGTH)
    Array2 burnt;                  ///< share of the fuel that burnt in the step (BURNT_AREA_DT)
    Array2 heat_flux, vapour_flux; ///< sensible and latent heat [W m-2] (FGRNHFX, FGRNQFX)
    Array2 u, v;                   ///< wind that drives the front [m s-1] (UF, VF)
    // On the atmosphere's cells.
    Array2 mean_fuel_left;                   ///< (AVG_FUEL_FRAC)
    Array2 mean_heat_flux, mean_vapour_flux; ///< that the air gets [W m-2] (GRNHFX, GRNQFX)
    Array2 burnt_mass;                       ///< dry fuel that burnt in the step [kg m-2]
};

} // namespace squall
