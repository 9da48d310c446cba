/// Bytes of frames, for planning.
#pragma once

#include "grid/grid.hpp"
#include "squall/io.hpp"

namespace squall {

/// Of a whole frame in its file, before any codec.
double stored_bytes(const io::StreamSpec &spec);

/// At most, of the part of a frame that a rank with a patch of this shape stages.
double staged_bytes(const io::StreamSpec &spec, Shape patch);

} // namespace squall
