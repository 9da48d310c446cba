/// How fire begins: lines along which the ground is lit.
#pragma once

#include <mpi.h>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "grid/fire_grid.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall::fire {

/// One line. It is lit from its first point on, which takes from start_time to end_time; from each of its
/// points fire spreads at its own rate as far as the radius, whatever burns there: what the grid does not
/// resolve (Mandel, Beezley and Kochanski 2011, section 3.6).
class Ignition {
  public:
    /// Collective over the domain's ranks; throws std::runtime_error on all alike for a line that begins or
    /// ends outside of the domain.
    Ignition(const Config &config, const IgnitionConfig &line, const Patch &patch, const FireGrid &grid,
             MPI_Comm comm);

    /// Lowers the level set on `cells` of the fire's grid to what the line has lit by `end` [s since
    /// run.start], and notes when what catches fire does, in a step from `begin` to `end`.
    void light(Range cells, const FireGrid &grid, const Patch &fire_patch, double begin, double end,
               Field2 level_set, Field2 ignition_time) const;

  private:
    struct Nearest {
        double distance, time;
    };
    Nearest nearest(double x, double y, double lit) const;
    double x_of(const FireGrid &grid, const Patch &fire_patch, int i, int j) const;
    double y_of(const FireGrid &grid, const Patch &fire_patch, int i, int j) const;

    IgnitionConfig line_;
    double unit_x_ = 1, unit_y_ = 1; ///< metres in what its points are given in
};

} // namespace squall::fire
