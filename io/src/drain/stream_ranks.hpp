/// The computing ranks that share streams: all of them, or part.
#pragma once

#include <memory>

#include <mpi.h>

#include "drain/drain.hpp"

namespace squall::io {

class StreamRanks {
  public:
    /// On a duplicate of `comm`. Collective over it.
    StreamRanks(MPI_Comm comm, Patience patience);

    int rank() const { return drain_.group().rank(); }
    int size() const { return drain_.group().size(); }
    bool leads() const { return rank() == 0; }
    MPI_Comm comm() const { return drain_.group().comm(); }
    /// Whether they are the ranks of `comm`, in its order. Local.
    bool are(MPI_Comm comm) const;
    Drain &drain() { return drain_; }
    /// The number of the next stream that they open, counted from 0: the same on all, whatever streams one of
    /// them opens with others.
    int next_stream() { return streams_++; }

  private:
    Drain drain_;
    int streams_ = 0;
};

} // namespace squall::io
