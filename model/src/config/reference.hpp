/// The reference page of run files.
#pragma once

#include <string>

namespace squall {

/// Markdown: every table and key, what it takes, its default and its meaning, and the parameters
/// of the built-in cases. docs/reference/run-file.md is this text.
std::string run_file_reference();

} // namespace squall
