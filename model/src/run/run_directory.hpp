/// The directory of a run: what lies in it before, and what is run.
#pragma once

#include <filesystem>
#include <vector>

#include "run/driver.hpp"
#include "settings/config.hpp"

namespace squall {

/// What an earlier run has left and this one is to replace. A cold start into the frames of an earlier run
/// would mix two runs: refused (std::runtime_error) unless they may be removed.
std::vector<std::filesystem::path> frames_to_replace(const Config &config, const RunOptions &options);

/// Refuses a run directory that prepare_directory could not make or write into, and makes none.
void check_directory(const Config &config);

/// Makes the run directory, without those, and keeps in it what is run. Throws std::runtime_error.
void prepare_directory(const Config &config, const RunOptions &options);

} // namespace squall
