#include "engines/sst/relay_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "common/clock.hpp"
#include "common/retried.hpp"
#include "declare/layout.hpp"

namespace squall::io::sst {
namespace fs = std::filesystem;
namespace {

constexpr auto program_name = "squall-relay";

/// The program: $SQUALL_RELAY, beside this library, or where programs are installed beside libraries.
std::string program() {
    if (const char *named = std::getenv("SQUALL_RELAY")) return named;
    Dl_info here{};
    ::dladdr(reinterpret_cast<const void *>(&program), &here);
    const auto folder = fs::absolute(here.dli_fname ? here.dli_fname : "").parent_path();
    std::vector<std::string> looked;
    for (const char *way : {".", "../bin", "../../bin"}) { // lib, or lib/x86_64-linux-gnu
        looked.push_back((folder / way / program_name).lexically_normal().string());
        if (::access(looked.back().c_str(), X_OK) == 0) return looked.back();
    }
    throw Error(fmt::format("the program {}, which serves consumers, was not found; looked for: {}. Install "
                            "it, or set the variable SQUALL_RELAY to it",
                            program_name, list(looked)));
}

/// In a session of its own, so that a terminal's signals do not come to it.
pid_t start(const std::string &program, int socket) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    auto name = program, argument = std::to_string(socket);
    std::array<char *, 3> words{name.data(), argument.data(), nullptr};
    pid_t process = -1;
    const int problem = ::posix_spawn(&process, name.c_str(), &actions, &attributes, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (problem != 0) throw Error(fmt::format("starting {}: {}", program, std::strerror(problem)));
    return process;
}

} // namespace

RelayProcess::RelayProcess() : since_(steady_now()) {
    const auto name = program();
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw Error(fmt::format("connecting to {}: {}", name, std::strerror(errno)));
    const int theirs = ::dup(ends[1]); // which the program keeps
    ::close(ends[1]);
    socket_ = ends[0];
    try {
        process_ = start(name, theirs);
    } catch (...) {
        ::close(theirs);
        ::close(socket_);
        throw;
    }
    ::close(theirs);
}

RelayProcess::~RelayProcess() {
    ::close(socket_);
    if (reaped_) return;
    ::kill(process_, SIGKILL);
    retried([&] { return ::waitpid(process_, nullptr, 0); });
}

void RelayProcess::send(const WireMessage &message) {
    if (message.word == Word::frame) {
        if (under_way_.empty()) since_ = steady_now();
        under_way_.push_back(message.number);
    }
    lost_ |= !sst::send(socket_, message);
}

void RelayProcess::listen() {
    bool gone = false;
    while (const auto message = receive(socket_, false, gone)) {
        if (message->word == Word::opened) opened_ = true, since_ = steady_now();
        if (message->word == Word::failed) why_ = message->text;
        if (message->word != Word::taken) continue;
        took_any_ = true;
        std::erase(under_way_, message->number);
        since_ = steady_now();
    }
    lost_ |= gone;
}

double RelayProcess::busy() const { return under_way_.empty() ? 0 : steady_now() - since_; }

void RelayProcess::say_goodbye(double seconds) {
    said_goodbye_ = true;
    sst::send(socket_, {Word::bye, static_cast<std::int64_t>(1000 * seconds)});
}

bool RelayProcess::ended(double seconds) {
    for (const double until = steady_now() + seconds;;) {
        if (!reaped_ && retried([&] { return ::waitpid(process_, nullptr, WNOHANG); }) != 0) reaped_ = true;
        if (reaped_ || steady_now() >= until) return reaped_;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

} // namespace squall::io::sst
