/// Types of elements: their size and their names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "squall/io.hpp"

namespace squall::io {

/// Bytes of one element.
std::size_t size_of(Type type);

/// "f32", "f64", "i8", "u8", "i16", "i32", "i64", "char", "text".
std::string name_of(Type type);

/// The type of that name which a file may have: all but text.
std::optional<Type> stored_type_named(const std::string &name);

} // namespace squall::io
