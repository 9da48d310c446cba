/// Wavefronts: two kernels that follow each other row by row, so that the second finds in cache what the first
/// has read and written.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "parallel/chain.hpp"

namespace squall {

/// Whether each tile has the whole rows of all of them.
inline bool have_whole_rows(const std::vector<Range> &tiles) {
    return std::all_of(tiles.begin(), tiles.end(), [&](const Range &tile) {
        return tile.i0 == tiles.front().i0 && tile.i1 == tiles.front().i1;
    });
}

/// Runs first(rows, scratch) and second(rows, scratch) on every row of the tiles, with the results of two
/// launches one after the other. On a row, the first may look at what the second changes on it and on the row
/// to the south, the second at what the first finds on it and on the row to the north; at nothing else that
/// the other changes. `scratch`: one for each thread. Where a device is in use, this returns at once.
///
/// Processors run the first a row ahead of the second. Tiles are independent of each other, because the first
/// has been on the southernmost row of each before.
template <class First, class Second>
void launch_wavefront(const std::vector<Range> &tiles, std::vector<ScratchMemory> &scratch,
                      const First &first, const Second &second,
                      const CodePlace &where = CodePlace::current()) {
    static_assert(std::is_trivially_copyable_v<First> && std::is_trivially_copyable_v<Second>,
                  "a kernel holds views and numbers by value");
    if (chains_are_launched() || !have_whole_rows(tiles)) {
        launch(tiles, scratch, first, where);
        launch(tiles, scratch, second, where);
        return;
    }
    const auto row = [](const Range &tile, int j) { return tile.with_j(j, j + 1); };
    const auto rows_of = [&] { return scratch[static_cast<std::size_t>(omp_get_thread_num())].rows(); };
    for_each_tile(tiles, [&](const Range &tile) { first(row(tile, tile.j0), rows_of()); }, where);
    for_each_tile(
        tiles,
        [&](const Range &tile) {
            for (int j = tile.j0; j < tile.j1; ++j) {
                if (j + 1 < tile.j1) first(row(tile, j + 1), rows_of());
                second(row(tile, j), rows_of());
            }
        },
        where);
}

} // namespace squall
