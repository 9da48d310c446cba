/// Copying points between memory orders and element types.
#pragma once

#include "squall/io.hpp"

namespace squall::io {

/// Whether elements of one type may be put into, or read as, another.
bool converts(Type from, Type to);

/// Copies count[0] x count[1] x ... points, converting the type. Strides in elements; empty
/// strides mean contiguous. The memory must not overlap, the types must convert.
void copy_points(const std::vector<std::int64_t> &count, const void *from, Type from_type,
                 Strides from_strides, void *to, Type to_type, Strides to_strides);

} // namespace squall::io
