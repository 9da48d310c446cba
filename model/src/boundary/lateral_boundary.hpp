/// Specified lateral boundaries: the outermost rows follow a boundary file, the rows inside them are
/// drawn to it (Davies and Turner 1977; Skamarock et al. 2019, NCAR/TN-556, section 6.4).
///
/// The file holds mass-coupled values at the beginning of each record and their tendencies; in
/// between everything is linear in time. With d the distance of a point from its side (rim.hpp), s
/// specified and r relaxation rows:
///   d < s            specified: the file's tendency is the only one; w copies the row inside;
///   s <= d < s+r-1   relaxed: F1 (X - x) - F2 laplacian(X - x), X the file's coupled value at the end
///                    of the step and x the model's at its beginning, with F1 = 0.1 / dt and
///                    F2 = 0.02 / dt times (s + r - 1 - d) / (r - 1).
///
/// Ranges given to members are tiles of cells in patch-local indices, their k unused. Members that
/// are const may run for different tiles at the same time; no result depends on the tiles.
#pragma once

#include <vector>

#include "boundary/boundary_file.hpp"
#include "boundary/rim.hpp"
#include "boundary/rim_field.hpp"
#include "config/config.hpp"
#include "dynamics/acoustic.hpp"
#include "dynamics/grid_view.hpp"
#include "dynamics/tendencies.hpp"
#include "grid/grid.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"
#include "parallel/decomposition.hpp"

namespace squall {

/// Refuses (std::runtime_error) a patch at a side of the domain where the row inside the specified ones would
/// lie on another patch.
void check_specified_rows(int specified, const Patch &patch);

class LateralBoundary {
  public:
    /// Opens boundary.file and checks all but its numbers. Keeps views of `grid`, whose halo must be
    /// filled when set_time is called. Throws std::runtime_error as BoundaryFile does, and for patches
    /// that are too narrow for the specified rows.
    LateralBoundary(const Config &config, const Patch &patch, const Grid &grid, const ScalarSet &scalars);

    /// Whether set_time(seconds) reads a record.
    bool reads_at(double seconds) const { return file_.record_at(seconds) != record_; }

    /// Begins the step that starts `seconds` after run.start. Where reads_at(seconds), reads this
    /// rank's part of the record and throws std::runtime_error (perhaps on this rank alone) for values
    /// no atmosphere has.
    void set_time(double seconds);

    /// Refuses (std::runtime_error) a file whose column mass is far from the state's at the beginning of
    /// the step, as that of another domain or date is.
    void check_agrees(const State &state) const;

    /// The parts of a range of cells, of x faces or of y faces that are not specified.
    Range inner_cells(const Range &cells) const { return rim_.inner(cells, Points::cells, specified_); }
    Range inner_u(const Range &faces) const { return rim_.inner(faces, Points::x_faces, specified_); }
    Range inner_v(const Range &faces) const { return rim_.inner(faces, Points::y_faces, specified_); }

    /// Runs f(range) for each line of specified cells in the tile.
    template <class F> void for_each_specified(const Range &tile, F f) const {
        rim_.for_each_line(tile, Points::cells, 0, specified_, [&](const RimLine &l) { f(l.points); });
    }

    /// Adds the relaxation to u, v, theta, ph and mu of `t`, and to the vapour if there is any. `state`
    /// is that at the beginning of the step with one halo point; ru and rv are its mass fluxes; t.scalars
    /// must hold the vapour. w has
    /// none. WRF lets that of mu act in the first Runge-Kutta stage only.
    void add_relaxation(const Range &tile, const State &state, ConstField3 ru, ConstField3 rv,
                        Tendencies &t) const;

    /// Momentum advection's faces next to the boundary: adds to the tendency of the normal wind, one
    /// face inside, what it takes for the flux across the half cell to carry that wind itself where it
    /// blows outward. `faces`: x faces with all layers (y faces likewise).
    void correct_outflow_u(const Range &faces, ConstField3 u, ConstField3 ru, Field3 tend_u) const;
    void correct_outflow_v(const Range &faces, ConstField3 v, ConstField3 rv, Field3 tend_v) const;

    /// An acoustic substep of u and v on the specified faces of the tile; a tile that ends with the
    /// patch has the faces beyond its last cells too.
    void advance_momentum(const Range &tile, real dts, AcousticState &a) const;

    /// An acoustic substep of mu, theta and geopotential in the specified columns; ph_ref and mu_ref
    /// are the stage's reference state.
    void advance_columns(const Range &tile, real dts, ConstField3 ph_ref, ConstField2 mu_ref,
                         AcousticState &a) const;

    /// Copies w of the nearest column inside to the specified columns. Reads other tiles.
    void copy_w(const Range &tile, Field3 w) const;

    /// Sets the vapour of the specified columns to the file's, `ahead` seconds into the step.
    void set_vapour(const Range &tile, real ahead, Field3 vapour) const;

    /// Sets a scalar that the file does not hold: zero where air flows in through the cell's outer face,
    /// the nearest column's inside where it flows out. Only the signs of the fluxes are used, which
    /// must be current on the tile's faces on all sides. Reads other tiles.
    void set_by_flow(const Range &tile, ConstField3 ru, ConstField3 rv, Field3 scalar) const;

    /// Sets u, v, theta, ph, mu and vapour of the specified points to the file's at the end of the
    /// step, so that rounding does not let them drift; faces as in advance_momentum. Not w.
    void impose(const Range &tile, State &state) const;

  private:
    struct Fields {
        RimField u, v, theta, ph, mu, vapour;
    };
    struct Weights {
        real value, laplacian; ///< F1, F2 [s-1]
    };

    Fields make_fields() const;
    void moisten_theta();
    bool in_stencils(Column c) const;
    void check_values() const;
    struct Limits {
        real low, high;
    };
    void check_limits(const char *name, const char *unit, const RimField &field, bool coupled,
                      Limits limits) const;
    Range faces_u(const Range &tile) const;
    Range faces_v(const Range &tile) const;
    template <class Coupled, class Scaled, class Row>
    void relax(const Range &points, const RimField &field, Coupled coupled, Scaled scaled, Row tend) const;
    template <class Metric, class Column>
    void decouple(const Range &points, const RimField &field, real elapsed, ConstProfile c1, ConstProfile c2,
                  Metric metric, Column column, Field3 into) const;
    /// Full mass of the column at a cell near the rim, `elapsed` into the record.
    real column_mass(int i, int j, real elapsed) const;

    Patch patch_;
    GridView grid_;
    Rim rim_;
    BoundaryFile file_;
    int specified_, relaxation_, vapour_;
    bool moist_theta_;
    double dt_;
    std::vector<Weights> weights_; ///< by distance
    Fields fields_;
    int record_ = -1;
    real begin_ = 0, end_ = 0; ///< of the step, since the beginning of the record [s]
};

} // namespace squall
