/// A Runge-Kutta stage of the transport of one scalar, as kernels hold it (scalar_transport.hpp says what the
/// limiters do).
#pragma once

#include "core/scratch.hpp"
#include "dynamics/advection.hpp"
#include "dynamics/open_boundary.hpp"
#include "dynamics/row_flags.hpp"
#include "dynamics/side_lines.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// How fluxes are reconstructed on a patch.
struct TransportScheme {
    AxisStencils x, y;
    VerticalStencilView z;
    OpenSides open_sides;
};

/// Whether a mass flux through the western, southern or lower faces of a row takes more than half a cell.
struct FastRows {
    bool x, y, z;
};

/// What moves all scalars of a stage.
struct MovingAir {
    ConstField3 ru, rv, omega;  ///< averaged mass fluxes: M u / m_y and M v / m_x on faces, Omega / m_y
    ConstField2 mu_old, mu_new; ///< column mass departures before the step, and after the stage
    real dt;                    ///< of the stage [s]
};

/// Of a row of faces (k, j), 0 <= k <= nz and 0 <= j <= ny: entry j (nz + 1) + k.
void find_fast_rows(const Range &rows, const GridView &grid, const MovingAir &air, FastRows *found);

/// Scales of the excess of fluxes over upwind ones that leaves, and enters, cells. Without data: not known,
/// or not limited.
struct ExcessScales {
    ConstField3 out, in;
};

struct ScalarStage {
    GridView grid;
    TransportScheme scheme;
    MovingAir air;
    Range inner;               ///< cells that change; beyond them stays what the stage begins with
    ConstField3 old, stage;    ///< values at the beginning of the step, and of the stage
    ConstField3 held;          ///< d(M q / msfty)/dt; without data: none, or `old` has it already
    ActiveRowsView rows;       ///< where there is any of it
    const FastRows *fast_rows; ///< as of find_fast_rows(); null: fluxes are not limited
    bool monotonic;            ///< how they are limited
    SideLines heard_by;        ///< who is told the fluxes

    /// Finds, in the cells of a tile, how much of its outgoing excess a cell can afford, and where `in` has
    /// data of the incoming it can hold.
    void find_scales(const Range &tile, Field3 out, Field3 in, const Scratch &scratch) const;

    /// The stage's change, M q = (M q)_old + dt m_y (transport + held), into `result` on the cells of a tile.
    void apply(const Range &tile, const ExcessScales &scales, Field3 result, const Scratch &scratch) const;

    /// Adds what is held to `old`: the limiter has to know of it, since it takes from cells too.
    void add_held(const Range &tile, Field3 old) const;

    /// Rows of scratch that a tile needs.
    static int scratch_rows(int nz);

  private:
    struct Sides;
    struct SlabFluxes;
    struct CellFluxes;
    bool limited() const { return fast_rows; }
    const FastRows &fast(int k, int j) const { return fast_rows[j * (grid.nz + 1) + k]; }
    Sides sides(const ExcessScales &scales, int k_from, int j_from, int k_to, int j_to, int i = 0) const;
    template <class Left>
    void find_monotonic_scales(Range row, const CellFluxes &fluxes, Left left, real *out, real *in) const;
    void find_tendency(Range slab, bool first, const ExcessScales &scales, SlabFluxes &fluxes,
                       Field3 tend) const;
    void update_slab(Range slab, ConstField3 tend, Field3 result) const;
    template <class Visit>
    void visit_slab(Range slab, bool first, const ExcessScales &scales, SlabFluxes &fluxes,
                    Visit visit) const;
    template <class Reconstruct, class Limit>
    void cross(const real *velocity, bool fast, Limit limit, const Sides &sides, Reconstruct reconstruct,
               real *low, real *excess) const;
    void x_fluxes(Range row, int k, int j, const ExcessScales &scales, real *low, real *excess) const;
    void y_fluxes(Range row, int k, int face, const ExcessScales &scales, real *low, real *excess) const;
    void z_fluxes(Range row, int face, int j, const ExcessScales &scales, real *low, real *excess) const;
};

} // namespace squall
