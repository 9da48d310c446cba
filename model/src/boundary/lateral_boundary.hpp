/// Specified lateral boundaries: the outermost rows follow a source, a boundary file or the domain around
/// this one; the rows inside them are drawn to it (Davies and Turner 1977; Skamarock et al. 2019,
/// NCAR/TN-556, sections 6.4 and 7.3).
///
/// The source gives mass-coupled values at a time and their tendencies (RimFields); until it has news
/// everything is linear in time. With d the distance of a point from its side (rim.hpp), s
/// specified and r relaxation rows:
///   d < s            specified: the source's tendency is the only one; w copies the row inside where the
///                    source does not know it;
///   s <= d < s+r-1   relaxed: F1 (X - x) - F2 laplacian(X - x), X the source's coupled value at the end
///                    of the step and x the model's at its beginning, with F1 = 0.1 / dt and
///                    F2 = 0.02 / dt times (s + r - 1 - d) / (r - 1).
///
/// Chains given to members are for tiles of cells. Members that are const may run for different tiles at the
/// same time; no result depends on the tiles.
#pragma once

#include <memory>
#include <vector>

#include "boundary/relaxed_rows.hpp"
#include "boundary/rim.hpp"
#include "boundary/rim_source.hpp"
#include "boundary/specified_rows.hpp"
#include "core/exact_sum.hpp"
#include "core/kernel_memory.hpp"
#include "dynamics/acoustic.hpp"
#include "dynamics/specified_outflow.hpp"
#include "dynamics/tendencies.hpp"
#include "grid/grid.hpp"
#include "grid/grid_view.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"
#include "parallel/chain.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall {

/// Refuses (std::runtime_error) a patch at a side of the domain where the row inside the specified ones would
/// lie on another patch.
void check_specified_rows(int specified, const Patch &patch);

class LateralBoundary {
  public:
    /// Keeps views of `grid`, whose halo must be filled when set_time is called. Throws std::runtime_error
    /// as source->check does, and for patches that are too narrow for the specified rows.
    LateralBoundary(const Config &config, const Patch &patch, const Grid &grid, const ScalarSet &scalars,
                    std::unique_ptr<RimSource> source);

    /// Of the steps that follow [s].
    void set_time_step(double dt);

    /// When the source has news next, for a step that begins at `seconds`.
    double next_change(double seconds) const { return source_->next_change(seconds); }

    /// Whether the source has news at set_time(seconds), and then needs one halo point of the state.
    bool changes_at(double seconds) const { return source_->changes_at(seconds); }
    bool needs_halo() const { return source_->needs_halo(); }

    /// Begins the step that starts `seconds` after run.start from `state`. Throws as RimSource::fill.
    void set_time(double seconds, const State &state);

    /// Refuses (std::runtime_error) a source that cannot be of the domain and date of the state at the
    /// beginning of the step.
    void check_agrees(const State &state) const { source_->check_agrees(state, fields_, begin_); }

    /// The parts of a range of cells, of x faces or of y faces that are not specified.
    Range inner_cells(const Range &cells) const { return rim_.inner(cells, Points::cells, specified_); }
    Range inner_u(const Range &faces) const { return rim_.inner(faces, Points::x_faces, specified_); }
    Range inner_v(const Range &faces) const { return rim_.inner(faces, Points::y_faces, specified_); }

    /// Adds the relaxation to u, v, theta, ph and mu of `t`, and to w and the scalars that the source knows.
    /// `state` is that at the beginning of the step with one halo point; ru and rv are its mass fluxes.
    /// The first `waters` scalars are water, whose tendencies must be 0 before. WRF lets that of mu act in
    /// the first Runge-Kutta stage only.
    void add_relaxation(const Chain &chain, const State &state, ConstField3 ru, ConstField3 rv, int waters,
                        Tendencies &t) const;

    /// What that brought of water to the patch's cells in the step, when all kernels are done [kg].
    ExactSum relaxed_water() const;

    /// Where the outflow of the normal wind is corrected.
    OutflowFaces outflow_faces() const;

    /// The rows that follow the source.
    SpecifiedRows specified() const { return {grid_, rim_, specified_, fields_.views()}; }

    bool knows_scalar(int n) const { return source_->knows_scalar(n); }

    /// Sets scalar n, which the source knows, in the specified columns, `ahead` seconds into the step.
    void set_scalar(const Chain &chain, int n, real ahead, Field3 scalar) const;

    /// Whether fields that are the same everywhere stay so, as WRF's do not.
    bool keeps_constants() const { return keeps_constants_; }

    /// Sets u, v, theta, ph and mu of the specified points, and what else the source knows, to the source's
    /// at the end of the step, so that rounding does not let them drift.
    void impose(const Chain &chain, State &state) const;

  private:
    RimFields make_fields(const ScalarSet &scalars) const;
    RelaxedRows relaxed() const;

    Patch patch_;
    KernelMemory tables_; ///< of vertical profiles
    GridView grid_;
    Rim rim_;
    std::unique_ptr<RimSource> source_;
    int specified_, relaxation_;
    double decay_;         ///< of the relaxation from row to row, in the exponent
    bool keeps_constants_; ///< unless it is to be WRF's: see relax_carried
    double dt_;
    KernelVector<RimWeights> weights_; ///< by distance
    RimFields fields_;
    mutable KernelVector<double> water_; ///< RelaxedRows::water
    double values_at_ = 0;               ///< model time that the fields' values are of [s since run.start]
    real begin_ = 0, end_ = 0;           ///< of the step, since then [s]
};

} // namespace squall
