/// The declaration of a file made from others, and whether a file is as declared.
#pragma once

#include <string>

#include "declare/layout.hpp"
#include "inputs.hpp"

namespace squall::io::tools {

/// A stream that holds the named fields (all, if none are named) of the inputs in one file. Throws
/// Error for a field that they lack.
StreamSpec declare(const Inputs &inputs, const std::string &output, const std::string &engine,
                   const std::string &codec, const std::vector<std::string> &fields);

/// What differs between a file and its declaration, or "".
std::string departure_from(const Layout &declared, std::int64_t frames, const Source &file);

} // namespace squall::io::tools
