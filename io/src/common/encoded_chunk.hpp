/// A part of a field that is compressed by itself.
#pragma once

#include <cstddef>
#include <span>

#include "squall/io.hpp"

namespace squall::io {

/// With what came of it, as it goes into the file; who keeps these bytes says where this is made.
struct EncodedChunk {
    Box box;
    std::span<const std::byte> bytes;
};

} // namespace squall::io
