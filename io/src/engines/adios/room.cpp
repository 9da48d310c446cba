#include "engines/adios/room.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/retried.hpp"
#include "publish/kept_open.hpp"

namespace squall::io::adios {
namespace {

std::uint64_t largest_file(const std::string &directory) {
    std::uint64_t largest = 0;
    for (const auto &entry : std::filesystem::directory_iterator(directory))
        if (entry.is_regular_file()) largest = std::max<std::uint64_t>(largest, entry.file_size());
    return largest;
}

/// Whether the process may not have files of that size; beyond that a write would end it by a signal.
bool forbidden(std::uint64_t size) {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && size > limit.rlim_cur;
}

} // namespace

int lacks_room(const std::string &directory, std::uint64_t bytes) {
    if (forbidden(largest_file(directory) + bytes)) return EFBIG;
    const auto name = directory + "/room";
    const int fd = open_new(name);
    if (fd < 0) return errno;
    ::unlink(name.c_str());
    const auto size = static_cast<off_t>(std::max<std::uint64_t>(bytes, 1));
    const int cause = retried([&] { return ::fallocate(fd, 0, 0, size); }) == 0 ? 0 : errno;
    ::close(fd);
    return cause == EOPNOTSUPP ? 0 : cause;
}

} // namespace squall::io::adios
