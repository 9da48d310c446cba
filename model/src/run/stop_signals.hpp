/// Signals that ask a run to stop: noted, to be heeded at the end of a step, in place of ending the
/// process.
#pragma once

#include <array>
#include <csignal>
#include <cstddef>

namespace squall {

/// Heeds SIGINT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 as long as it lives, but for those that the
/// process was started to ignore (nohup). One of the first three ends the process as ever if the same
/// one came more than a second before: batch systems and launchers may both pass one signal on, and
/// send a gentler one as a warning. One object at a time.
class StopSignals {
  public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals &) = delete;
    StopSignals &operator=(const StopSignals &) = delete;

    /// The number of the signal that came first to this process; 0: none came.
    static int received();

    static constexpr std::array<int, 5> heeded = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

  private:
    std::array<struct sigaction, heeded.size()> previous_{};
};

/// "SIGTERM"
const char *signal_name(int number);

} // namespace squall
