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
/// Ranges given to members are tiles of cells in patch-local indices, their k unused. Members that
/// are const may run for different tiles at the same time; no result depends on the tiles.
#pragma once

#include <memory>
#include <vector>

#include "boundary/rim.hpp"
#include "boundary/rim_source.hpp"
#include "boundary/specified_substep.hpp"
#include "core/exact_sum.hpp"
#include "dynamics/acoustic.hpp"
#include "dynamics/specified_outflow.hpp"
#include "dynamics/tendencies.hpp"
#include "grid/grid.hpp"
#include "grid/grid_view.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"
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
    /// `state` is that at the beginning of the step with one halo point; ru and rv are its mass fluxes;
    /// t.scalars must hold those scalars. WRF lets that of mu act in the first Runge-Kutta stage only.
    void add_relaxation(const Range &tile, const State &state, ConstField3 ru, ConstField3 rv,
                        Tendencies &t) const;

    /// What such tendencies, and nothing else in `t`, bring of the first `waters` scalars to the tile's cells
    /// in the step [kg].
    ExactSum relaxed_water(const Range &tile, const Tendencies &t, int waters) const;

    /// Where the outflow of the normal wind is corrected.
    OutflowFaces outflow_faces() const;

    /// Acoustic substeps of the specified points.
    SpecifiedSubstep substep() const;

    /// The departure of w in the specified columns at the end of a stage of `dt` seconds: by the source's
    /// tendency, or a copy of the nearest column inside. Reads other tiles.
    void finish_w(const Range &tile, real dt, Field3 w) const;

    bool knows_scalar(int n) const { return source_->knows_scalar(n); }

    /// Sets scalar n, which the source knows, in the specified columns, `ahead` seconds into the step.
    void set_scalar(const Range &tile, int n, real ahead, Field3 scalar) const;

    /// Whether fields that are the same everywhere stay so, as WRF's do not.
    bool keeps_constants() const { return keeps_constants_; }

    /// What a scalar is in air that flows in: a field's value, or `constant` where that has no data.
    struct Inflow {
        real constant = 0;
        ConstField3 field = {};
    };

    /// Sets a scalar that the source does not know: `inflow` where air flows in through the cell's outer
    /// face, the nearest column's inside where it flows out. Only the signs of the fluxes are used, which
    /// must be current on the tile's faces on all sides. Reads other tiles.
    void set_by_flow(const Range &tile, ConstField3 ru, ConstField3 rv, const Inflow &inflow,
                     Field3 scalar) const;

    /// Sets u, v, theta, ph and mu of the specified points, and what else the source knows, to the source's
    /// at the end of the step, so that rounding does not let them drift; faces as in advance_momentum.
    void impose(const Range &tile, State &state) const;

  private:
    struct Weights {
        real value, laplacian; ///< F1, F2 [s-1]
    };

    RimFields make_fields(const ScalarSet &scalars) const;
    void copy_w(const Range &tile, Field3 w) const;
    Range faces_u(const Range &tile) const;
    Range faces_v(const Range &tile) const;
    template <class Coupled, class Scaled, class Row>
    void relax(const Range &points, const RimField &field, Coupled coupled, Scaled scaled, Row tend) const;
    void relax_carried(const Range &points, const RimField &field, ConstField3 q, ConstField2 mu,
                       Field3 tend) const;
    template <class Metric, class Column>
    void decouple(const Range &points, const RimField &field, real elapsed, ConstProfile c1, ConstProfile c2,
                  Metric metric, Column column, Field3 into) const;
    /// Full mass of the column at a cell near the rim, `elapsed` into the record.
    real column_mass(int i, int j, real elapsed) const;

    Patch patch_;
    GridView grid_;
    Rim rim_;
    std::unique_ptr<RimSource> source_;
    int specified_, relaxation_;
    double decay_;         ///< of the relaxation from row to row, in the exponent
    bool keeps_constants_; ///< unless it is to be WRF's: see relax_carried
    double dt_;
    std::vector<Weights> weights_; ///< by distance
    RimFields fields_;
    double values_at_ = 0;     ///< model time that the fields' values are of [s since run.start]
    real begin_ = 0, end_ = 0; ///< of the step, since then [s]
};

} // namespace squall
