/// How long a run took, for --timing.
#pragma once

#include <string>
#include <vector>

#include "run/domain.hpp"

namespace squall {

/// How long the parts of a run took [s].
struct Timing {
    double computing = 0, writing = 0, finishing = 0; ///< finishing: output, after the last step
    std::vector<double> steps;                        ///< each with the output that follows it
    std::vector<double> processor; ///< the same, of all threads: what others do is not in it
    double all() const { return computing + writing + finishing; }
};

/// Writes it as JSON. Throws std::runtime_error.
void write_timing(const std::string &file, const Timing &timing, const Domain &root, const StepCosts &costs,
                  int ranks);

} // namespace squall
