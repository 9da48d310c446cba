/// Failing together: a step that may fail on some ranks fails on all, so that nobody waits.
#pragma once

#include <functional>

#include <mpi.h>

namespace squall {

/// Runs `work` on every rank of `comm`, then throws std::runtime_error everywhere if it threw
/// anywhere: the message of the lowest failing rank. `work` must not communicate. Collective.
void agree(MPI_Comm comm, const std::function<void()> &work);

} // namespace squall
