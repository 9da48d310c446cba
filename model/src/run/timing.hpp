/// How long a run took, for --timing.
#pragma once

#include <string>
#include <vector>

#include <mpi.h>

#include "run/domain.hpp"

namespace squall {

/// How long the parts of a run took [s].
struct Timing {
    double computing = 0, writing = 0, finishing = 0; ///< finishing: output, after the last step
    std::vector<double> steps;                        ///< each with the output that follows it
    std::vector<double> processor; ///< the same, of all threads: what others do is not in it
    std::vector<double> stepping;  ///< of these by the thread that steps the model,
    std::vector<double> output;    ///< and of that by output
    double all() const { return computing + writing + finishing; }
};

/// What the processors of a rank did in each step [s]: the thread that steps the model, of that output, and
/// all other threads, which with one thread a rank are those that write.
struct RankSteps {
    std::vector<double> stepping, output, others;
};
/// Of all ranks, on the first; elsewhere none. Collective.
std::vector<RankSteps> steps_of_ranks(const Timing &timing, MPI_Comm comm);

/// Writes it as JSON. Throws std::runtime_error.
void write_timing(const std::string &file, const Timing &timing, const std::vector<RankSteps> &ranks,
                  const Domain &root, const StepCosts &costs);

} // namespace squall
