/// Sources and sinks of a tracer: decay, emission from the ground, eruptions, dry deposition, and the clock
/// of the age of air.
#pragma once

#include "moments/basis.hpp"
#include "winds/fluxes.hpp"

namespace squall::transport {

/// Of one tracer; what is 0 does nothing. Air has the temperature of the published tests (300 K) where
/// heights count.
struct SourceSettings {
    double lifetime = 0;                              ///< e-folding time of decay [s]
    double emission = 0;                              ///< at the ground [kg m-2 s-1]
    double emission_south = -90, emission_north = 90; ///< between these latitudes [degrees]
    double deposition_velocity = 0;                   ///< [m s-1], out of the lowest layer
    bool clock = false;       ///< the tracer is the time [s] since its air was in the lowest layer
    double eruption_mass = 0; ///< [kg]
    double eruption_longitude = 0, eruption_latitude = 0; ///< [degrees]
    double eruption_bottom = 0, eruption_top = 0;         ///< heights between which it is spread evenly [m]
    double eruption_start = 0, eruption_duration = 0;     ///< [s], since the start
};

/// What happens to a tracer from `begin` on, seconds after the start, in `step` seconds. Each cell is by
/// itself.
void apply_sources(const SourceSettings &sources, Block &block, const PatchOfGlobe &where, Scheme scheme,
                   int tracer, double begin, double step);

} // namespace squall::transport
