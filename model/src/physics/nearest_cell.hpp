/// The cell that is nearest to a place on the globe.
#pragma once

#include <limits>

#include <mpi.h>

#include "grid/grid.hpp"
#include "parallel/decomposition.hpp"

namespace squall {

struct NearestCell {
    int i = 0, j = 0;    ///< of the domain, from 0
    double distance = 0; ///< of its centre from the place [m]
    bool holds = false;  ///< the place; it does not where that is outside the domain
};

/// The first of those as near, row by row. `latitude`, `longitude` [degrees]. Collective over the ranks of
/// the domain, the same on all.
NearestCell nearest_cell(double latitude, double longitude, const Patch &patch, MPI_Comm comm,
                         const Grid &grid);

/// What the rank that owns a cell, from 0 in the domain, says of it by value(i, j) of its patch. Collective.
template <class F> double ask_owner(const Patch &patch, MPI_Comm comm, int i, int j, F value) {
    i -= patch.x0, j -= patch.y0;
    const bool mine = i >= 0 && i < patch.shape.nx && j >= 0 && j < patch.shape.ny;
    double said = mine ? value(i, j) : -std::numeric_limits<double>::infinity();
    MPI_Allreduce(MPI_IN_PLACE, &said, 1, MPI_DOUBLE, MPI_MAX, comm);
    return said;
}

} // namespace squall
