#include "lost.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace squall::faults {
namespace {

using File = std::pair<dev_t, ino_t>;
using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

std::mutex mutex;
std::map<File, Ranges> &unsynced() {
    static auto *const all = new std::map<File, Ranges>; // as long as the process
    return *all;
}

} // namespace

void written(const struct stat &file, std::uint64_t offset, std::uint64_t bytes) {
    const std::lock_guard lock(mutex);
    unsynced()[{file.st_dev, file.st_ino}].emplace_back(offset, bytes);
}

void brought_to_disk(const struct stat &file) {
    const std::lock_guard lock(mutex);
    unsynced().erase({file.st_dev, file.st_ino});
}

void lose(int fd) {
    struct stat file {};
    if (::fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) return;
    const std::lock_guard lock(mutex);
    // A descriptor for reading may bring to disk, but not write.
    const auto name = "/proc/self/fd/" + std::to_string(fd);
    const auto own = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, name.c_str(), O_WRONLY | O_CLOEXEC));
    if (own < 0) return;
    for (const auto &[offset, bytes] : unsynced()[{file.st_dev, file.st_ino}]) {
        const auto end = std::min<std::uint64_t>(offset + bytes, static_cast<std::uint64_t>(file.st_size));
        if (end <= offset) continue;
        const std::string zeros(end - offset, '\0');
        [[maybe_unused]] const auto n = ::syscall(SYS_pwrite64, own, zeros.data(), zeros.size(), offset);
    }
    unsynced().erase({file.st_dev, file.st_ino});
    ::syscall(SYS_close, own);
}

} // namespace squall::faults
