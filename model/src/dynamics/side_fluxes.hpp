/// What crosses the sides of a domain in its steps: dry air, and the water that it carries.
///
/// The sides are lines of faces behind which the equations alone act: the inner edge of the rows that a
/// source specifies, of the outermost row at open sides, and the domain's edge at symmetric ones; periodic
/// directions have none. Counted are the fluxes that change the state: of dry mass the last Runge-Kutta
/// stage's, the reference's and the departures of its substeps (Skamarock et al. 2019, NCAR/TN-556, eq. 3.9),
///   d(mu)/dt = m_x m_y sum_k d_eta [ d(U)/dx + d(V)/dy ],
/// and of water those of the same stage, as limited (section 3.2.3).
#pragma once

#include <vector>

#include "core/axis.hpp"
#include "core/exact_sum.hpp"
#include "core/loop.hpp"
#include "grid/grid.hpp"
#include "grid/grid_view.hpp"
#include "parallel/decomposition.hpp"

namespace squall {

/// Inward and outward [kg]: each face column of each step is one or the other.
struct Flow {
    ExactSum in, out;
    Flow &operator+=(const Flow &o) {
        in += o.in, out += o.out;
        return *this;
    }
};

struct Crossing {
    Flow dry, water;
    ExactSum relaxed; ///< water that relaxation to the source has brought [kg]
    Crossing &operator+=(const Crossing &o) {
        dry += o.dry, water += o.water, relaxed += o.relaxed;
        return *this;
    }
};

class SideFluxes {
  public:
    /// `specified`: rows that a source specifies at specified sides. Keeps a view of the grid.
    SideFluxes(const Patch &patch, const Boundaries &boundaries, int specified, const GridView &grid);

    /// The patch's cells behind the sides (k unused).
    const Range &inner() const { return inner_; }

    /// Mass fluxes M u / m_y and M v / m_x that act for so many seconds, on the faces around the cells of a
    /// tile. For different tiles at the same time.
    void add_mass(const Range &tile, ConstField3 u, ConstField3 v, real seconds);

    /// Fluxes of one kind of water around the cells of a line of a tile, level k: rows of western, southern
    /// and northern faces. For different tiles at the same time.
    void add_water(const Range &line, int k, const real *west, const real *south, const real *north);

    /// After a step of `dt` seconds: the water fluxes were its. Relaxation has brought `relaxed` [kg].
    void end_step(real dt, const ExactSum &relaxed);

    /// What has crossed since it was last asked.
    Crossing take();

  private:
    struct Line {
        Axis axis;                       ///< x: faces that u crosses
        bool low;                        ///< west or south
        int cell;                        ///< the row inside, across the side
        int begin, end;                  ///< patch-local cells along it
        std::vector<double> mass, water; ///< [Pa m], [Pa m s-1] by face
        bool is_x() const { return axis == Axis::x; }
        int face() const { return low ? cell : cell + 1; }
    };

    GridView grid_;
    Range inner_;
    std::vector<Line> lines_; ///< those that are this patch's
    Crossing crossed_;
};

} // namespace squall
