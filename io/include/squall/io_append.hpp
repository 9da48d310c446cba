/// Whether a stream can go on in a file of an earlier run, known before its first frame.
#pragma once

#include <string>

#include "squall/io_declare.hpp"

namespace squall::io {

/// Why a stream with StreamSpec::append whose first frame is of this time cannot go on in the file that is at
/// its path, as that frame would fail; "" if it can, or if there is no file to go on in. Local: one rank
/// asks. Throws Error: what is wrong with the declaration, or that the file cannot be read.
std::string append_fault(const StreamSpec &spec, const Time &first);

} // namespace squall::io
