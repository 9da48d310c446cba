/// Launches: how a kernel comes to all columns of a patch.
///
/// A kernel is a callable kernel(tile, scratch) that computes the columns of a tile and holds all that it
/// reads and writes by value: views and numbers. Its results must not depend on how the patch is cut into
/// tiles, nor on the order of the tiles. So one source serves two machines: processors take tiles of whole
/// rows, whose loops over i they vectorise, and graphics processors a tile of one column for each of their
/// threads.
#pragma once

#include <type_traits>
#include <vector>

#include "core/scratch.hpp"
#include "parallel/tiles.hpp"

namespace squall {

/// In which pieces and in which order a launch computes.
enum class LaunchOrder {
    tiles,            ///< tiles, shared out among threads
    scattered_columns ///< columns one by one and all over the patch, as a graphics processor does
};

/// For all launches from now on; for tests, which compare the two.
void set_launch_order(LaunchOrder order);
LaunchOrder launch_order();

/// The columns of `tiles` one by one, each at least some way from the one before.
std::vector<Range> scattered_columns(const std::vector<Range> &tiles);

/// Runs kernel(tile, scratch) on every tile. `scratch`: one for each thread.
template <class Kernel>
void launch(const std::vector<Range> &tiles, std::vector<ScratchMemory> &scratch, const Kernel &kernel,
            const CodePlace &where = CodePlace::current()) {
    static_assert(std::is_trivially_copyable_v<Kernel>, "a kernel holds views and numbers by value");
    const auto run = [&](const Range &tile) {
        kernel(tile, scratch[static_cast<std::size_t>(omp_get_thread_num())].rows());
    };
    if (launch_order() == LaunchOrder::tiles)
        for_each_tile(tiles, run, where);
    else
        for_each_tile(scattered_columns(tiles), run, where);
}

} // namespace squall
