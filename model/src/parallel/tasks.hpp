/// Work that threads share out: independent tasks of any length.
#pragma once

#include <exception>

#include "parallel/tiles.hpp"

namespace squall {

/// Runs f(n) for 0 <= n < tasks, each on the thread that comes first. What a thread throws is thrown again
/// when all are done (FirstFailure::raise).
template <class F> void for_each_task(int tasks, F &&f) {
    FirstFailure failure;
#pragma omp parallel for schedule(dynamic)
    for (int n = 0; n < tasks; ++n) try {
            f(n);
        } catch (...) {
            failure.keep(std::current_exception());
        }
    failure.raise();
}

} // namespace squall
