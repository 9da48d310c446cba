#include "patience.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include <fmt/format.h>

#include "squall/io.hpp"

namespace squall::io {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int eager_tries = 200; // a microsecond or so each
constexpr auto shortest = std::chrono::microseconds(20), longest = std::chrono::microseconds(1000);

} // namespace

void Patience::until(const std::function<bool()> &done, const std::function<std::string()> &what) const {
    for (int n = 0; n < eager_tries; ++n)
        if (done()) return;
    const auto start = Clock::now();
    double warn_at = watchdog_;
    auto nap = shortest;
    while (!done()) {
        std::this_thread::sleep_for(nap);
        nap = std::min(nap * 5 / 4, longest);
        const double waited = Seconds(Clock::now() - start).count();
        if (timeout_ > 0 && waited > timeout_)
            throw Error(
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
