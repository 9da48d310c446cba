/// What a placement provides: it takes staged frames to those who write them. A placement is one
/// file (or folder) in placements/, a name in declare/layout.cpp and a line in placements.cpp.
#pragma once

#include <memory>
#include <string>

#include "drain/stream_ranks.hpp"
#include "placements/tally.hpp"
#include "stage/stage.hpp"

namespace squall::io {

/// Of one stream, on a computing rank. Calls are local unless the placement says otherwise.
class Placement : public FramesUnderWay {
  public:
    /// Hands a frame over. Throws Error only if nobody can go on.
    virtual void commit(std::unique_ptr<StagedHere> frame) = 0;

    /// Waits until what was committed is stored or lost, and files that were closed are published.
    /// Collective, after the same commits. Throws Error.
    virtual void flush() = 0;

    /// Publishes what is complete, and waits for it. Collective. Throws Error.
    virtual void close() = 0;

    /// Bytes on disk, known after close() on rank 0 of the computing ranks.
    virtual std::uint64_t stored_bytes() const = 0;

    /// Without close(), for destructors: publishes what one rank alone can publish. Throws Error.
    virtual void close_alone() {}
};

struct SessionRanks;

/// What a stream brings to its placement.
struct PlacedStream {
    int number = 0; ///< of the stream among those of its members
    StreamRanks *members = nullptr;
    std::shared_ptr<const Layout> layout;
    std::shared_ptr<Tally> tally;
    std::shared_ptr<Pool> pool;        ///< of its frames
    std::shared_ptr<StagedHere> fixed; ///< fields fixed in time; complete when the first frame is committed
};

/// How long its frames wait for room. Servers that show signs of life are waited for, and lost ones are
/// found out by the placement itself.
Patience patience_for(const Layout &layout, const SessionRanks &session_ranks);
/// Throws Error with the reason if the placement does not work in this session.
std::unique_ptr<Placement> place(SessionRanks &session_ranks, PlacedStream stream);

} // namespace squall::io
