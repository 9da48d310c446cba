/// What a run carries because its schemes declare it.
#pragma once

#include "grid/convection_state.hpp"
#include "grid/gravity_wave_state.hpp"
#include "grid/scalars.hpp"
#include "grid/surface_state.hpp"

namespace squall {

struct Config;

/// What the configuration asks for: the species of the microphysics (vapour alone if there is none
/// but the initial file is moist), TKE if the mixing predicts it, QKE if the boundary layer does, the
/// declared tracers.
ScalarSet scalars_of(const Config &config);

/// What this run carries, zero; empty where it has no surface.
SurfaceState surface_state_of(const Config &config, Shape shape);

/// Whether the columns of a run keep the turbulence of its boundary layer (SurfaceState::turbulence).
bool keeps_turbulence(const Config &config);
/// And clouds smaller than its cells (SurfaceState::eddies).
bool keeps_eddies(const Config &config);

/// Whether it carries what the sea is like, SurfaceState::sea.
bool has_sea(const Config &config);
/// What its cumulus scheme leaves, zero; empty where it has none.
ConvectionState convection_state_of(const Config &config, Shape shape);
/// What its gravity-wave drag sets, zero; empty where it has none.
GravityWaveState gravity_wave_state_of(const Config &config, Shape shape);

} // namespace squall
