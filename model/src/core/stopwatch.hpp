#pragma once

#include <chrono>
#include <ctime>

namespace squall {

/// Seconds that a call takes, by the clock.
template <class F> double seconds_of(F &&f) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Seconds that all threads of this process have had of the processor.
inline double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

} // namespace squall
