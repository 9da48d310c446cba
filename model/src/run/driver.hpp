/// A whole run, from the checked configuration to the last published frame.
#pragma once

#include <string>

#include <mpi.h>

#include "settings/config.hpp"

namespace squall {

/// What the command line adds to the run file.
struct RunOptions {
    bool overwrite = false;  ///< whether frames of an earlier run in run.directory may be removed
    std::string timing_file; ///< where to write how long it took (JSON); empty: nowhere
    std::string profile;     ///< the folder for what each rank's time went into; empty: nobody counts
    std::string provenance;  ///< the run file's text with the settings that were overridden
    std::string command;     ///< that runs it again, for the message of a run that was asked to stop
};

/// How a run ended without failing.
enum class RunEnd {
    done,   ///< at its last step
    stopped ///< earlier, as a signal asked (see run/stop_signals.hpp): a restart frame is there
};

/// Runs to the end, on all ranks that were started: those that output.servers sets aside write, the
/// others compute (and alone know of an end before the end). Collective. Throws on all computing ranks alike:
/// ConfigError, AgreedError (a Violation, too); anything else perhaps on one rank alone, computing or not,
/// while others wait for it. What was published stays. After a throw servers may still serve.
RunEnd run(const Config &config, const RunOptions &options, MPI_Comm world);

/// Prints what run() would do; refuses what it would refuse. Whether the time step is stable. Collective;
/// throws as run().
bool print_plan(const Config &config, const RunOptions &options, MPI_Comm world);

} // namespace squall
