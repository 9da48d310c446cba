#include "agree/patience.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include <fmt/format.h>

namespace squall::io {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int eager_tries = 200; // a microsecond or so each
constexpr double longest_nap = 1e-3;
/// Naps are a twentieth of what has been waited: a large message that travels in parts, each of which
/// needs this rank awake, takes hardly longer, and a long wait takes no processor.
constexpr double nap_share = 0.05;

} // namespace

void Patience::until(const std::function<bool()> &done, const std::function<std::string()> &what) const {
    for (int n = 0; n < eager_tries; ++n)
        if (done()) return;
    const auto start = Clock::now();
    double warn_at = watchdog_;
    double waited = 0;
    while (!done()) {
        std::this_thread::sleep_for(Seconds(std::min(nap_share * waited, longest_nap)));
        waited = Seconds(Clock::now() - start).count();
        if (timeout_ > 0 && waited > timeout_)
            throw Timeout(
                fmt::format("rank {} gave up after waiting {:.0f} s for {}; look at what that rank or its "
                            "disk is doing",
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
