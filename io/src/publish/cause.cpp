#include "publish/cause.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "common/retried.hpp"

namespace squall::io {
namespace {

/// What stops a write. Others come and go within libraries that look what there is.
constexpr std::array causes = {ENOSPC, EDQUOT, EIO,    EFBIG,  EROFS,  EMFILE, ENFILE,
                               EACCES, ENOLCK, ESTALE, ENODEV, ENOMEM, ENXIO};

bool says(const std::string &words, int cause) { return words.find(std::strerror(cause)) != words.npos; }

/// The error of writing some bytes to a file that is removed at once; 0: there is none.
int error_of_more(const std::filesystem::path &directory) {
    const auto name = (directory / fmt::format(".room.{}", gettid())).string();
    const int fd =
        retried([&] { return ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); });
    if (fd < 0) return errno;
    ::unlink(name.c_str());
    const std::vector<char> some(64 << 10);
    const auto written = retried([&] { return ::write(fd, some.data(), some.size()); });
    const int cause = written < 0 ? errno : written < std::ssize(some) ? ENOSPC : 0;
    static_cast<void>(::ftruncate(fd, 0));
    ::close(fd);
    return cause;
}

} // namespace

bool names_cause(const std::string &words) {
    return std::ranges::any_of(causes, [&](int cause) { return says(words, cause); });
}

std::string with_cause(const std::string &words, int last_error, const std::string &file) {
    const auto stops = [](int error) { return std::ranges::find(causes, error) != causes.end(); };
    if (!stops(last_error)) {
        if (names_cause(words)) return words;
        last_error = error_of_more(std::filesystem::absolute(file).parent_path());
    }
    if (!stops(last_error) || says(words, last_error)) return words;
    return fmt::format("{}; the system says: {}", words, std::strerror(last_error));
}

} // namespace squall::io
