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
/// recovery that was ended, or renamed already. Only what exists.
std::vector<std::string> places_of_pending(const Logbook &book, const FileRecord &file,
                                           const std::vector<std::string> &more_burst_dirs = {});

/// A sentence for each file or directory that no manifest knows of, in the directories of their files.
std::vector<std::string> unknown_files(const std::vector<Logbook> &books);

} // namespace squall::io::tools
