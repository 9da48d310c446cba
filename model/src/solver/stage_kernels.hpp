/// The kernels of a Runge-Kutta stage, from its slow tendencies to its result.
#pragma once

#include "dynamics/slow_terms.hpp"
#include "dynamics/stage_end.hpp"
#include "solver/substeps.hpp"

namespace squall {

/// What stays fixed during the substeps, held by value.
struct SlowTendencies {
    SlowTerms terms;
    FlowView flow;
    ConstField3 theta;
    real step; ///< length of the whole step [s]
    HeldFields held;
    ConstField3 heating; ///< of the last microphysics; without data: none

    void find(const Range &tile, const Scratch &scratch) const;
    void find_line(const Range &line, bool lowest, const Scratch &scratch) const;

  private:
    void add_to(const Range &tile) const;
};

/// What ends a stage, held by value.
struct StageResult {
    StageEnd end;
    ConstField3 replaced_heating; ///< by the microphysics of this step; without data before the last stage
    real step;                    ///< length of the whole step [s]

    /// All but its mass.
    void find(const Range &tile) const;
    void find_mass(const Range &tile) const { end.add_mass_departure(tile); }
};

/// In order: the slow tendencies, the substeps' kernels, w in the rows that a boundary file specifies, the
/// result but for its mass, and its mass. On processors they may follow each other row by row (run_row).
struct StageKernels {
    SlowTendencies slow;
    Substeps substeps;
    StageResult result;

    int count() const { return mass_of_result() + 1; }
    int first_of_substeps() const { return 1; }
    int specified_w() const { return first_of_substeps() + substeps.kernels(); }
    int all_but_mass() const { return specified_w() + 1; }
    int mass_of_result() const { return all_but_mass() + 1; }
    bool is_of_substeps(int kernel) const { return kernel >= first_of_substeps() && kernel < specified_w(); }
    bool ends_substep(int kernel) const {
        return is_of_substeps(kernel) && Substeps::ends_substep(kernel - first_of_substeps());
    }
    bool ends_substeps(int kernel) const { return kernel == specified_w() - 1; }

    /// One of them on a row of the cells and one more around them. `lowest`: the first row of slow tendencies
    /// with this scratch.
    void run_row(int kernel, const Range &row, bool lowest, const Scratch &scratch) const;
    Reach reach(int kernel) const;
    static int scratch_rows(int nz) { return acoustic_scratch_rows(nz) + SlowTerms::scratch_rows(nz); }
};

} // namespace squall
