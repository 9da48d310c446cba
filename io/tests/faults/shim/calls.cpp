#include "calls.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>

#include <dlfcn.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "place.hpp"

namespace squall::faults {
namespace {

constexpr std::size_t kinds = static_cast<std::size_t>(Call::collective) + 1;

struct Counted {
    Rule rule;
    std::atomic<std::uint64_t> calls = 0;
};

/// The rules of this process.
struct Schedule {
    std::vector<std::unique_ptr<Counted>> rules;
    std::array<bool, kinds> watched{};
    std::atomic<std::uint64_t> *room = nullptr; ///< bytes in files below the directory, of all ranks
    std::uint64_t quota = 0;
    std::optional<long> file_system;
};

/// Shared by all ranks through a file; alone a process counts for itself.
std::atomic<std::uint64_t> *shared_counter() {
    static std::atomic<std::uint64_t> own = 0;
    const char *file = std::getenv("SQUALL_FAULTS_QUOTA_FILE");
    if (!file) return &own;
    const auto fd =
        static_cast<int>(::syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (fd < 0 || ::syscall(SYS_ftruncate, fd, sizeof own) != 0) return &own;
    void *at = reinterpret_cast<void *>(
        ::syscall(SYS_mmap, nullptr, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    ::syscall(SYS_close, fd);
    return at == MAP_FAILED ? &own : static_cast<std::atomic<std::uint64_t> *>(at);
}

std::atomic<std::size_t> smallest_memory = 0; ///< 0: no rule

Schedule *read_schedule() {
    const char *text = std::getenv("SQUALL_FAULTS");
    auto *schedule = new Schedule; // lives as long as the process: others call to its very end
    try {
        const auto parsed = parse_rules(text ? text : "");
        for (const auto &rule : parsed.rules) {
            if (rule.rank && *rule.rank != rank()) continue;
            auto counted = std::make_unique<Counted>();
            counted->rule = rule;
            schedule->watched[static_cast<std::size_t>(rule.call)] = true;
            if (rule.call == Call::memory)
                smallest_memory =
                    smallest_memory == 0 ? rule.above : std::min<std::size_t>(smallest_memory, rule.above);
            schedule->rules.push_back(std::move(counted));
        }
        schedule->file_system = parsed.file_system;
        if (parsed.quota) {
            schedule->quota = *parsed.quota;
            schedule->room = shared_counter();
        }
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
        std::_Exit(2);
    }
    return schedule;
}

Schedule &schedule() {
    static Schedule *const s = read_schedule();
    return *s;
}

/// Before main, so that requests for memory are counted from there on.
[[gnu::constructor]] void read_early() { schedule(); }

bool comes_from(const std::string &part, const void *caller) {
    if (part == "*") return true;
    Dl_info info{};
    if (::dladdr(caller, &info) == 0 || !info.dli_fname) return false;
    const char *slash = std::strrchr(info.dli_fname, '/');
    return std::strstr(slash ? slash + 1 : info.dli_fname, part.c_str()) != nullptr;
}

bool fits(const Rule &rule, Call call, const std::string &path, std::size_t bytes, const void *caller) {
    return rule.call == call && (rule.above == 0 || bytes > rule.above) &&
           ::fnmatch(rule.path.c_str(), path.c_str(), 0) == 0 && comes_from(rule.from, caller);
}

Verdict act(const Rule &rule, Call call, const std::string &path, std::uint64_t number) {
    say("SQUALL_FAULTS_LOG", "rank " + std::to_string(rank()) + ": call=" + name_of(call) + " number " +
                                 std::to_string(number) + " " + path + ": " + name_of(rule.deed));
    switch (rule.deed) {
    case Deed::delay:
        std::this_thread::sleep_for(std::chrono::duration<double>(rule.seconds));
        return {};
    case Deed::kill:
        ::kill(::getpid(), SIGKILL);
        ::pause();
        return {};
    case Deed::stop:
        ::kill(::getpid(), SIGSTOP);
        return {};
    default:
        return {rule.deed, rule.error};
    }
}

} // namespace

Verdict meet(Call call, const std::string &path, std::size_t bytes, const void *caller) {
    Verdict verdict;
    for (const auto &counted : schedule().rules) {
        const auto &rule = counted->rule;
        if (!fits(rule, call, path, bytes, caller)) continue;
        const auto number = ++counted->calls;
        const bool due = number >= rule.nth && (!rule.times || number < rule.nth + *rule.times);
        if (due && verdict.deed == Deed::none) verdict = act(rule, call, path, number);
    }
    return verdict;
}

bool watched(Call call) { return schedule().watched[static_cast<std::size_t>(call)]; }

std::size_t memory_above() {
    const auto smallest = smallest_memory.load(std::memory_order_relaxed);
    return smallest == 0 ? std::numeric_limits<std::size_t>::max() : smallest;
}

bool has_quota() { return schedule().room != nullptr; }

std::optional<long> told_file_system() { return schedule().file_system; }

std::size_t take_room(std::size_t bytes) {
    auto &s = schedule();
    auto used = s.room->load();
    std::size_t granted = 0;
    do {
        granted = std::min<std::size_t>(bytes, used >= s.quota ? 0 : s.quota - used);
    } while (!s.room->compare_exchange_weak(used, used + granted));
    return granted;
}

void give_room(std::size_t bytes) {
    auto &room = *schedule().room;
    auto used = room.load();
    // What was there before the run was never counted.
    while (!room.compare_exchange_weak(used, used - std::min<std::uint64_t>(used, bytes))) {
    }
}

} // namespace squall::faults
