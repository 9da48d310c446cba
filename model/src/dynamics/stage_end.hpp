/// The end of a Runge-Kutta stage: the departures of the substeps, which are coupled with mass, become a
/// change of the reference state.
#pragma once

#include "core/loop.hpp"
#include "dynamics/acoustic.hpp"
#include "dynamics/patch_faces.hpp"
#include "grid/grid_view.hpp"
#include "grid/state.hpp"

namespace squall {

/// As kernels hold it. The result may be the reference itself.
struct StageEnd {
    GridView grid;
    PatchFaces faces;
    StageReference reference;
    AcousticFields departure;
    StateFields result;

    /// u, v, w, theta and geopotential of the result in the cells of a tile and on their faces.
    void add_departures(Range tile) const;

    /// The microphysics of this step replaces that of the last: takes its `heating` [K s-1] over `dt` from
    /// theta.
    void take_heating_back(Range tile, ConstField3 heating, real dt) const;

    /// Column mass, when all that reads the reference's is done.
    void add_mass_departure(Range tile) const;

  private:
    // Full column mass, before and after, as functions of i in row j.
    auto mass_before(int j) const {
        return [mub = grid.mub.row(j), mu = reference.mu.row(j)](int i) { return mub[i] + mu[i]; };
    }
    auto mass_after(int j) const {
        return
            [before = mass_before(j), change = departure.mu.row(j)](int i) { return before(i) + change[i]; };
    }
};

} // namespace squall
