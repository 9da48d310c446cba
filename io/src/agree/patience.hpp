/// Waiting for other ranks: without taking the processor from those who compute, and not for ever
/// without a word.
#pragma once

#include <functional>
#include <string>

#include <mpi.h>

#include "squall/io.hpp"

namespace squall::io {

/// The deadline (SessionSpec::timeout) has passed. Whoever it meets may be gone or may come late, and
/// what was begun with him stays begun: nothing more can be agreed with these ranks.
class Timeout : public Error {
  public:
    using Error::Error;
};

class Patience {
  public:
    /// `watchdog`: seconds of waiting after which, and after every doubling of which, a line on
    /// standard error names this rank and what it waits for. `timeout`: seconds after which waiting
    /// throws Timeout; 0: never. `rank` is for the messages.
    Patience(double watchdog, double timeout, int rank)
        : watchdog_(watchdog), timeout_(timeout), rank_(rank) {}

    /// Calls `done` until it says yes, sleeping in between: first not at all, then a twentieth of what
    /// it has waited, up to a millisecond. `what` completes "rank 3 has waited 60 s for ...". Throws Timeout,
    /// and what `done` throws.
    void until(const std::function<bool()> &done, const std::function<std::string()> &what) const;

    /// Waits for an MPI request (which becomes MPI_REQUEST_NULL).
    void wait(MPI_Request &request, const std::function<std::string()> &what) const;

    /// Waits so many times as long before it gives up.
    Patience longer(double times) const { return {watchdog_, times * timeout_, rank_}; }

    double watchdog() const { return watchdog_; }
    double timeout() const { return timeout_; }
    int rank() const { return rank_; }

  private:
    double watchdog_, timeout_;
    int rank_;
};

} // namespace squall::io
