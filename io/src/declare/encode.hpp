/// The encode step: what a field's precision makes of its points, and a checksum of what came of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "declare/layout.hpp"

namespace squall::io {

/// What stands for the fill value in a packed field; values are packed into -32767 to 32767.
inline constexpr std::int32_t packed_fill = -32768;

/// Turns a declared field into the stored one: its type, and the attributes that say what was done
/// (CF scale_factor and add_offset; squall_precision). Returns what is wrong with the precision, or "".
std::string apply_precision(Field &field);

/// Whether encode() changes anything.
bool encodes(const FieldLayout &f);

/// Encodes `points` points of f.staged in place into f.field.type, which is not larger. Throws Error
/// on a value that packing cannot hold.
void encode(const FieldLayout &f, void *data, std::int64_t points);

/// A number that tells the points of a box in a field of this shape from any others: the sum over
/// all points of a hash of index and bits, modulo 2^64. The sum over boxes that tile a field is the
/// field's checksum, whoever holds them and however they are cut.
std::uint64_t checksum(const Box &box, const std::vector<std::int64_t> &shape, const void *points, Type type);
/// Of a part of the points of a box.
std::uint64_t checksum(const Box &part, const Box &box, const std::vector<std::int64_t> &shape,
                       const void *points, Type type);

} // namespace squall::io
