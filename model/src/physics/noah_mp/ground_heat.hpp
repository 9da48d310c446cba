/// Heat through layers of snow and soil, and what freezes and melts there: Niu and Yang (2006, J.
/// Hydrometeorol. 7, 937).
#pragma once

#include "physics/noah_mp/column.hpp"

namespace squall::noah_mp {

/// All layers, those of snow first. What a column has more of them than of soil is snow.
using Stack = std::array<real, snow_layers + soil_layers>;

/// What they are like in a step.
struct GroundLayers {
    std::size_t count, snow; ///< all, and those of snow
    Stack thickness;         ///< [m]
    Stack conductivity;      ///< from the middle of a layer to the next [W m-1 K-1]
    Stack capacity;          ///< [J m-3 K-1]
    Stack temperature;       ///< [K]

    /// Warming by a heat flux for dt [K W-1 m2].
    real warming(std::size_t k, real dt) const { return dt / (capacity[k] * thickness[k]); }
};

/// Of soil; of a glacier.
GroundLayers layers_of(const Site &site, const Column &column);
GroundLayers layers_of_glacier(const Column &column);

/// Lets `flux` [W m-2] come in at the surface, and the deep ground exchange heat with the lowest layer;
/// implicit in time. Returns what comes from there [W m-2].
real conduct(GroundLayers &layers, real flux, real snow_depth, real deep_temperature, real dt);

/// What of snow and soil froze or melted.
struct PhaseChange {
    real melt = 0;                          ///< of the snow [kg m-2 s-1]
    real ponding = 0;                       ///< of snow without a layer [kg m-2]
    std::array<bool, snow_layers> melted{}; ///< layers of snow that do
};

/// Brings layers to the freezing point as far as water freezes and ice melts, and puts their temperatures
/// into the column. Soil keeps water by the freezing-point depression of Niu and Yang (2006, equation 3).
PhaseChange change_phase(const Site &site, GroundLayers &layers, real dt, Column &column);

/// The same in a glacier, whose layers share what is left of warmth and cold.
PhaseChange change_phase_of_glacier(GroundLayers &layers, real dt, Column &column);

} // namespace squall::noah_mp
