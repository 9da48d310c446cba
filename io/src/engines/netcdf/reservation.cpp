#include "engines/netcdf/reservation.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>

#include "common/retried.hpp"

namespace squall::io::netcdf {
namespace {

[[noreturn]] void no_room(std::int64_t bytes, int cause) {
    throw Error(fmt::format("no space for a frame of {:.1f} MB: {}; free space on the disk",
                            static_cast<double>(bytes) / 1e6, std::strerror(cause)));
}

} // namespace

std::int64_t bytes_of_frame(const Layout &layout) {
    std::int64_t bytes = 0;
    for (const auto &f : layout.fields) bytes += f.bytes() + 8; // padding
    return bytes;
}

void Reservation::reserve(std::int64_t bytes) {
    std::error_code problem;
    const auto size = std::filesystem::file_size(file_, problem);
    if (problem) return; // whoever writes will say why
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && size + static_cast<rlim_t>(bytes) > limit.rlim_cur)
        no_room(bytes, EFBIG);
    const int fd = retried([&] { return ::open(file_.c_str(), O_WRONLY | O_CLOEXEC); });
    if (fd < 0) return;
    const int status =
        retried([&] { return ::fallocate(fd, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(size), bytes); });
    const int cause = errno;
    ::close(fd);
    if (status == 0)
        any_ = true;
    else if (cause == ENOSPC || cause == EDQUOT || cause == EFBIG) // others: it cannot be done here
        no_room(bytes, cause);
}

void require_room(const std::string &file, std::int64_t bytes) {
    const int fd =
        retried([&] { return ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); });
    if (fd < 0) return; // whoever writes will say why
    ::close(fd);
    try {
        Reservation(file).reserve(bytes);
    } catch (const Error &) {
        ::unlink(file.c_str());
        throw;
    }
    ::unlink(file.c_str());
}

void Reservation::give_back() {
    if (!any_) return;
    std::error_code ignored;
    const auto size = std::filesystem::file_size(file_, ignored);
    if (!ignored) std::filesystem::resize_file(file_, size, ignored); // frees what lies beyond
}

} // namespace squall::io::netcdf
