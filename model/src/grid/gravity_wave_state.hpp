/// What mountains within cells do to the air in a step.
#pragma once

#include "core/array.hpp"

namespace squall {

/// Owned columns of a patch; halos are not filled. Found anew in each step, so no part of a restart. Empty in
/// a run without gravity-wave drag. Components along the grid.
struct GravityWaveState {
    GravityWaveState() = default;
    explicit GravityWaveState(Shape s) : u(s), v(s), heating(s), stress_u(s), stress_v(s) {}

    Array3 u, v;               ///< rate of change of wind at the middle of cells [m s-2] (DTAUX3D, DTAUY3D)
    Array3 heating;            ///< of potential temperature of dry air, by what the wind loses [K s-1]
    Array2 stress_u, stress_v; ///< that the ground takes from the wind [N m-2] (DUSFCG, DVSFCG)
};

} // namespace squall
