/// What every rank has staged, gathered on rank 0 and checked there.
#pragma once

#include <string>
#include <vector>

#include <mpi.h>

#include "layout.hpp"
#include "stage.hpp"

namespace squall::io {

/// A box somewhere: `block` counts within the stage of `rank`.
struct Piece {
    int rank = 0;
    Box box;
};

/// The pieces of each field, in the order in which each rank staged them; and what is wrong.
struct Manifest {
    std::vector<std::vector<Piece>> pieces; ///< per field of the layout
    std::string fault;                      ///< complete message of all ranks, empty if none
};

/// Gathers on rank 0; other ranks get an empty manifest. Collective.
Manifest gather_manifest(const Layout &layout, const Stage &stage, MPI_Comm comm);

/// Adds to the manifest's fault the fields with holes or overlaps among those that are (or are
/// not) per frame.
void check_tiling(Manifest &manifest, const Layout &layout, bool per_frame);

/// Throws Error with rank 0's message on all ranks, unless it is empty. Collective.
void agree(const std::string &fault, MPI_Comm comm);

} // namespace squall::io
