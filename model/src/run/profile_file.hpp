/// A run that is profiled: what each rank's time went into, as a file of each rank.
#pragma once

#include <cstddef>
#include <string>

#include <mpi.h>

#include "run/domain.hpp"

namespace squall {

/// Profiles this process from here to end(), which leaves FOLDER/rank-N.json; with no folder, nothing.
class ProfiledRun {
  public:
    /// Collective: the ranks' clocks begin together. Throws std::runtime_error, on all ranks, where the
    /// folder cannot be made.
    ProfiledRun(MPI_Comm comm, std::string folder);
    ~ProfiledRun();
    ProfiledRun(const ProfiledRun &) = delete;
    ProfiledRun &operator=(const ProfiledRun &) = delete;

    /// After so many steps of a domain and what is in it. Collective; throws std::runtime_error, on all
    /// ranks, where a file cannot be written.
    void end(std::size_t steps, const Domain &root);

  private:
    MPI_Comm comm_;
    std::string folder_;
    int rank_ = 0;
};

} // namespace squall
