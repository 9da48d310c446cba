/// Arithmetic on sizes that a file tells: what would not fit into 64 bits is an Error, never a wrong number.
#pragma once

#include <cstdint>
#include <vector>

namespace squall::io {

/// Each throws Error if the result cannot be counted.
std::uint64_t plus(std::uint64_t a, std::uint64_t b);
std::uint64_t times(std::uint64_t a, std::uint64_t b);

/// Points in these extents, and their bytes. Throws Error if an extent is negative, or if the bytes of the
/// extents that are not 0 cannot be counted in 63 bits: then no stride among them can overflow either.
std::int64_t points_in(const std::vector<std::int64_t> &extents, std::uint64_t element);

} // namespace squall::io
