#include "lost.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace squall::faults {
namespace {

using File = std::pair<dev_t, ino_t>;
using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

std::mutex mutex;
std::atomic<bool> any_tells = false;
std::map<File, Ranges> &unsynced() {
    static auto *const all = new std::map<File, Ranges>; // as long as the process
    return *all;
}

/// What is to be told by descriptors.
struct Telling {
    std::map<int, int> fsync, syncfs;
};
Telling &telling() {
    static auto *const all = new Telling;
    return *all;
}

std::vector<int> open_descriptors() {
    std::vector<int> all;
    DIR *list = ::opendir("/proc/self/fd");
    if (!list) return all;
    while (const auto *entry = ::readdir(list))
        if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != ::dirfd(list))
            all.push_back(std::atoi(entry->d_name));
    ::closedir(list);
    return all;
}

int taken(std::map<int, int> &errors, int fd) {
    if (!any_tells) return 0;
    const std::lock_guard lock(mutex);
    const auto found = errors.find(fd);
    if (found == errors.end()) return 0;
    const int error = found->second;
    errors.erase(found);
    return error;
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

bool has_unsynced(const struct stat &file) {
    const std::lock_guard lock(mutex);
    return unsynced().contains({file.st_dev, file.st_ino});
}

void let_others_tell(int fd, int error) {
    struct stat lost {
    }, other{};
    if (::fstat(fd, &lost) != 0) return;
    const auto all = open_descriptors();
    const std::lock_guard lock(mutex);
    any_tells = true;
    for (const int d : all) {
        if (d == fd || ::fstat(d, &other) != 0 || other.st_dev != lost.st_dev) continue;
        telling().syncfs[d] = error;
        if (other.st_ino == lost.st_ino) telling().fsync[d] = error;
    }
}

int told_by_fsync(int fd) { return taken(telling().fsync, fd); }
int told_by_syncfs(int fd) { return taken(telling().syncfs, fd); }

void is_new(int fd) {
    if (!any_tells) return;
    const std::lock_guard lock(mutex);
    telling().fsync.erase(fd);
    telling().syncfs.erase(fd);
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
