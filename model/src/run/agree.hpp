/// Failing together: a step that may fail on some ranks fails on all, so that nobody waits.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include <mpi.h>

namespace squall {

/// A failure that all ranks of a communicator have alike, so that what is collective over it stays possible.
class AgreedError : public std::runtime_error {
  public:
    explicit AgreedError(const std::string &what) : std::runtime_error(what) {}
};

/// Runs `work` on every rank of `comm`, then throws AgreedError everywhere if it threw anywhere: the message
/// of the lowest failing rank. `work` must not communicate. Collective.
void agree(MPI_Comm comm, const std::function<void()> &work);

} // namespace squall
