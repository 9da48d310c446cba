/// Frames through Squall, each beside its yardsticks.
#pragma once

#include <vector>

#include "memory.hpp"
#include "settings.hpp"
#include "squall/io.hpp"

namespace squall::bench {

/// Seconds of the slowest rank, frame by frame.
struct Measured {
    std::vector<double> copy;      ///< one copy of the bytes in memory
    std::vector<double> raw;       ///< written to a file per rank,
    std::vector<double> raw_fsync; ///< and brought to disk
    std::vector<double> baseline;  ///< the library's plain loop; from the second frame on
    std::int64_t bytes = 0;        ///< of a frame
    std::vector<std::int64_t> shape;
    int fields = 0;
    std::int64_t memory = 0; ///< that this rank needed beyond its patch
    std::vector<io::StreamReport> streams;
};

/// Collective over the ranks that compute. Closes the session. Throws io::Error.
Measured measure(io::Session &session, const Settings &settings);

} // namespace squall::bench
