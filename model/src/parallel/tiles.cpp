#include "parallel/tiles.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "core/local_error.hpp"

namespace squall {
namespace {

/// Arrays that the fused kernels of one Runge-Kutta stage touch at a point.
constexpr std::size_t working_arrays = 24;
/// Whole rows stream from memory: cutting rows of 160 or 400 cells in two costs a third of the speed
/// (`squall lab speed`, out of cache), more than the cache that short rows save.
constexpr int longest_row = 512;
/// Rows are not cut shorter than this to occupy threads: two vectors of 8.
constexpr int shortest_row = 16;
/// Rows of a tile where there are as many for each thread, whatever the cache holds: fluxes and mixing find
/// again what a tile needs around it. Tiles of one row take 7 % longer, and larger ones no less (storms and
/// waves on rows of 40 to 200).
constexpr int fewest_rows = 8;

int parts(int n, int size) { return (n + size - 1) / size; }

int cut(int begin, int end, int pieces, int piece) {
    return begin + static_cast<int>(std::int64_t(end - begin) * piece / pieces);
}

/// The largest size in [limit / 2, limit] that gives every thread as many tiles, or `limit`.
int balanced(int n, int limit, int across, int threads) {
    for (int size = limit; size >= std::max(1, (limit + 1) / 2); --size)
        if (across * parts(n, size) % threads == 0) return size;
    return limit;
}

} // namespace

std::vector<Range> make_tiles(const Range &r, int tile_x, int tile_y) {
    if (tile_x < 1 || tile_y < 1)
        throw std::invalid_argument(
            fmt::format("tiles of {} x {} cells: both sizes must be at least 1", tile_x, tile_y));
    std::vector<Range> tiles;
    if (r.empty()) return tiles;
    const int mx = parts(r.i1 - r.i0, tile_x), my = parts(r.j1 - r.j0, tile_y);
    tiles.reserve(static_cast<std::size_t>(mx) * static_cast<std::size_t>(my));
    for (int b = 0; b < my; ++b)
        for (int a = 0; a < mx; ++a)
            tiles.push_back(r.with_i(cut(r.i0, r.i1, mx, a), cut(r.i0, r.i1, mx, a + 1))
                                .with_j(cut(r.j0, r.j1, my, b), cut(r.j0, r.j1, my, b + 1)));
    return tiles;
}

TileSize choose_tile_size(Shape s, int threads, std::size_t l2_bytes) {
    if (s.nx < 1 || s.ny < 1 || s.nz < 1 || threads < 1)
        throw std::invalid_argument(
            fmt::format("no tiles for {} x {} x {} cells and {} threads", s.nx, s.ny, s.nz, threads));
    int across = parts(s.nx, longest_row);
    if (across * s.ny < threads)
        across = std::clamp(parts(threads, s.ny), across, std::max(across, s.nx / shortest_row));
    const int x = parts(s.nx, across);

    const std::size_t row_bytes =
        working_arrays * sizeof(real) * static_cast<std::size_t>(s.nz) * static_cast<std::size_t>(x);
    const auto rows_in_cache = static_cast<int>(std::min<std::size_t>(l2_bytes / 2 / row_bytes, s.ny));
    const int rows_per_thread = s.ny / parts(threads, across);
    const int limit = std::clamp(std::min(std::max(rows_in_cache, fewest_rows), rows_per_thread), 1, s.ny);
    return {x, balanced(s.ny, limit, across, threads)};
}

std::size_t l2_cache_bytes() {
    const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return bytes > 0 ? static_cast<std::size_t>(bytes) : std::size_t(1) << 20;
}

// What sysconf says of the third level is wrong on some processors, and of all cores together.
std::size_t last_cache_bytes() {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index3/";
    std::size_t kibibytes = 0, cores = 0;
    std::ifstream(folder + "size") >> kibibytes;
    std::ifstream list(folder + "shared_cpu_list"); // 0-7,64-71
    for (std::string part; std::getline(list, part, ',');) {
        std::size_t first = 0, last = 0;
        const int read = std::sscanf(part.c_str(), "%zu-%zu", &first, &last);
        cores += read == 2 && last > first ? last - first + 1 : 1;
    }
    return kibibytes * 1024 / std::max<std::size_t>(cores, 1);
}

void on_threads(int count, const std::function<void(int)> &f) {
#pragma omp parallel for schedule(static)
    for (int n = 0; n < count; ++n) f(n);
}

void FirstFailure::keep(std::exception_ptr failure) {
#pragma omp critical(squall_first_failure)
    if (!first_) first_ = std::move(failure);
}

void FirstFailure::raise() const {
    if (!first_) return;
    try {
        std::rethrow_exception(first_);
    } catch (const std::bad_alloc &) {
        throw;
    } catch (const std::exception &e) {
        throw LocalError(e.what());
    }
}

} // namespace squall
