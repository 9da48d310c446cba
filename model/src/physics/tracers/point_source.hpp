/// A point that gives off a tracer.
#pragma once

#include <limits>

#include <mpi.h>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "grid/grid.hpp"
#include "grid/grid_view.hpp"
#include "grid/state.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall {

/// All of it goes into the cell that holds the point, so that the mass of the tracer, the sum of mixing
/// ratio times dry mass of cells, grows by rate times time.
class PointSource {
  public:
    /// `tracer` must have a source. Collective over the ranks of the domain; throws std::runtime_error on
    /// all alike if the point is outside of the outermost domain, in the rows that a boundary file sets, or
    /// above the model's air. In a nest in which it does not lie nothing is given off.
    PointSource(const Config &config, const TracerConfig &tracer, const Patch &patch, MPI_Comm comm,
                const Grid &grid);

    /// Adds to `q` what is given off from `seconds` on, over dt [s], if the cell is one of `columns`. k0
    /// and k1 of `columns` are not looked at.
    void emit(Range columns, const GridView &grid, const State &state, double seconds, double dt,
              Field3 q) const;

  private:
    double rate_, start_, end_, height_;
    int i_ = -1, j_ = -1; ///< patch-local; perhaps of another patch; of none outside of a nest
};

} // namespace squall
