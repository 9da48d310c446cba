/// Rows of a patch, shared out among threads.
#pragma once

#include <utility>
#include <vector>

#include "parallel/tiles.hpp"

namespace squall::transport {

/// Runs f(j) for 0 <= j < rows, shared out in a fixed way. The list of them is kept from call to call.
template <class F> void for_each_row(int rows, const F &f, const CodePlace &where = CodePlace::current()) {
    static thread_local std::vector<Range> list;
    if (static_cast<int>(list.size()) != rows) list = make_tiles({0, 1, 0, rows, 0, 1}, 1, 1);
    for_each_tile(
        list, [&f](const Range &row) { f(row.j0); }, where);
}

} // namespace squall::transport
