#include "parallel/launch.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace squall {
namespace {

std::atomic<LaunchOrder> order = LaunchOrder::tiles;

} // namespace

void set_launch_order(LaunchOrder o) { order = o; }
LaunchOrder launch_order() { return order; }

Range bounds(const std::vector<Range> &tiles) {
    if (tiles.empty()) return {};
    Range all = tiles.front();
    for (const Range &t : tiles)
        all = {std::min(all.i0, t.i0), std::max(all.i1, t.i1), std::min(all.j0, t.j0),
               std::max(all.j1, t.j1), std::min(all.k0, t.k0), std::max(all.k1, t.k1)};
    return all;
}

std::vector<Range> scattered_columns(const std::vector<Range> &tiles) {
    std::vector<Range> columns;
    for (const Range &tile : tiles)
        for (int j = tile.j0; j < tile.j1; ++j)
            for (int i = tile.i0; i < tile.i1; ++i) columns.push_back(tile.with_i(i, i + 1).with_j(j, j + 1));
    // Every n-th of them, round and round: n has no divisor in common with their number, so that each comes
    // once.
    const std::size_t count = columns.size();
    std::size_t step = count * 5 / 13 + 1;
    while (std::gcd(step, count) > 1) ++step;
    std::vector<Range> scattered;
    for (std::size_t c = 0, at = 0; c < count; ++c, at = (at + step) % count)
        scattered.push_back(columns[at]);
    return scattered;
}

} // namespace squall
