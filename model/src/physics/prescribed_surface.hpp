/// A surface whose temperature or fluxes are prescribed.
#pragma once

#include "grid/ground.hpp"
#include "grid/large_scale_forcing.hpp"
#include "grid/surface_state.hpp"

namespace squall {

/// Sets what `forcing` prescribes, as it is so many seconds after run.start; the rest it leaves alone. A
/// function of time, not of the step before, so that runs cut in two agree.
void prescribe_surface(const LargeScaleForcing &forcing, double seconds, Ground &ground,
                       SurfaceState &surface);

} // namespace squall
