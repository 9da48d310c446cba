/// Memory that is wanted next.
#pragma once

#include "core/loop.hpp"
#include "globe/block.hpp"

namespace squall::transport {

/// Asks for a field's cells in the layer above, which the processor does not find by itself: between them lie
/// all other fields.
inline void ask_for_next(const Block &block, int field, const Range &cells, int k) {
    constexpr int cache_line = 8; // numbers
    if (k + 1 == block.shape().nz) return;
    const double *next = block.row(field, k + 1, cells.j0);
    for (int i = cells.i0; i < cells.i1; i += cache_line) __builtin_prefetch(next + i);
}

} // namespace squall::transport
