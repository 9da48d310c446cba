/// How a file becomes visible, all at once and for good.
#pragma once

#include <cstdint>
#include <string>

namespace squall::io {

/// The name of a file that is not published yet.
std::string part_name(const std::string &file);
/// The name of a file that failed to get to disk, and is never trusted again.
std::string untrusted_name(const std::string &file);

/// Creates the directories that lead to a file, and brings their entries to disk. Throws Error.
void make_directory_of(const std::string &file);

/// Brings the bytes of a file to disk (fsync), or the entries of a directory. Throws Error. The system
/// tells of lost bytes once: who was told must not ask again.
void bring_to_disk(const std::string &path);
/// The same of an open file.
void bring_to_disk(int descriptor, const std::string &path);

/// Renames <file>.part, whose bytes are on disk, to <file>, and brings the rename to disk. A file or
/// directory of this name is replaced, without a moment in which there is neither where the system can
/// exchange names. Throws Error; then <file> is what it was.
void publish(const std::string &file);

/// Bytes that a file, or all files of a directory, have. Throws Error.
std::uint64_t size_on_disk(const std::string &path);

} // namespace squall::io
