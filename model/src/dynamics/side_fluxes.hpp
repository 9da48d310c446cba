/// What crosses the sides of a domain in its steps: dry air, and the water that it carries.
///
/// The sides are lines of faces behind which the equations alone act: the inner edge of the rows that a
/// source specifies, of the outermost row at open sides, and the domain's edge at symmetric ones; periodic
/// directions have none. Counted are the fluxes that change the state: of dry mass the last Runge-Kutta
/// stage's, the reference's and the departures of its substeps (Skamarock et al. 2019, NCAR/TN-556, eq. 3.9),
///   d(mu)/dt = m_x m_y sum_k d_eta [ d(U)/dx + d(V)/dy ],
/// and of water those of the same stage, as limited (section 3.2.3).
#pragma once

#include <list>

#include "core/axis.hpp"
#include "core/exact_sum.hpp"
#include "core/kernel_memory.hpp"
#include "core/loop.hpp"
#include "dynamics/side_lines.hpp"
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

    /// Those that are this patch's, of the step that lasts.
    const SideLines &lines() const { return lines_; }

    /// After a step of `dt` seconds: the water fluxes were its. Relaxation has brought `relaxed` [kg].
    void end_step(real dt, const ExactSum &relaxed);

    /// What has crossed since it was last asked.
    Crossing take();

  private:
    GridView grid_;
    Range inner_;
    SideLines lines_;
    std::list<KernelVector<double>> sums_; ///< that the lines point to
    Crossing crossed_;
};

} // namespace squall
