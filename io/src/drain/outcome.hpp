/// What became of a frame.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "squall/io.hpp"

namespace squall::io {

/// What became of a frame; or what went wrong in publishing a file later.
struct Outcome {
    std::int64_t number = -1; ///< of the frame in its stream; -1: none
    Time time;
    std::string fault;                          ///< complete message; empty: it is stored
    bool skipped = false;                       ///< dropped because a rank, or the target, had no room
    double committed = 0, begun = 0, ended = 0; ///< [s since the epoch of the system's clock]
    std::uint64_t bytes = 0;                    ///< of the frame, uncompressed
    bool ends_file = false;                     ///< of the end of a client's file, which is no frame
    bool published = false;                     ///< the frame is there all the same, in spite of the fault
};

/// Seconds since the epoch of the system's clock.
inline double now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

} // namespace squall::io
