/// How full the staging memory of a session is, for who tells of a run while it goes on.
#pragma once

#include <cstdint>

#include <mpi.h>

namespace squall::io {

/// Bytes of this rank.
struct StagingUse {
    std::uint64_t used = 0;  ///< by frames on their way, frames in the making and fields fixed in time
    std::uint64_t peak = 0;  ///< the most that the streams which are open now have used, each by itself
    std::uint64_t limit = 0; ///< SessionSpec::staging_limit
};

/// Of the session whose comm() this is, at this moment; of another communicator, nothing. Local; for the
/// thread that calls the session.
StagingUse staging_use(MPI_Comm comm);

} // namespace squall::io
