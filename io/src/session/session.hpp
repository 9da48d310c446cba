/// What the streams of a session share.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <mpi.h>

#include "placements/session_ranks.hpp"
#include "placements/tally.hpp"
#include "session/open_stream.hpp"

namespace squall::io {

/// What is kept of a stream that was closed: what the report needs.
struct StreamRecord {
    int number = 0; ///< in the order of opening
    StreamRanks *members = nullptr;
    StreamReport report;       ///< of this rank: without what takes all ranks
    std::uint64_t encoded = 0; ///< bytes that it sent to servers compressed
    std::vector<Perceived> perceived;
    std::vector<Outcome> outcomes; ///< on the first computing rank, which writes the report
};

struct SessionCore : SessionRanks {
    SessionCore(MPI_Comm comm, SessionSpec session);
    ~SessionCore();
    SessionCore(const SessionCore &) = delete;
    SessionCore &operator=(const SessionCore &) = delete;

    double started = 0; ///< [s since the epoch of the system's clock]

    /// What may make room come free for a stream. Throws Error for what is wrong with this one.
    void progress(OpenStream &own);
    /// Forgets a stream but for its record.
    void end(const OpenStream &stream);

    /// The members on `comm`. Collective over it the first time.
    StreamRanks &members_of(MPI_Comm comm);

    std::vector<std::unique_ptr<StreamRanks>> some;   ///< of streams that part of the ranks have opened
    std::vector<std::shared_ptr<OpenStream>> streams; ///< that are open, in the order of opening
    std::vector<StreamRecord> records;                ///< of those that were closed
    std::set<std::string> written;                    ///< files of clients of streams that were closed
    int opened = 0;
    bool closed = false;
};

/// Lets staging_use() find the session by its communicator.
void attach(SessionCore &core);

/// What each stream did; on rank 0 of the computing ranks. Writes the report file there. Collective.
std::vector<StreamReport> make_report(SessionCore &core);

/// What the report needs of a stream, as far as this rank knows it.
StreamRecord record_of(const OpenStream &stream);

} // namespace squall::io
