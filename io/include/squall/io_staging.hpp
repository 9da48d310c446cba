/// Use of a session's staging memory, for monitoring a run.
#pragma once

#include <cstdint>

#include <mpi.h>

namespace squall::io {

/// Bytes of this rank.
struct StagingUse {
    std::uint64_t used = 0;  ///< by frames on their way, frames in the making and fields fixed in time
    std::uint64_t peak = 0;  ///< the sum of the peaks of the open streams
    std::uint64_t limit = 0; ///< SessionSpec::staging_limit
};

/// The current use in the session whose comm() this is; zero for any other communicator. Local; to be called
/// by the thread that calls the session.
StagingUse staging_use(MPI_Comm comm);

} // namespace squall::io
