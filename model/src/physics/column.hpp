/// Columns as physics schemes see them: a few neighbours of one row j side by side, so that loops
/// over i vectorise and the working storage of a scheme stays in cache.
#pragma once

#include <cstddef>
#include <vector>

#include "core/array.hpp"
#include "core/scratch.hpp"

namespace squall {

/// A field of a batch of columns, indexed (i, k): column i in [0, n) of the batch, layer k from the
/// ground up. `row(k)` is the layer k of all columns.
using Columns = View2<real>;
using ConstColumns = View2<const real>;

/// The columns i0, i0 + 1, ... of row j of a patch's field.
inline Columns columns_at(Field3 f, int i0, int j) { return {f.row(0, j) + i0, f.sk}; }
inline ConstColumns columns_at(ConstField3 f, int i0, int j) { return {f.row(0, j) + i0, f.sk}; }

/// Field n of a kernel's scratch, of fields that have `levels` levels each.
inline Columns scratch_field(const Scratch &scratch, int n, int levels) {
    return {scratch.row(n * levels, 0), scratch.width()};
}

/// Working storage of one thread: `fields` fields of a batch of columns with `levels` levels.
class ColumnStorage {
  public:
    ColumnStorage(int fields, int levels)
        : levels_(levels), data_(static_cast<std::size_t>(fields) * levels * columns_at_a_time) {}

    Columns field(int n) {
        return {data_.data() + static_cast<std::ptrdiff_t>(n) * levels_ * columns_at_a_time,
                columns_at_a_time};
    }

  private:
    int levels_;
    std::vector<real> data_;
};

} // namespace squall
