/// Aerosol of each column from a file.
#pragma once

#include "core/array.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"

namespace squall {

/// Optical depth at 550 nm over a patch as of run.start, linear between the records of physics.aerosol_file.
/// Throws std::runtime_error, perhaps on this rank alone, as AnalysisFile: what cannot be, too.
Array2 read_aerosol(const Config &config, const Patch &patch);

} // namespace squall
