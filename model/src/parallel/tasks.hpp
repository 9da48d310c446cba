/// Work that threads share out: independent tasks of any length.
#pragma once

#include <exception>

#include "parallel/tiles.hpp"

namespace squall {

/// Runs f(n) for 0 <= n < tasks, each on the thread that comes first. What a thread throws is thrown again
/// when all are done (FirstFailure::raise). A profile knows the loop by who asks for it.
template <class F> void for_each_task(int tasks, F &&f, const CodePlace &where = CodePlace::current()) {
    FirstFailure failure;
    const LoopProfile loop(where);
#pragma omp parallel for schedule(dynamic)
    for (int n = 0; n < tasks; ++n) try {
            const LoopProfile::Part part(loop, omp_get_thread_num());
            f(n);
        } catch (...) {
            failure.keep(std::current_exception());
        }
    failure.raise();
}

} // namespace squall
