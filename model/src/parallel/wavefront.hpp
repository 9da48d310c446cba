/// Wavefronts: kernels that follow each other through the rows of a patch, so that each finds in cache what
/// those before it have just read and written there.
///
/// A kernel that looks one row to the north runs one row behind the kernel before it. Each thread has a
/// contiguous part of the rows. Near its ends, where a kernel would look at rows of another thread, the rows
/// wait until all threads are done: there a part ends as a trapezoid, and the triangles between two parts
/// come last (time skewing: Wonnacott 2000, Int. Parallel and Distributed Processing Symp., 171-180).
#pragma once

#include <algorithm>
#include <vector>

#include "core/scratch.hpp"
#include "parallel/tiles.hpp"

namespace squall {

/// Of a kernel in a wavefront: the rows to the south and north of its own on which it looks at what other
/// kernels change, or changes what others look at.
struct Reach {
    int south = 0, north = 0;
    friend Reach operator+(Reach a, Reach b) { return {a.south + b.south, a.north + b.north}; }
};

/// Parts of `patch`, in whole rows, for so many threads and wavefronts of kernels that reach so far together;
/// fewer parts than threads where rows are few.
inline std::vector<Range> wavefront_parts(const Range &patch, int threads, Reach together) {
    const int rows = patch.j1 - patch.j0, least = std::max(1, together.south + together.north);
    const int parts = std::clamp(rows / least, 1, std::max(threads, 1));
    std::vector<Range> found;
    for (int n = 0; n < parts; ++n)
        found.push_back(patch.with_j(patch.j0 + rows * n / parts, patch.j0 + rows * (n + 1) / parts));
    return found;
}

/// Runs kernel(n, row, scratch) for 0 <= n < count on every row of the parts (wavefront_parts), with the
/// results of `count` launches one after the other; n must look, at what other n change, no further than
/// reach(n). `scratch`: one for each thread.
template <class ReachOf, class Kernel>
void run_wavefront(const std::vector<Range> &parts, std::vector<ScratchMemory> &scratch, int count,
                   const ReachOf &reach, const Kernel &kernel,
                   const CodePlace &where = CodePlace::current()) {
    const auto run = [&](int n, const Range &part, int j) {
        kernel(n, part.with_j(j, j + 1), scratch[static_cast<std::size_t>(omp_get_thread_num())].rows());
    };
    // Trapezoids; at the ends of the patch nobody else's rows are near.
    for_each_tile(
        parts,
        [&](const Range &part) {
            const bool first = &part == &parts.front(), last = &part == &parts.back();
            Reach all;
            for (int n = 0; n < count; ++n) all = all + reach(n);
            for (int front = part.j0; front < part.j1 + all.north; ++front) {
                Reach so_far;
                for (int n = 0; n < count; ++n) {
                    so_far = so_far + reach(n);
                    const int j = front - so_far.north;
                    const int begin = first ? part.j0 : part.j0 + so_far.south;
                    const int end = last ? part.j1 : part.j1 - so_far.north;
                    if (j >= begin && j < end) run(n, part, j);
                }
            }
        },
        where);
    if (parts.size() == 1) return;
    // Triangles.
    for_each_tile(
        parts,
        [&](const Range &part) {
            if (&part == &parts.front()) return;
            Reach so_far;
            for (int n = 0; n < count; ++n) {
                so_far = so_far + reach(n);
                for (int j = part.j0 - so_far.north; j < part.j0 + so_far.south; ++j) run(n, part, j);
            }
        },
        where);
}

} // namespace squall
