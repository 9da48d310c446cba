/// Making a finished file visible all at once.
#pragma once

#include <string>

namespace squall::io {

/// The name under which a file is written before it is published.
std::string part_name(const std::string &file);

/// Creates the directory of a file and its parents. Throws Error with the cause.
void make_directory_of(const std::string &file);

/// Brings <file>.part to disk and renames it to <file>, which readers then see whole. Throws Error
/// with the cause.
void publish(const std::string &file);

} // namespace squall::io
