/// Launches: how a kernel comes to all columns of a patch.
///
/// A kernel is a callable kernel(tile, scratch) that computes the columns of a tile and holds all that it
/// reads and writes by value: views and numbers. Its results must not depend on how the patch is cut into
/// tiles, nor on the order of the tiles. So one source serves two machines: processors take tiles of whole
/// rows, whose loops over i they vectorise, and graphics processors a tile of one column for each of their
/// threads.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "core/device.hpp"
#include "core/kernel_memory.hpp"
#include "core/scratch.hpp"
#include "parallel/tiles.hpp"

namespace squall {

/// In which pieces and in which order a launch computes.
enum class LaunchOrder {
    tiles, ///< tiles, shared out among threads
    rows, ///< the same, and wavefronts (wavefront.hpp) wherever they can be, also in patches that caches hold
    scattered_columns ///< columns one by one and all over the patch, as a graphics processor does
};

/// For all launches from now on; for tests, which compare them.
void set_launch_order(LaunchOrder order);
LaunchOrder launch_order();

/// The columns of `tiles` one by one, each at least some way from the one before.
std::vector<Range> scattered_columns(const std::vector<Range> &tiles);

/// The columns that tiles cover together.
Range bounds(const std::vector<Range> &tiles);

#ifdef SQUALL_GPU_KERNELS

/// Elements of a scratch row where a tile is one column: what the widest stencil reads around it.
inline constexpr int column_width = 8;

template <class Kernel> __global__ void run_column(Range all, Kernel kernel) {
    const int i = all.i0 + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
              j = all.j0 + static_cast<int>(blockIdx.y);
    if (i >= all.i1) return;
    real rows[device::scratch_rows * column_width]; // of which the device keeps what is touched in its caches
    kernel(all.with_i(i, i + 1).with_j(j, j + 1), Scratch(rows, column_width));
}

/// One thread for each column, on the device that is in use; returns at once.
template <class Kernel>
void launch_on_device(const Range &all, const Kernel &kernel,
                      void (*run)(Range, Kernel) = run_column<Kernel>) {
    constexpr unsigned block = 128;
    if (all.empty()) return;
    const dim3 grid((static_cast<unsigned>(all.i1 - all.i0) + block - 1) / block,
                    static_cast<unsigned>(all.j1 - all.j0));
    run<<<grid, block>>>(all, kernel);
}

template <class Kernel> __global__ void run_column_alone(Range all, Kernel kernel) {
    const int i = all.i0 + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
              j = all.j0 + static_cast<int>(blockIdx.y);
    if (i >= all.i1) return;
    real rows[device::column_rows];
    kernel(all.with_i(i, i + 1).with_j(j, j + 1), Scratch(rows, 1));
}

/// First of each column, then of each row by the thread of its first column.
template <class Value, class Kernel, class Merge>
Value merge_on_device(const Range &all, KernelVector<Value> &found, const Kernel &kernel,
                      const Merge &merge) {
    const int ni = all.i1 - all.i0, nj = all.j1 - all.j0;
    found.assign(static_cast<std::size_t>(ni) * static_cast<std::size_t>(nj), Value{});
    launch_on_device(all, [=, out = found.data()](const Range &column, const Scratch &) {
        out[(column.j0 - all.j0) * ni + column.i0 - all.i0] = kernel(column);
    });
    launch_on_device(Range{0, 1, 0, nj, 0, 1}, [=, out = found.data()](const Range &row, const Scratch &) {
        for (int i = 1; i < ni; ++i) merge(out[row.j0 * ni], out[row.j0 * ni + i]);
    });
    device::finish();
    Value best{};
    for (int j = 0; j < nj; ++j) merge(best, found[static_cast<std::size_t>(j * ni)]);
    return best;
}

#endif

/// Runs kernel(tile, scratch) on every tile. `scratch`: one for each thread. Where a device is in use, this
/// returns at once (device::finish()).
template <class Kernel>
void launch(const std::vector<Range> &tiles, std::vector<ScratchMemory> &scratch, const Kernel &kernel,
            const CodePlace &where = CodePlace::current()) {
    static_assert(std::is_trivially_copyable_v<Kernel>, "a kernel holds views and numbers by value");
#ifdef SQUALL_GPU_KERNELS
    if (device::in_use()) return launch_on_device(bounds(tiles), kernel);
#endif
    const auto run = [&](const Range &tile) {
        kernel(tile, scratch[static_cast<std::size_t>(omp_get_thread_num())].rows());
    };
    if (launch_order() == LaunchOrder::scattered_columns)
        for_each_tile(scattered_columns(tiles), run, where);
    else
        for_each_tile(tiles, run, where);
}

/// Runs kernel(columns, scratch), which looks at nothing beside them, on neighbouring columns of a row of a
/// tile, at most columns_at_a_time. `scratch`: of rows that long, one for each thread.
template <class Kernel>
void launch_columns(const std::vector<Range> &tiles, std::vector<ScratchMemory> &scratch,
                    const Kernel &kernel, const CodePlace &where = CodePlace::current()) {
    static_assert(std::is_trivially_copyable_v<Kernel>, "a kernel holds views and numbers by value");
#ifdef SQUALL_GPU_KERNELS
    if (device::in_use()) return launch_on_device(bounds(tiles), kernel, run_column_alone<Kernel>);
#endif
    launch(
        tiles, scratch,
        [kernel](const Range &tile, const Scratch &rows) {
            for (int j = tile.j0; j < tile.j1; ++j)
                for (int i = tile.i0; i < tile.i1; i += columns_at_a_time)
                    kernel(tile.with_i(i, std::min(i + columns_at_a_time, tile.i1)).with_j(j, j + 1), rows);
        },
        where);
}

/// What kernel(tile) finds on all tiles, as merge(best, other) keeps the better of two, in any order.
/// `found`: room for what tiles find, which may be kept.
template <class Value, class Kernel, class Merge>
Value launch_and_merge(const std::vector<Range> &tiles, KernelVector<Value> &found, const Kernel &kernel,
                       const Merge &merge, const CodePlace &where = CodePlace::current()) {
    static_assert(std::is_trivially_copyable_v<Kernel>, "a kernel holds views and numbers by value");
    static_assert(std::is_class_v<Merge>, "a device does not know where a function of processors lies");
#ifdef SQUALL_GPU_KERNELS
    if (device::in_use()) return merge_on_device(bounds(tiles), found, kernel, merge);
#endif
    const bool whole = launch_order() != LaunchOrder::scattered_columns;
    const std::vector<Range> columns = whole ? std::vector<Range>() : scattered_columns(tiles);
    const std::vector<Range> &pieces = whole ? tiles : columns;
    found.assign(pieces.size(), Value{});
    for_each_tile(
        pieces,
        [&](const Range &piece) { found[static_cast<std::size_t>(&piece - pieces.data())] = kernel(piece); },
        where);
    Value best{};
    for (const Value &one : found) merge(best, one);
    return best;
}

} // namespace squall
