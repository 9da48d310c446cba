#include "common/process.hpp"

#include <cerrno>
#include <fstream>
#include <string>
#include <utility>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

namespace squall::io {

Process::Process(std::int64_t number) : number_(number) {
#ifdef SYS_pidfd_open
    fd_ = static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(number), 0U));
#endif
}

Process::Process(Process &&other) noexcept : number_(other.number_), fd_(std::exchange(other.fd_, -1)) {}

Process::~Process() {
    if (fd_ >= 0) ::close(fd_);
}

bool Process::ended() const {
    if (fd_ >= 0) { // readable once the process has ended, as a zombie too
        pollfd asked{fd_, POLLIN, 0};
        return ::poll(&asked, 1, 0) == 1 && (asked.revents & POLLIN) != 0;
    }
    std::ifstream in(fmt::format("/proc/{}/stat", number_));
    std::string line;
    if (!std::getline(in, line)) return true;
    const auto name_ends = line.rfind(')'); // the name may hold anything
    const char state = name_ends + 2 < line.size() ? line[name_ends + 2] : 'X';
    return state == 'Z' || state == 'X';
}

} // namespace squall::io
