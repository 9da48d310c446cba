/// Time for deadlines.
#pragma once

#include <chrono>

namespace squall::io {

/// Seconds of a clock that nobody sets.
inline double steady_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace squall::io
