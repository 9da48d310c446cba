/// Vertical fluxes by continuity.
#pragma once

#include "globe/block.hpp"
#include "winds/fluxes.hpp"

namespace squall::transport {

/// Sets the fluxes through the layers' interfaces so that the layers of each column, after the step, lie
/// where the air that is in it then puts them: p = a + b p_surface. Nothing passes the ground or the top.
///
/// `air`: field 0 is the mass before the step. `fluxes`: east and north are those of the step.
void set_vertical_fluxes(const Block &air, const PatchOfGlobe &where, MassFluxes &fluxes);

} // namespace squall::transport
