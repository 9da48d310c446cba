/// How a file becomes visible, all at once and for good.
#pragma once

#include <cstdint>
#include <string>

namespace squall::io {

/// The name of a file that is not published yet.
std::string part_name(const std::string &file);

/// Creates the directories that lead to a file. Throws Error.
void make_directory_of(const std::string &file);

/// Brings the bytes of a file to disk (fsync), or the entries of a directory. Throws Error.
void bring_to_disk(const std::string &path);

/// Renames <file>.part, whose bytes are on disk, to <file>, replacing a file or directory of this
/// name, and brings the rename to disk. Throws Error.
void publish(const std::string &file);

/// Bytes that a file, or all files of a directory, have. Throws Error.
std::uint64_t size_on_disk(const std::string &path);

} // namespace squall::io
