/// Memory that is wanted next.
#pragma once

#include <algorithm>

#include "core/loop.hpp"
#include "globe/block.hpp"

namespace squall::transport {

/// Asks for a field's cells in layers above, which the processor does not find by itself: between them lie
/// all other fields. Of many cells in the next layer; of a few, which take less time than their memory, in
/// all layers at once before the first.
inline void ask_for_next(const Block &block, int field, const Range &cells, int k) {
    constexpr int few = 16, cache_line = 8; // numbers
    const bool at_once = cells.i1 - cells.i0 <= few;
    if (at_once && k > 0) return;
    const int end = at_once ? block.shape().nz : std::min(k + 2, block.shape().nz);
    for (int above = k + 1; above < end; ++above) {
        const double *next = block.row(field, above, cells.j0);
        for (int i = cells.i0; i < cells.i1; i += cache_line) __builtin_prefetch(next + i);
    }
}

} // namespace squall::transport
