/// Whether a stream can go on in a file of an earlier run.
#pragma once

#include <string>

#include "declare/engine.hpp"
#include "read/source.hpp"

namespace squall::io {

/// What of the file is not as the stream declares it, or "". Attributes are not looked at.
std::string append_fault(const Layout &layout, const Source &file);

} // namespace squall::io
