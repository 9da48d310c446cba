/// How arrays of programs lie in memory whose dimensions come in any order and have a halo around the patch.
///
///     const auto order = io::MemoryOrder::from("XZY");
///     const auto part = io::part_of(*order, domain_first, {ims, ime}, {ips, ipe});
///     frame.put("T", part.box, t + part.first, part.strides);
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "squall/io_declare.hpp"

namespace squall::io {

/// "XZY" says that x is the fastest dimension of the array, then z, then y. A field has x, y, z in this
/// order, x fastest. Strips along the boundary ("XSZ", "YE", ...), columns ("Z"), lists ("C") and scalars
/// ("0") lie in both alike: in a strip along the boundary the first dimension runs along it.
class MemoryOrder {
  public:
    /// Any of x, y and z, each once; or X or Y, S or E, and Z or not; Z, C, 0. Upper or lower case, with
    /// blanks around it. Empty: there is no such order.
    static std::optional<MemoryOrder> from(std::string_view text);

    std::size_t dimensions() const { return dimensions_; }
    /// The dimension of the array that is a dimension of the field, both counted from 0, fastest first.
    std::size_t in_memory(std::size_t of_field) const { return in_memory_[of_field]; }
    /// Whether every rank has all of it, so that one puts it.
    bool replicated() const { return replicated_; }
    /// The order of the field: "XYZ" where the array's is "XZY". Upper case.
    const std::string &of_field() const { return of_field_; }

  private:
    std::size_t dimensions_ = 0;
    std::array<std::size_t, 3> in_memory_ = {0, 1, 2};
    bool replicated_ = false;
    std::string of_field_;
};

/// The first and the last index of a part of an array, per dimension in memory, fastest first, counted as the
/// program does. A last index before the first: there are none.
struct IndexBounds {
    const int *first = nullptr, *last = nullptr;
    int length(std::size_t d) const { return last[d] < first[d] ? 0 : last[d] - first[d] + 1; }
};

/// Where the points of a patch are: in the field's index space, and in the array.
struct ArrayPart {
    Box box; ///< slowest first, from 0
    Strides strides;
    std::ptrdiff_t first = 0; ///< the element of the array that is the patch's first point
};

/// `domain_first`: the indices of the field's first point; `memory`: the extents of the array; `patch`: the
/// points. Throws Error for a patch that is not within the memory.
ArrayPart part_of(const MemoryOrder &order, const int *domain_first, const IndexBounds &memory,
                  const IndexBounds &patch);

} // namespace squall::io
