/// What every engine's reader must have made sure of, whatever the file said.
#pragma once

#include "read/source.hpp"

namespace squall::io {

/// Extents of a field, by the names of its dimensions; throws Error if one is not declared.
std::vector<std::int64_t> shape_of(const Source &source, const Field &field);

/// Throws Error unless the frames can be counted, every dimension has one size, every field's dimensions
/// are declared, and the bytes of every field can be counted.
void check_source(const Source &source);

} // namespace squall::io
