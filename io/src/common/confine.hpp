/// Paths that a file tells. A manifest, an index or a store names files of its own directory: one that
/// leads anywhere else was not written by Squall, and is not followed.
#pragma once

#include <string>
#include <string_view>

namespace squall::io {

/// What is wrong with the name of one file or directory in another (empty, ".", "..", with '/' or a
/// control character in it), or "".
std::string name_fault(std::string_view name);

/// What is wrong with the words of a path that must lead from a directory to something below it (empty,
/// absolute, with ".." or a control character in it), or "".
std::string path_fault(std::string_view path);

/// directory/relative, which need not exist. Throws Error if the words lead out of the directory, or a
/// symbolic link on the way does. The directory itself may be reached through links.
std::string confined(const std::string &directory, const std::string &relative);

/// Whether a path, links followed, lies below a directory. Neither need exist.
bool lies_below(const std::string &directory, const std::string &path);

} // namespace squall::io
