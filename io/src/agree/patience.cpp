#include "agree/patience.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include <fmt/format.h>
#include <sys/prctl.h>

namespace squall::io {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int eager_tries = 200; // a microsecond or so each
constexpr double longest_nap = 1e-3;
/// Naps are a twentieth of what has been waited: a large message that travels in parts, each of which
/// needs this rank awake, takes hardly longer, and a long wait takes no processor.
constexpr double nap_share = 0.05;

/// While it lives, this thread's naps end when they should: Linux lets each last 50 microseconds longer, in
/// which a message that travels in hundreds of parts stands still as often.
class PunctualNaps {
  public:
    PunctualNaps() { set(1); }
    ~PunctualNaps() {
        if (before_ > 0) set(static_cast<unsigned long>(before_));
    }
    PunctualNaps(const PunctualNaps &) = delete;
    PunctualNaps &operator=(const PunctualNaps &) = delete;

  private:
    static void set(unsigned long nanoseconds) { ::prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0); }
    int before_ = ::prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
};

} // namespace

void Patience::until(const std::function<bool()> &done, const std::function<std::string()> &what) const {
    for (int n = 0; n < eager_tries; ++n)
        if (done()) return;
    const PunctualNaps punctual;
    const auto start = Clock::now();
    double warn_at = watchdog_;
    double waited = 0;
    while (!done()) {
        std::this_thread::sleep_for(Seconds(std::min(nap_share * waited, longest_nap)));
        waited = Seconds(Clock::now() - start).count();
        if (timeout_ > 0 && waited > timeout_)
            throw Timeout(fmt::format(
                "rank {} gave up after waiting {:.0f} s for {}; see what that rank or its disk is doing",
                rank_, waited, what()));
        if (watchdog_ > 0 && waited > warn_at) {
            fmt::print(stderr, "squall io: rank {} has waited {:.0f} s for {}\n", rank_, waited, what());
            warn_at *= 2;
        }
    }
}

void Patience::wait(MPI_Request &request, const std::function<std::string()> &what) const {
    until(
        [&] {
            int done = 0;
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            return done != 0;
        },
        what);
}

} // namespace squall::io
