/// What lies beside the files of a manifest.
#pragma once

#include <string>
#include <vector>

#include "logbook.hpp"

namespace squall::io::tools {

/// The name of a file while `recover` makes it of the whole frames of a damaged one.
std::string rescue_name(const std::string &file);

/// Where the unpublished part of a file may lie, the likeliest first: held whole in a burst
/// directory, in the making where it belongs or in a burst directory, cut to what is whole by a
/// recovery that was ended, or renamed already. Only what exists. Throws Error if the manifest names a place
/// in no burst directory of the stream.
std::vector<std::string> places_of_pending(const Logbook &book, const FileRecord &file,
                                           const std::vector<std::string> &more_burst_dirs = {});

/// Whether a run published the file and was ended before it removed the copy in its burst directory. Throws
/// Error if the manifest names a place in no burst directory of the stream.
bool left_in_burst(const Logbook &book, const FileRecord &file,
                   const std::vector<std::string> &more_burst_dirs);

/// Why the file, or what lies in its stead before it is published, is not of the manifest's directory (a link
/// leads out of it), or "".
std::string link_fault(const Logbook &book, const FileRecord &file);

/// Whether a run may have made what lies here, so that it may be removed or rewritten: nothing, a file that
/// begins as netCDF does or with nothing, a directory as an engine makes it, or one in which nothing has a
/// name that `source` does not have in it too, as a copy that was cut off. Never a link.
bool may_be_made(const std::string &path, const std::string &source);

/// A sentence for each file or directory that no manifest knows of, in the directories of their files.
std::vector<std::string> unknown_files(const std::vector<Logbook> &books);

} // namespace squall::io::tools
