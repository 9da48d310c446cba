/// How WRF's arrays lie in memory and in files: the argument MemoryOrder of its I/O layers.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "squall/io_declare.hpp"

namespace squall::wrf {

/// "XZY" says that x is the fastest dimension of the array, then z, then y; a file has x, y, z in this order.
/// Strips along the boundary ("XSZ", "YE", ...), columns ("Z"), lists ("C") and scalars ("0") lie in both
/// alike.
class MemoryOrder {
  public:
    /// Upper or lower case, with blanks around it. Empty: WRF knows no such order.
    static std::optional<MemoryOrder> from(std::string_view text);

    std::size_t dimensions() const { return dimensions_; }
    /// The dimension of the array that is a dimension of the file, both counted from 0, fastest first.
    std::size_t in_memory(std::size_t of_file) const { return in_memory_[of_file]; }
    /// Whether every rank has all of it, so that one writes it.
    bool replicated() const { return replicated_; }
    /// The attribute MemoryOrder in the file: three characters.
    const std::string &in_file() const { return in_file_; }

  private:
    std::size_t dimensions_ = 0;
    std::array<std::size_t, 3> in_memory_ = {0, 1, 2};
    bool replicated_ = false;
    std::string in_file_;
};

/// The first and the last index of a part of an array, per dimension in memory, fastest first, as WRF counts.
struct Bounds {
    const int *first = nullptr, *last = nullptr;
    int length(std::size_t d) const { return last[d] < first[d] ? 0 : last[d] - first[d] + 1; }
};

/// Where the points of a patch are: in the domain's index space, and in the array.
struct Place {
    io::Box box; ///< slowest first, from 0
    io::Strides strides;
    std::ptrdiff_t first = 0; ///< the element of the array that is the patch's first point
};

/// `domain`: where indices begin; `memory`: the extents of the array; `patch`: the points, within both.
Place place_of(const MemoryOrder &order, const Bounds &domain, const Bounds &memory, const Bounds &patch);

} // namespace squall::wrf
