#include "run/stop_signals.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <ctime>

#include <unistd.h>

namespace squall {
namespace {

constexpr std::int64_t echo = 1'000'000'000; ///< the same signal again so soon is the first one's echo [ns]

// A handler reaches nothing but globals, and of them only what is free of locks.
std::atomic<int> first_signal{0};
std::array<std::atomic<std::int64_t>, NSIG> came_at{};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);

/// Never 0.
std::int64_t now() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1'000'000'000 + t.tv_nsec + 1;
}

extern "C" void heed(int number) {
    int none = 0;
    first_signal.compare_exchange_strong(none, number);
    std::int64_t before = 0;
    auto &at = came_at[static_cast<std::size_t>(number)];
    const std::int64_t t = now();
    const bool again = !at.compare_exchange_strong(before, t) && t - before > echo;
    const bool may_end = number == SIGINT || number == SIGTERM || number == SIGHUP;
    if (!again || !may_end) return;
    std::signal(number, SIG_DFL);
    std::raise(number); // delivered when this handler returns
}

} // namespace

StopSignals::StopSignals() {
    first_signal = 0;
    for (auto &at : came_at) at = 0;
    struct sigaction action {};
    action.sa_handler = heed;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (std::size_t n = 0; n < heeded.size(); ++n) {
        sigaction(heeded[n], nullptr, &previous_[n]);
        if (previous_[n].sa_handler != SIG_IGN) sigaction(heeded[n], &action, nullptr);
    }
}

StopSignals::~StopSignals() {
    for (std::size_t n = 0; n < heeded.size(); ++n) sigaction(heeded[n], &previous_[n], nullptr);
}

int StopSignals::received() { return first_signal; }

const char *signal_name(int number) {
    switch (number) {
    case SIGINT:
        return "SIGINT";
    case SIGTERM:
        return "SIGTERM";
    case SIGHUP:
        return "SIGHUP";
    case SIGUSR1:
        return "SIGUSR1";
    case SIGUSR2:
        return "SIGUSR2";
    default:
        return "a signal";
    }
}

} // namespace squall
