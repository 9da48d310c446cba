/// The rows inside the specified ones, which are drawn to the source of a domain's sides
/// (lateral_boundary.hpp).
#pragma once

#include "boundary/rim_source.hpp"
#include "dynamics/tendencies.hpp"
#include "grid/grid_view.hpp"
#include "grid/state_view.hpp"

namespace squall {

/// How strongly a row is drawn: F1 and F2 [s-1].
struct RimWeights {
    real value, laplacian;
};

/// As kernels hold them. Ranges are tiles of cells, their k unused.
struct RelaxedRows {
    GridView grid;
    Rim rim;
    int first, last;           ///< distances from the sides, the last exclusive
    const RimWeights *weights; ///< by distance
    real elapsed;              ///< from the beginning of the source's record to the end of the step [s]
    bool keeps_constants;      ///< see LateralBoundary
    RimFieldViews source;
    View2<double> water; ///< d(M q / m_y)/dt of all water times d_eta, column by column

    /// Adds the relaxation to u, v, theta, ph and mu, and to w where the source knows it. `s` is the state at
    /// the beginning of the step with one halo point; ru and rv are its mass fluxes.
    void add(const Range &tile, const StateView &s, ConstField3 ru, ConstField3 rv,
             const TendencyFields &t) const;

    /// Adds that of a scalar.
    void add_to_scalar(const Range &tile, const RimFieldView &of_source, ConstField3 q, ConstField2 mu,
                       Field3 tend) const;

    /// Sets `water` to 0 where it may be added to.
    void clear_water(const Range &tile) const;
    /// Adds to it such a tendency of a kind of water, which nothing else may have been added to.
    void add_water(const Range &tile, ConstField3 tend) const;

  private:
    template <class Coupled, class Scaled, class Row>
    void relax(const Range &points, const RimFieldView &field, Coupled coupled, Scaled scaled,
               Row tend) const;
    void relax_carried(const Range &points, const RimFieldView &field, ConstField3 q, ConstField2 mu,
                       Field3 tend) const;
};

} // namespace squall
