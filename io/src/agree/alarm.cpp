#include "agree/alarm.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <mpi.h>

namespace squall::io {
namespace {

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// How often the watching thread looks, at most a tenth of the time that it grants: calls are many and
/// short, and cost it nothing.
double period(const Patience &p) {
    const double shortest = p.timeout() > 0 && p.watchdog() > 0 ? std::min(p.timeout(), p.watchdog())
                                                                : std::max(p.timeout(), p.watchdog());
    return std::clamp(shortest / 10, 0.01, 1.0);
}

} // namespace

Alarm::~Alarm() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    stopped_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Alarm::set(const std::string &doing) {
    if (patience_.watchdog() <= 0 && patience_.timeout() <= 0) return;
    const std::lock_guard lock(mutex_);
    doing_ = doing;
    since_ = seconds();
    warn_at_ = patience_.watchdog();
    if (!thread_.joinable()) thread_ = std::thread([this] { watch(); });
}

void Alarm::clear() {
    const std::lock_guard lock(mutex_);
    doing_.clear();
}

void Alarm::watch() {
    using Nap = std::chrono::duration<double>;
    const Nap nap(period(patience_));
    // At the deadline it looks at once: who waits for this rank gives up then, and does not know why.
    const auto next = [&] {
        const double left = since_ + patience_.timeout() - seconds();
        return doing_.empty() || patience_.timeout() <= 0 ? nap : std::clamp(Nap(left), Nap(0.001), nap);
    };
    std::unique_lock lock(mutex_);
    for (double looked = seconds(); !stopped_.wait_for(lock, next(), [this] { return stop_; });) {
        const double slept = seconds() - std::exchange(looked, seconds());
        if (doing_.empty()) continue;
        if (patience_.timeout() > 0 && slept > nap.count() + patience_.timeout() / 2) {
            fmt::print(
                stderr,
                "squall io: rank {} was suspended for {:.1f} s, and other ranks may take it for lost\n",
                patience_.rank(), slept);
            since_ += slept; // it has not waited in that time
        }
        const double waited = seconds() - since_;
        if (patience_.timeout() > 0 && waited > patience_.timeout()) {
            fmt::print(stderr,
                       "squall io: rank {} gave up after waiting {:.0f} s for {}; a rank that does not print "
                       "this is missing: see what it or its disk is doing. A library call cannot be "
                       "interrupted: the job ends\n",
                       patience_.rank(), waited, doing_);
            std::fflush(stderr);
            // The others say so, too, and whoever waits outside of the library says why he does not come.
            std::this_thread::sleep_for(std::chrono::duration<double>(patience_.timeout() / 4));
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        if (warn_at_ > 0 && waited > warn_at_) {
            fmt::print(stderr, "squall io: rank {} has waited {:.0f} s for {}\n", patience_.rank(), waited,
                       doing_);
            warn_at_ *= 2;
        }
    }
}

} // namespace squall::io
