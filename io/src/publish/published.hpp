/// Whether a frame is there for readers: for those who cannot ask who wrote it.
#pragma once

#include <cstdint>
#include <string>

#include "declare/layout.hpp"

namespace squall::io {

/// Whether `file` is published and has frame number `frame` (from 0) in it, by a look at it; false if that
/// cannot be seen.
bool is_published(const Layout &layout, const std::string &file, std::int64_t frame);

} // namespace squall::io
