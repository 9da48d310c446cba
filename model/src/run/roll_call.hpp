/// What rank 0 hears of the others now and then, while the run goes on.
#pragma once

#include <chrono>
#include <vector>

#include <mpi.h>

#include "squall/io_staging.hpp"

namespace squall {

/// How a rank is.
struct RankState {
    double load = 1; ///< share of the time in which it did not wait for other ranks
    io::StagingUse staging;
};

/// Gathers small numbers on rank 0, the more seldom the more ranks there are: it costs nothing that can be
/// measured. When it is time rank 0 knows, and tells the others with what they agree on anyway.
class RollCall {
  public:
    explicit RollCall(MPI_Comm comm);

    /// Whether it is time; on ranks other than the first: never.
    bool due() const;

    /// `waited`: how long this rank has waited for others since the run began [s]. On rank 0 all ranks'
    /// states, elsewhere nothing. Collective.
    std::vector<RankState> call(double waited);

  private:
    using Clock = std::chrono::steady_clock;

    MPI_Comm comm_;
    int rank_ = 0, ranks_ = 1;
    Clock::time_point last_ = Clock::now();
    double waited_ = 0;
};

} // namespace squall
