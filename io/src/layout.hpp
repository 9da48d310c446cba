/// A stream's declaration, checked and with names resolved: what engines and placements work from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "squall/io.hpp"

namespace squall::io {

struct FieldLayout {
    Field field;
    std::vector<std::int64_t> shape; ///< without the record dimension; empty for a scalar
    std::int64_t points = 1;         ///< product of shape
};

struct Layout {
    StreamSpec spec;
    std::vector<FieldLayout> fields; ///< in the order of spec.fields

    /// Throws Error: what is wrong with the declaration.
    explicit Layout(StreamSpec s);

    /// Index of a field, or -1.
    int find(const std::string &name) const;
};

/// Bytes of one element.
std::size_t size_of(Type type);

/// "f32", "f64", "i32", "char".
std::string name_of(Type type);

/// "a, b, c", or "none".
std::string list(const std::vector<std::string> &names);

} // namespace squall::io
