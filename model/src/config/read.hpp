/// From a run file to settings.
#pragma once

#include <string>
#include <vector>

#include "settings/config.hpp"

namespace squall {

class Inspections;

/// Reads and checks a run file. `overrides` are "table.key=value" strings as of --set, where
/// value is TOML, or bare text taken as a string. Throws ConfigError.
Config read_config(const std::string &file, const std::vector<std::string> &overrides);

/// The same for the text of a run file called `file`, which need not exist: paths in it start at
/// the directory of that name.
Config parse_config(const std::string &text, const std::string &file,
                    const std::vector<std::string> &overrides);

/// The same by what `inspected` knows of initial files, which afterwards has what was asked of it.
Config parse_config(const std::string &text, const std::string &file,
                    const std::vector<std::string> &overrides, Inspections &inspected);

/// The text of a run file. Throws ConfigError.
std::string run_file_text(const std::string &file);

} // namespace squall
