#include "publish/kept_open.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "common/retried.hpp"
#include "publish/publish.hpp"
#include "squall/io.hpp"

namespace squall::io {

KeptOpen::KeptOpen(std::string path)
    : path_(std::move(path)),
      fd_(retried([this] { return ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW); })) {
    if (fd_ < 0) throw Error(fmt::format("opening {}: {}", path_, std::strerror(errno)));
}

KeptOpen::~KeptOpen() {
    if (fd_ >= 0) ::close(fd_);
}

void KeptOpen::bring_to_disk() {
    if (lost_.empty() && fd_ >= 0) try {
            io::bring_to_disk(fd_, path_);
        } catch (const std::exception &e) {
            lost_ = e.what();
        }
    if (!lost_.empty()) throw Error(lost_);
}

int open_new(const std::string &path, int flags) {
    const auto open = [&] {
        return retried(
            [&] { return ::open(path.c_str(), flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666); });
    };
    int fd = open();
    if (fd >= 0 || errno != EEXIST) return fd;
    if (::unlink(path.c_str()) == 0 || errno == ENOENT) fd = open();
    return fd;
}

KeptOpen write_new(const std::string &path, const std::string &text) {
    const auto fail = [&](const char *doing) {
        throw Error(fmt::format("{} {}: {}", doing, path, std::strerror(errno)));
    };
    KeptOpen file(path, open_new(path));
    if (file.fd_ < 0) fail("creating");
    for (std::size_t done = 0; done < text.size();) {
        const auto n = retried([&] { return ::write(file.fd_, text.data() + done, text.size() - done); });
        if (n < 0) fail("writing");
        done += static_cast<std::size_t>(n);
    }
    return file;
}

bool KeptOpen::loses(const std::string &fault) {
    try {
        bring_to_disk();
    } catch (const std::exception &e) {
        lost_ = fmt::format("{}; {}", fault, e.what());
    }
    return is_lost();
}

} // namespace squall::io
