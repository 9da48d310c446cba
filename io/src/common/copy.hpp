/// Copying points between memory orders and element types.
#pragma once

#include "squall/io.hpp"

namespace squall::io {

/// Calls f with a value of the C++ type that `type` names; of texts: of their letters. Returns what f does.
template <class F> auto with_element(Type type, F f) {
    switch (type) {
    case Type::f32:
        return f(float{});
    case Type::f64:
        return f(double{});
    case Type::i16:
        return f(std::int16_t{});
    case Type::i32:
        return f(std::int32_t{});
    case Type::i8:
        return f(std::int8_t{});
    case Type::u8:
        return f(std::uint8_t{});
    case Type::i64:
        return f(std::int64_t{});
    case Type::character:
    case Type::text:
        break;
    }
    return f(char{});
}

/// Whether elements of one type may be put into, or read as, another.
bool converts(Type from, Type to);

/// Copies count[0] x count[1] x ... points, converting the type. Strides in elements; empty
/// strides mean contiguous. The memory must not overlap, the types must convert.
void copy_points(const std::vector<std::int64_t> &count, const void *from, Type from_type,
                 Strides from_strides, void *to, Type to_type, Strides to_strides);

/// Copies the points of `part` from the contiguous points of one box to those of another.
void copy_part(const Box &part, const Box &from_box, const void *from, const Box &to_box, void *to,
               Type type);

/// Sets n contiguous points to a value, which the type holds.
void fill_points(void *to, Type type, std::int64_t n, double value);

/// Copies rows of points that lie anywhere, converting the type: to[r][i] = from[rows[r] + at[i]].
void gather_points(const std::vector<std::int64_t> &rows, const std::vector<std::int64_t> &at,
                   const void *from, Type from_type, void *to, Type to_type);

} // namespace squall::io
