#include "publish/manifest_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "common/retried.hpp"
#include "publish/kept_open.hpp"
#include "publish/publish.hpp"
#include "squall/io.hpp"

namespace squall::io {
namespace {

/// The seal: a byte that no event has, alone so that it cannot be written in two pieces.
constexpr char mark = '\x1e';

constexpr useconds_t nap = 1000; ///< microseconds between two tries to have a lock

enum class Byte : off_t { in_use = off_t(1) << 62, adding, replacing };

Byte byte_of(ManifestFile::Doing doing) {
    return doing == ManifestFile::Doing::adding ? Byte::adding : Byte::replacing;
}

struct flock lock_on(Byte byte, short type) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = static_cast<off_t>(byte);
    lock.l_len = 1;
    return lock;
}

enum class Lock {
    mine,
    theirs,
    impossible ///< the file system has none; errno says why
};

Lock set(int fd, Byte byte, short type) {
    auto lock = lock_on(byte, type);
    if (retried([&] { return ::fcntl(fd, F_OFD_SETLK, &lock); }) == 0) return Lock::mine;
    return errno == EAGAIN || errno == EACCES ? Lock::theirs : Lock::impossible;
}

/// Once for each manifest.
void warn_of_no_locks(const std::string &path, int cause) {
    static std::mutex mutex;
    static std::set<std::string> warned;
    const std::lock_guard lock(mutex);
    if (!warned.insert(path).second) return;
    fmt::print(
        stderr,
        "squall io: the manifest {} cannot be locked ({}), so `squall recover` cannot see that this run "
        "is writing it; recover nothing there before the run has ended\n",
        path, std::strerror(cause));
}

} // namespace

ManifestFile::ManifestFile(std::string path, Begin begin, double patience) : path_(std::move(path)) {
    constexpr int flags = O_RDWR | O_APPEND;
    fd_ = begin == Begin::empty ? open_new(path_, flags) : retried([&] {
        return ::open(path_.c_str(), flags | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    });
    if (fd_ < 0 && errno == ELOOP)
        throw Error(fmt::format("the manifest {} is a link; put the manifest itself there", path_));
    if (fd_ < 0) fail("opening");
    auto lock = set(fd_, Byte::in_use, F_RDLCK);
    for (double waited = 0; lock == Lock::theirs; waited += 1e-6 * nap) {
        if (waited >= patience) {
            ::close(fd_);
            throw Error(fmt::format("the manifest {}: a recovery is running on it; wait for its end", path_));
        }
        ::usleep(nap);
        lock = set(fd_, Byte::in_use, F_RDLCK);
    }
    if (lock == Lock::impossible && begin == Begin::as_it_is) warn_of_no_locks(path_, errno);
}

ManifestFile::~ManifestFile() { ::close(fd_); }

void ManifestFile::fail(const char *doing) const {
    throw Error(fmt::format("{} the manifest {}: {}", doing, path_, std::strerror(errno)));
}

ManifestFile::Turn ManifestFile::take_turn(Doing doing, double seconds, const std::string &path) {
    const auto byte = byte_of(doing);
    for (double waited = 0; set(fd_, byte, F_WRLCK) == Lock::theirs; waited += 1e-6 * nap) {
        if (!is_at(path)) return Turn::elsewhere;
        if (waited > seconds) return Turn::stuck;
        ::usleep(nap);
    }
    return is_at(path) ? Turn::mine : Turn::elsewhere;
}

void ManifestFile::end_turn(Doing doing) { set(fd_, byte_of(doing), F_UNLCK); }

bool ManifestFile::is_at(const std::string &path) const {
    struct stat mine {
    }, there{};
    return ::fstat(fd_, &mine) == 0 && ::stat(path.c_str(), &there) == 0 && mine.st_dev == there.st_dev &&
           mine.st_ino == there.st_ino;
}

std::int64_t ManifestFile::size() const {
    struct stat file {};
    if (::fstat(fd_, &file) != 0) fail("reading");
    return file.st_size;
}

std::string ManifestFile::text(std::int64_t from) const {
    std::string text(static_cast<std::size_t>(std::max<std::int64_t>(size() - from, 0)), ' ');
    for (std::size_t done = 0; done < text.size();) {
        const auto n = retried([&] {
            return ::pread(fd_, text.data() + done, text.size() - done, from + static_cast<off_t>(done));
        });
        if (n < 0) fail("reading");
        if (n == 0) text.resize(done); // cut by somebody else
        done += static_cast<std::size_t>(n);
    }
    return text;
}

std::string ManifestFile::seal() {
    if (!is_sealed() && retried([&] { return ::write(fd_, &mark, 1); }) != 1) fail("writing");
    const auto all = text();
    return all.substr(0, all.find(mark));
}

bool ManifestFile::is_sealed() {
    seen_ = std::min(seen_, size());
    const auto news = text(seen_);
    if (news.find(mark) != news.npos) return true;
    seen_ += std::ssize(news);
    return false;
}

bool ManifestFile::counts(const std::string &lines) const {
    const auto news = text(seen_);
    const auto at = news.find(mark);
    return at == news.npos || ("\n" + news.substr(0, at)).find("\n" + lines + "\n") != news.npos;
}

void ManifestFile::add(const std::string &line) {
    added_ = 0;
    const auto before = size();
    char last = '\n';
    if (before > 0 && ::pread(fd_, &last, 1, before - 1) != 1) fail("reading");
    const std::string_view apart = last == '\n' ? "" : "\n"; // from what was cut off
    const auto text = fmt::format("{}{}\n", apart, line);
    for (std::size_t done = 0; done < text.size();) {
        const auto n = retried([&] { return ::write(fd_, text.data() + done, text.size() - done); });
        if (n < 0) {
            const int cause = errno;
            // Unless others have added to it, as they can where there are no locks.
            if (size() == before + static_cast<std::int64_t>(done) && ::ftruncate(fd_, before) == 0)
                added_ = 0;
            errno = cause;
            fail("writing");
        }
        done += static_cast<std::size_t>(n);
        added_ = std::min(line.size(), done - std::min(done, apart.size()));
    }
}

void ManifestFile::bring_to_disk() const { io::bring_to_disk(fd_, path_); }

ManifestFile::Use ManifestFile::use_of(const std::string &path) {
    const int fd = retried([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); });
    if (fd < 0) return Use::no; // reading it will say why
    auto lock = lock_on(Byte::in_use, F_WRLCK);
    const bool known = retried([&] { return ::fcntl(fd, F_OFD_GETLK, &lock); }) == 0;
    ::close(fd);
    return !known ? Use::unknown : lock.l_type == F_UNLCK ? Use::no : Use::yes;
}

ManifestFile::Use ManifestFile::claim(int descriptor) {
    const auto lock = set(descriptor, Byte::in_use, F_WRLCK);
    return lock == Lock::mine ? Use::no : lock == Lock::theirs ? Use::yes : Use::unknown;
}

} // namespace squall::io
