/// Understands a manifest (manifest.hpp) that anybody may have written.
#pragma once

#include <string>
#include <string_view>

#include "logbook.hpp"

namespace squall::io::tools {

constexpr const char *manifest_ending = ".manifest.jsonl";

/// What the lines of a manifest at `path` say, without a look at any file. Half a line, as a run leaves that
/// is killed, counts for nothing. Throws Error with the number of the line: a file outside of the manifest's
/// directory, frames that do not follow each other, values of another kind. `grows`: as in logbook.hpp.
Logbook parse_manifest(const std::string &path, std::string_view text, bool (*grows)(const FileRecord &));

} // namespace squall::io::tools
