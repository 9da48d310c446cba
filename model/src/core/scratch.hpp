/// Working storage of one thread: rows of i for the levels of one column slab.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "core/array.hpp"

namespace squall {

/// Memory that begins on a cache line.
template <class T> struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::align_val_t alignment{64};
    T *allocate(std::size_t n) { return static_cast<T *>(::operator new(n * sizeof(T), alignment)); }
    void deallocate(T *p, std::size_t) { ::operator delete(p, alignment); }
    bool operator==(const CacheLineAllocator &) const = default;
};

/// The most columns that a kernel of columns is given at a time, neighbours of one row.
inline constexpr int columns_at_a_time = 32;

/// Rows of points one after another, in memory that is another's: a kernel holds it by value.
class Scratch {
  public:
    Scratch(real *data, int width) : data_(data), width_(width) {}
    /// Row `level`, addressed so that index i0 is its first element.
    real *row(int level, int i0) const { return data_ + static_cast<std::ptrdiff_t>(level) * width_ - i0; }

    int width() const { return width_; }
    /// The rows from `level` on.
    Scratch from(int level) const { return {row(level, 0), width_}; }

  private:
    real *data_;
    int width_;
};

/// Memory of levels x width points for a thread of the host, small enough to stay in cache.
class ScratchMemory {
  public:
    ScratchMemory(int levels, int width)
        : width_((width + 15) / 16 * 16), data_(static_cast<std::size_t>(levels) * width_) {}
    Scratch rows() { return {data_.data(), width_}; }

  private:
    int width_;
    std::vector<real, CacheLineAllocator<real>> data_;
};

} // namespace squall
