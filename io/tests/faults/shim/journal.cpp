#include "journal.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <mutex>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace squall::faults {
namespace {

/// Open for good; -1: none. A lock on a file keeps other processes out, the mutex other threads.
int journal() {
    static const int fd = [] {
        const char *file = std::getenv("SQUALL_FAULTS_JOURNAL");
        return file ? static_cast<int>(::syscall(SYS_openat, AT_FDCWD, file,
                                                 O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666))
                    : -1;
    }();
    return fd;
}

std::mutex &one_thread() {
    static std::mutex m;
    return m;
}

void add(const char *at, std::size_t bytes) {
    while (bytes > 0) {
        const auto n = ::syscall(SYS_write, journal(), at, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) std::abort(); // a journal with a gap would prove nothing
        at += n;
        bytes -= static_cast<std::size_t>(n);
    }
}

} // namespace

bool Turn::kept() { return journal() >= 0; }

Turn::Turn() {
    if (!kept()) return;
    one_thread().lock();
    while (::flock(journal(), LOCK_EX) != 0 && errno == EINTR) {
    }
}

Turn::~Turn() {
    if (!kept()) return;
    const int cause = errno; // of the call that this was about
    ::flock(journal(), LOCK_UN);
    one_thread().unlock();
    errno = cause;
}

void Turn::enter(std::initializer_list<std::string> words) const {
    if (!kept()) return;
    const int cause = errno;
    std::string line;
    for (const auto &word : words) line += (line.empty() ? "" : "\t") + word;
    line += '\n';
    add(line.data(), line.size());
    errno = cause;
}

void Turn::enter_write(ino_t inode, std::uint64_t offset, const iovec *pieces, int n,
                       std::size_t bytes) const {
    enter({"write", std::to_string(inode), std::to_string(offset), std::to_string(bytes)});
    for (int i = 0; i < n && bytes > 0; ++i) {
        const auto part = std::min(bytes, pieces[i].iov_len);
        add(static_cast<const char *>(pieces[i].iov_base), part);
        bytes -= part;
    }
}

} // namespace squall::faults
