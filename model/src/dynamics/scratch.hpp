/// Working storage of one thread: rows of i for the levels of one column slab.
#pragma once

#include <vector>

#include "core/array.hpp"

namespace squall {

/// A buffer of levels x width points, small enough to stay in cache.
class Scratch {
  public:
    Scratch() = default;
    Scratch(int levels, int width)
        : width_((width + 15) / 16 * 16), data_(static_cast<std::size_t>(levels) * width_) {}
    /// Row `level`, addressed so that index i0 is its first element.
    real *row(int level, int i0) { return data_.data() + static_cast<std::ptrdiff_t>(level) * width_ - i0; }

  private:
    int width_ = 0;
    std::vector<real> data_;
};

} // namespace squall
