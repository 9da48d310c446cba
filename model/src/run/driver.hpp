/// A whole run, from the checked configuration to the last published frame.
#pragma once

#include <string>

#include <mpi.h>

#include "config/config.hpp"

namespace squall {

/// What the command line adds to the run file.
struct RunOptions {
    bool overwrite = false;  ///< whether frames of an earlier run in run.directory may be removed
    std::string timing_file; ///< where to write how long it took (JSON); empty: nowhere
    std::string provenance;  ///< the run file's text with the settings that were overridden
};

/// Runs to the end. Collective; throws on all ranks alike: ConfigError, Violation, io::Error,
/// std::runtime_error. What was published stays.
void run(const Config &config, const RunOptions &options, MPI_Comm comm);

/// Prints what run() would do.
void print_plan(const Config &config, MPI_Comm comm);

} // namespace squall
