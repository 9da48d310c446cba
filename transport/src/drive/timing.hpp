/// How long a run took, for --timing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runfile/settings.hpp"
#include "winds/read_ahead.hpp"

namespace squall::transport {

/// [s], of the first rank.
struct Timing {
    double starting = 0;            ///< before the first step, with the frames of the start
    std::vector<double> steps;      ///< each with the output that follows it
    std::vector<double> processor;  ///< the same, of all threads: what others do is not in it
    double finishing = 0;           ///< output, after the last step
    std::optional<WindCosts> winds; ///< of all ranks
};

/// Writes it as JSON. Throws std::runtime_error.
void write_timing(const std::string &file, const Timing &timing, const Settings &settings, int ranks);

} // namespace squall::transport
