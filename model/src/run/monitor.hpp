/// The health of a run: Courant numbers, largest vertical wind, and whether every value is finite.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include "core/loop.hpp"
#include "grid/grid.hpp"
#include "grid/state.hpp"
#include "parallel/decomposition.hpp"
#include "run/agree.hpp"
#include "run/stability.hpp"

namespace squall {

/// 0-based indices in the domain.
struct GridPoint {
    int i = 0, k = 0, j = 0;
};

/// A largest value and the first point (in memory order of the domain) that has it.
struct Extreme {
    double value = 0;
    GridPoint at;
};

/// Of a domain, the same on all ranks and for every decomposition.
struct Health {
    /// dt (|u| m_x / dx + |v| m_y / dy), with the wind on the west and south faces of a cell.
    Extreme courant_horizontal;
    /// dt |w| / dz, with the thickness of a layer and the faster wind on its two interfaces; of a monitor
    /// that watches the flow through coordinate surfaces, of that.
    Extreme courant_vertical;
    Extreme w;      ///< |w| [m s-1]
    int notice = 0; ///< the largest that a rank gave
    double courant() const { return std::max(courant_horizontal.value, courant_vertical.value); }
};

/// The state cannot be computed further. what() is a complete message: the variable, the grid
/// point, the model time, and the likely remedy.
class Violation : public AgreedError {
  public:
    Violation(const std::string &message, std::string which, GridPoint point)
        : AgreedError(message), variable(std::move(which)), at(point) {}
    std::string variable; ///< u, v, w, theta, ph, mu, a scalar's name, "horizontal Courant number" or
                          ///< "vertical Courant number"
    GridPoint at;
};

/// Checks the state of one patch's domain. Reads each array once, over tiles in parallel; costs
/// below 1 % of a step.
class Monitor {
  public:
    /// `tiles` cover the owned cells of the patch. `grid`, halos included, must outlive the monitor.
    /// `scalars`: the names of the state's, all of them. Collective over `comm`, the ranks of the domain, as
    /// Halo() is.
    Monitor(MPI_Comm comm, const Patch &patch, const Boundaries &boundaries, const Grid &grid,
            const Stepping &stepping, std::vector<Range> tiles, std::vector<std::string> scalars = {});
    ~Monitor();

    /// Looks at all owned cells; collective. `notice`, a number from 0 that this rank has for the others,
    /// travels with what is found, so that it costs no message of its own. Throws Violation, on every rank
    /// alike, at the first value that is not finite, or where a Courant number exceeds its limit
    /// (advection_limit). The vertical limit holds for the motion through coordinate surfaces, so that wind
    /// along a slope does not count; only where dt |w| / dz exceeds it, this fills halos of `state`.
    Health check(State &state, double model_time, int notice = 0);

    /// From now on each check finds the motion through coordinate surfaces, which fills halos of its state.
    void watch_flow_through_surfaces();

    /// Of the steps that are looked at from now on [s].
    void set_time_step(double dt);

    double waited() const; ///< for other ranks, so far [s]

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace squall
