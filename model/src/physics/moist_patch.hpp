/// What surrounds a microphysics scheme, as kernels hold it (WRF: moist_physics_prep_em,
/// moist_physics_finish_em; Skamarock et al. 2019, section 3.1.4).
#pragma once

#include <array>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "core/scratch.hpp"
#include "grid/grid_view.hpp"
#include "physics/moist_columns.hpp"

namespace squall {

/// Views of a patch at the end of a time step.
struct MoistPatch {
    GridView grid;
    real dt; ///< [s]
    bool moist_theta, as_wrf;
    std::array<Field3, 6> waters;                   ///< by Water; without data: not of the scheme
    std::array<Field3, all_numbers.size()> numbers; ///< by Number; likewise
    Field3 theta, heating;                          ///< as in State and PhysicsState
    ConstField3 w, ph, p, al; ///< p, al: perturbation pressure [Pa] and inverse density [m3 kg-1]
    ConstField2 mu;
    Field2 rain, snow, graupel; ///< accumulated at the ground [mm]
    /// What land is told of them [mm]; without data: there is none that asks.
    Field2 precipitation{}, frozen_precipitation{};
    ConstField2 land{};           ///< 1 on land and sea ice, 0 on water; without data: there is only land
    ConstField2 aerosol_source{}; ///< see Ground; without data: there is none

    /// What a scheme is to advance: some columns of a row, with memory for what it wants to know of them in
    /// `scratch`.
    MoistColumns prepare(const Range &columns, const Scratch &scratch) const;
    /// Takes what a scheme did to what prepare() made of these columns into the state: theta, the heating,
    /// and what reached the ground.
    void finish(const Range &columns, const MoistColumns &advanced, const Scratch &scratch) const;

    /// Rows of scratch that both need.
    static int scratch_rows(int nz);
};

} // namespace squall
