#pragma once

#include <chrono>

namespace squall {

/// Seconds that a call takes, by the clock.
template <class F> double seconds_of(F &&f) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace squall
