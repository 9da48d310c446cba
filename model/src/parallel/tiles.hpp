/// Tiles: the parts of a patch that one thread computes at a time.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <vector>

#include <omp.h>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "core/profile.hpp"

namespace squall {

/// Cells of a tile west-east and south-north.
struct TileSize {
    int x = 0, y = 0;
};

/// Splits a range in i and j (never in k) into near-equal tiles of at most tile_x x tile_y
/// points, south-north slowest. An empty range has none. Throws std::invalid_argument for a
/// size below 1.
std::vector<Range> make_tiles(const Range &range, int tile_x, int tile_y);

/// Tiles whose working set of a dynamics step fits half the second-level cache, or of eight rows if that is
/// more; in whole rows up to 512 cells, at least one tile per thread where the patch allows, and preferably
/// as many for each. Throws std::invalid_argument for an empty shape or fewer than one thread.
TileSize choose_tile_size(Shape shape, int threads, std::size_t l2_bytes);

/// Bytes of second-level cache per core, or 1 MiB where the system does not say.
std::size_t l2_cache_bytes();

/// A core's share of the last cache, which several cores may have together; 0 where the system does not say.
std::size_t last_cache_bytes();

/// Where threads leave what they throw, which must not leave a parallel region; one of all is kept.
class FirstFailure {
  public:
    void keep(std::exception_ptr failure);
    /// Throws it, if there is one: as LocalError, but where memory was not to be had.
    void raise() const;

  private:
    std::exception_ptr first_;
};

/// Runs f(n) for 0 <= n < count, shared out among threads in a fixed way.
void on_threads(int count, const std::function<void(int)> &f);

/// Runs f(tile) for every tile, tiles shared out among threads in a fixed way. What a thread throws is thrown
/// again when all are done (FirstFailure::raise). A profile knows the loop by who asks for it.
template <class F>
void for_each_tile(const std::vector<Range> &tiles, F &&f, const CodePlace &where = CodePlace::current()) {
    device::finish();
    const int n = static_cast<int>(tiles.size());
    FirstFailure failure;
    const LoopProfile loop(where);
    const auto run = [&](int t) __attribute__((noinline)) {
        try {
            const LoopProfile::Part part(loop, omp_get_thread_num());
            f(tiles[static_cast<std::size_t>(t)]);
        } catch (...) {
            failure.keep(std::current_exception());
        }
    };
#ifdef SQUALL_GPU_KERNELS // Clang's threads would not be those of the rest
    on_threads(n, run);
#else
    if (omp_get_max_threads() == 1) { // a parallel region would allocate its team all the same
        for (int t = 0; t < n; ++t) run(t);
    } else {
#pragma omp parallel for schedule(static)
        for (int t = 0; t < n; ++t) run(t);
    }
#endif
    failure.raise();
}

} // namespace squall
