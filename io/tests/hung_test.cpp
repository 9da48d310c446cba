#include "hung_test.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <mpi.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace squall::test {
namespace {

using namespace std::chrono_literals;

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(thread_sanitizer)
constexpr auto limit = 200s;
#else
constexpr auto limit = 80s; // of tests that take seconds; less than ctest grants them all
#endif

constexpr int deepest = 64;
void *frames[deepest];
std::atomic<int> depth;

/// Runs on the thread that is asked.
void note_frames(int) { depth = ::backtrace(frames, deepest); }

std::string name_of(void *address) {
    Dl_info info{};
    if (::dladdr(address, &info) == 0) return fmt::format("{}", address);
    if (!info.dli_sname)
        return fmt::format("{} + {:#x}", info.dli_fname ? info.dli_fname : "?",
                           static_cast<char *>(address) - static_cast<char *>(info.dli_fbase));
    const std::unique_ptr<char, decltype(&std::free)> plain(
        abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, nullptr), &std::free);
    return plain ? plain.get() : info.dli_sname;
}

std::string stack_of(int thread) {
    depth = -1;
    ::syscall(SYS_tgkill, ::getpid(), thread, SIGUSR1);
    for (int n = 0; n < 200 && depth < 0; ++n) std::this_thread::sleep_for(10ms);
    if (depth < 0) return "    it does not answer: the kernel is at work for it\n";
    std::string text;
    for (int n = 0; n < depth; ++n) text += fmt::format("    {}\n", name_of(frames[n]));
    return text;
}

} // namespace

HungTest::HungTest(int rank) : rank_(rank), thread_([this] { watch(); }) {}

HungTest::~HungTest() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void HungTest::expect(std::string what) {
    {
        const std::lock_guard lock(mutex_);
        what_ = std::move(what);
        news_ = true;
    }
    changed_.notify_one();
}

void HungTest::watch() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
        news_ = false;
        const bool news = changed_.wait_for(lock, limit, [this] { return news_ || stop_; });
        if (news || what_.empty()) continue;
        tell();
        std::this_thread::sleep_for(5s); // others have something to say, too
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

void HungTest::tell() const {
    std::signal(SIGUSR1, note_frames);
    std::string text = fmt::format("rank {}: {} has not ended within {} s\n", rank_, what_, limit.count());
    const auto self = static_cast<int>(::gettid());
    for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
        const int thread = std::stoi(task.path().filename().string());
        if (thread != self) text += fmt::format("  thread {}\n{}", thread, stack_of(thread));
    }
    std::cerr << text << std::flush;
}

} // namespace squall::test
