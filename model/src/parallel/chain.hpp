/// Chains: kernels one after another, each of which may look at what those before it found around its
/// columns.
///
/// Processors run a whole chain on one tile before the next, so that what its kernels tell each other stays
/// in cache: what a kernel looks at around the tile, those before it find there once more, in memory of the
/// thread. A device runs each kernel on the whole patch, as a launch. Results must not depend on which.
#pragma once

#include <type_traits>
#include <vector>

#include "core/scratch.hpp"
#include "parallel/launch.hpp"

namespace squall {

/// Whether chains run on whole patches, from here on. What they keep between kernels is of that size then.
inline bool chains_are_launched() {
    return device::in_use() || launch_order() == LaunchOrder::scattered_columns;
}

class Chain {
  public:
    /// On a tile, by this thread, which has these rows.
    explicit Chain(const Range &tile, const Scratch &rows = {nullptr, 0}) : tile_(tile), rows_(rows) {}
    /// On a patch, each kernel a launch. `scratch`: one for each thread.
    Chain(const Range &patch, std::vector<ScratchMemory> &scratch, const CodePlace &where)
        : tile_(patch), scratch_(&scratch), where_(where) {}

    /// The cells that the chain is for.
    const Range &tile() const { return tile_; }

    /// Runs kernel(columns, scratch) on all columns of a range, in pieces where it is launched.
    template <class Kernel> void run(const Range &columns, const Kernel &kernel) const {
        static_assert(std::is_trivially_copyable_v<Kernel>, "a kernel holds views and numbers by value");
        if (columns.i0 >= columns.i1 || columns.j0 >= columns.j1) return;
        if (scratch_)
            launch({columns}, *scratch_, kernel, where_);
        else
            kernel(columns, rows_);
    }

  private:
    Range tile_;
    Scratch rows_{nullptr, 0};
    std::vector<ScratchMemory> *scratch_ = nullptr;
    CodePlace where_ = CodePlace::current();
};

/// Runs f(chain): for each tile, tiles shared out among threads, or once for all of them. `scratch`: one for
/// each thread.
template <class F>
void for_each_chain(const std::vector<Range> &tiles, std::vector<ScratchMemory> &scratch, const F &f,
                    const CodePlace &where = CodePlace::current()) {
    if (chains_are_launched()) {
        if (!tiles.empty()) f(Chain(bounds(tiles), scratch, where));
        return;
    }
    for_each_tile(
        tiles,
        [&](const Range &tile) {
            f(Chain(tile, scratch[static_cast<std::size_t>(omp_get_thread_num())].rows()));
        },
        where);
}

} // namespace squall
