/// What a placement provides: it takes the staged boxes of all ranks to the files. A placement is
/// one file in placements/ and one line in its registry.
#pragma once

#include <memory>

#include <mpi.h>

#include "layout.hpp"
#include "stage.hpp"

namespace squall::io {

class Placement {
  public:
    virtual ~Placement() = default;

    /// Stores a frame. Collective; throws the same Error on every rank. On return the stages may
    /// be cleared.
    virtual void commit(const Time &time, const Stage &fixed, const Stage &frame) = 0;

    /// Publishes what is complete. Collective; throws the same Error on every rank.
    virtual void close() = 0;

    /// The same without talking to other ranks, for destructors. Throws Error.
    virtual void close_alone() = 0;
};

/// The placement named in layout.spec, on a communicator that it may use until it is gone.
std::unique_ptr<Placement> place(const Layout &layout, MPI_Comm comm);

} // namespace squall::io
