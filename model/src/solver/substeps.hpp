/// The kernels of the acoustic substeps of a stage.
#pragma once

#include <optional>

#include "boundary/specified_rows.hpp"
#include "dynamics/acoustic.hpp"
#include "dynamics/side_lines.hpp"
#include "dynamics/substep_sum.hpp"
#include "parallel/wavefront.hpp"

namespace squall {

/// Held by value. Substeps are counted from 0.
struct Substeps {
    GridView grid;
    PatchFaces faces;
    WholeVectors whole_vectors;
    Range cells, inner; ///< the patch's, and those that equations advance
    AcousticSettings settings;
    StageReference reference;
    PresentState now;
    AcousticFields departure;
    ConstField3 ru, rv;               ///< the reference's mass fluxes
    std::optional<SpecifiedRows> rim; ///< where the sides are specified
    SubstepSum sum;                   ///< of the fluxes, for scalars
    SideLines sides;                  ///< that add up what crosses them; in the step's last stage
    int count;
    real dt;      ///< of the stage [s]
    bool at_rest; ///< the reference is the present state: there is no departure at the beginning

    /// The kernels in order: departures and the factors of the vertical solver, in the cells and one more
    /// around them; then of each substep the wind, which looks at columns to the west and south, and mass,
    /// theta, w, geopotential and pressure, which look at faces to the east and north.
    int kernels() const { return 1 + 2 * count; }
    static bool ends_substep(int kernel) { return kernel > 0 && kernel % 2 == 0; }
    void run(int kernel, const Range &tile, const Scratch &scratch) const;

    /// The same in a wavefront, on a row of the cells and one more around them.
    void run_row(int kernel, const Range &row, const Scratch &scratch) const;
    static Reach reach(int kernel) {
        if (kernel == 0) return {};
        if (ends_substep(kernel)) return {.south = 0, .north = 1};
        return {.south = 1,
                .north = kernel == 1}; // the first moves a face that is prepared with the row beyond
    }
    /// Of all kernels of so many substeps together.
    static Reach reach_of(int substeps) { return {.south = substeps, .north = substeps + 1}; }

  private:
    static int substep_of(int kernel) { return (kernel - 1) / 2; }
    void prepare(const Range &wide) const;
    void advance_wind(int n, const Range &tile, const PatchFaces &on, const Scratch &scratch) const;
    void advance_wind_row(int n, const Range &row, const Scratch &scratch) const;
    void advance_columns(int n, const Range &tile, const Scratch &scratch) const;
};

} // namespace squall
