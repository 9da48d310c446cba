#include "common/lead_nowhere.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace squall::io {
namespace {

bool same(const struct stat &a, const struct stat &b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

} // namespace

/// Libraries show nobody the descriptors that they write to: they are looked for among all.
void lead_nowhere(const std::string &file) {
    struct stat it {
    }, about{};
    if (::stat(file.c_str(), &it) != 0) return;
    std::error_code none; // without /proc there is nothing to be done
    for (const auto &entry : std::filesystem::directory_iterator("/proc/self/fd", none)) {
        const int fd = std::atoi(entry.path().filename().c_str());
        if (::fstat(fd, &about) != 0 || !same(it, about)) continue;
        const int memory = ::memfd_create("abandoned", MFD_CLOEXEC);
        if (memory < 0) return;
        ::dup3(memory, fd, O_CLOEXEC);
        ::close(memory);
    }
}

} // namespace squall::io
