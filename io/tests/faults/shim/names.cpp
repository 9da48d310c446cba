/// Before the functions that make, name and remove files: open for writing, rename, unlink, mkdir,
/// truncate, allocate.

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calls.hpp"
#include "journal.hpp"
#include "lost.hpp"
#include "place.hpp"

namespace squall::faults {
namespace {

/// Meets the rules; false: the call fails, errno is set.
bool passes(Call call, const std::string &path, const void *caller) {
    const auto verdict = meet(call, path, 0, caller);
    if (verdict.deed == Deed::none) return true;
    errno = verdict.error;
    return false;
}

void forget_bytes(off_t bytes) {
    if (has_quota() && bytes > 0) give_room(static_cast<std::size_t>(bytes));
}

/// What the call opened, entered as what has become of the file.
void enter_opened(const Turn &turn, int fd, bool existed, bool truncates, off_t size_before,
                  const std::string &path) {
    struct stat file {};
    if (fd < 0 || ::fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) return;
    if (!existed) {
        turn.enter({"create", std::to_string(file.st_ino), path});
    } else if (truncates) {
        turn.enter({"truncate", std::to_string(file.st_ino), "0"});
        forget_bytes(size_before);
    }
}

/// `real` opens and returns a descriptor.
template <class F> int open_through(int at, const char *name, int flags, const void *caller, F real) {
    const bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
    const auto path = writes ? below_at(at, name) : std::nullopt;
    if (!path) {
        const int other = real();
        is_new(other);
        return other;
    }
    if (!passes(Call::open, *path, caller)) return -1;
    const Turn turn;
    struct stat file {};
    const bool existed = ::fstatat(at, name, &file, 0) == 0;
    const int fd = real();
    is_new(fd);
    if ((flags & O_TMPFILE) != O_TMPFILE)
        enter_opened(turn, fd, existed, flags & O_TRUNC, file.st_size, *path);
    return fd;
}

int flags_of(const char *mode) {
    const bool both = std::strchr(mode, '+') != nullptr;
    if (mode[0] == 'r') return both ? O_RDWR : O_RDONLY;
    return (both ? O_RDWR : O_WRONLY) | O_CREAT | (mode[0] == 'w' ? O_TRUNC : O_APPEND);
}

template <class F> FILE *fopen_through(const char *name, const char *mode, const void *caller, F real) {
    FILE *file = nullptr;
    open_through(AT_FDCWD, name, flags_of(mode), caller, [&] {
        file = real();
        return file ? ::fileno(file) : -1;
    });
    return file;
}

mode_t mode_in(int flags, va_list rest) {
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
}

template <class F>
int rename_through(int from_at, const char *from, int to_at, const char *to, const void *caller, F real) {
    const auto source = below_at(from_at, from), target = below_at(to_at, to);
    if (!source || !target) return real();
    if (!passes(Call::rename, *target, caller)) return -1;
    const Turn turn;
    struct stat replaced {};
    const bool replaces =
        ::fstatat(to_at, to, &replaced, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(replaced.st_mode);
    const int status = real();
    if (status != 0) return status;
    turn.enter({"rename", *source, *target});
    if (replaces) forget_bytes(replaced.st_size);
    return status;
}

template <class F> int unlink_through(int at, const char *name, const void *caller, F real) {
    const auto path = below_at(at, name);
    if (!path) return real();
    if (!passes(Call::unlink, *path, caller)) return -1;
    const Turn turn;
    struct stat file {};
    const bool known = ::fstatat(at, name, &file, AT_SYMLINK_NOFOLLOW) == 0;
    const int status = real();
    if (status != 0) return status;
    turn.enter({"unlink", *path});
    if (known && S_ISREG(file.st_mode)) forget_bytes(file.st_size);
    return status;
}

template <class F> int mkdir_through(int at, const char *name, const void *caller, F real) {
    const auto path = below_at(at, name);
    if (!path) return real();
    if (!passes(Call::mkdir, *path, caller)) return -1;
    const Turn turn;
    const int status = real();
    if (status == 0) turn.enter({"mkdir", *path});
    return status;
}

/// `fd` is that of the file, or -1 and `name` says which. A file that grows by it takes room too.
template <class F> int resize_through(int fd, const char *name, off64_t size, const void *caller, F real) {
    const auto path = fd >= 0 ? below(fd) : below(name);
    if (!path) return real();
    if (!passes(Call::truncate, *path, caller)) return -1;
    const Turn turn;
    struct stat before {};
    if ((fd >= 0 ? ::fstat(fd, &before) : ::stat(name ? name : "", &before)) != 0) return real();
    const int status = real();
    if (status != 0) return status;
    turn.enter({"truncate", std::to_string(before.st_ino), std::to_string(size)});
    if (size < before.st_size) forget_bytes(before.st_size - size);
    if (has_quota() && size > before.st_size) take_room(static_cast<std::size_t>(size - before.st_size));
    return status;
}

/// Allocation beyond the end lengthens the file, unless it shall keep its size. Returns an error number.
template <class F> int allocate_through(int fd, off64_t end, bool keeps_size, const void *caller, F real) {
    const auto path = below(fd);
    if (!path) return real();
    if (const auto verdict = meet(Call::truncate, *path, 0, caller); verdict.deed != Deed::none)
        return verdict.error;
    const Turn turn;
    struct stat before {};
    ::fstat(fd, &before);
    const auto more = end > before.st_size ? static_cast<std::size_t>(end - before.st_size) : 0;
    if (has_quota() && more > 0) {
        const auto granted = take_room(more);
        if (granted < more || keeps_size) give_room(granted);
        if (granted < more) return ENOSPC;
    }
    const int error = real();
    if (error == 0 && !keeps_size && more > 0)
        turn.enter({"truncate", std::to_string(before.st_ino), std::to_string(end)});
    return error;
}

} // namespace
} // namespace squall::faults

using namespace squall::faults;

#define SQUALL_OPEN(name)                                                                                    \
    int name(const char *path, int flags, ...) {                                                             \
        va_list rest;                                                                                        \
        va_start(rest, flags);                                                                               \
        const auto mode = mode_in(flags, rest);                                                              \
        va_end(rest);                                                                                        \
        return open_through(AT_FDCWD, path, flags, SQUALL_CALLER,                                            \
                            [&] { return SQUALL_NEXT(name)(path, flags, mode); });                           \
    }
#define SQUALL_OPENAT(name)                                                                                  \
    int name(int at, const char *path, int flags, ...) {                                                     \
        va_list rest;                                                                                        \
        va_start(rest, flags);                                                                               \
        const auto mode = mode_in(flags, rest);                                                              \
        va_end(rest);                                                                                        \
        return open_through(at, path, flags, SQUALL_CALLER,                                                  \
                            [&] { return SQUALL_NEXT(name)(at, path, flags, mode); });                       \
    }
#define SQUALL_CREAT(name)                                                                                   \
    int name(const char *path, mode_t mode) {                                                                \
        return open_through(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, SQUALL_CALLER,                     \
                            [&] { return SQUALL_NEXT(name)(path, mode); });                                  \
    }
#define SQUALL_FOPEN(name)                                                                                   \
    FILE *name(const char *path, const char *mode) {                                                         \
        return fopen_through(path, mode, SQUALL_CALLER, [&] { return SQUALL_NEXT(name)(path, mode); });      \
    }
#define SQUALL_TRUNCATE(name, off)                                                                           \
    int name(const char *path, off size) noexcept {                                                          \
        return resize_through(-1, path, size, SQUALL_CALLER, [&] { return SQUALL_NEXT(name)(path, size); }); \
    }
#define SQUALL_FTRUNCATE(name, off)                                                                          \
    int name(int fd, off size) noexcept {                                                                    \
        return resize_through(fd, nullptr, size, SQUALL_CALLER,                                              \
                              [&] { return SQUALL_NEXT(name)(fd, size); });                                  \
    }
#define SQUALL_POSIX_FALLOCATE(name, off)                                                                    \
    int name(int fd, off start, off bytes) {                                                                 \
        return allocate_through(fd, start + bytes, false, SQUALL_CALLER,                                     \
                                [&] { return SQUALL_NEXT(name)(fd, start, bytes); });                        \
    }
#define SQUALL_FALLOCATE(name, off)                                                                          \
    int name(int fd, int mode, off start, off bytes) {                                                       \
        const int error =                                                                                    \
            allocate_through(fd, start + bytes, (mode & FALLOC_FL_KEEP_SIZE) != 0, SQUALL_CALLER,            \
                             [&] { return SQUALL_NEXT(name)(fd, mode, start, bytes) == 0 ? 0 : errno; });    \
        if (error == 0) return 0;                                                                            \
        errno = error;                                                                                       \
        return -1;                                                                                           \
    }

extern "C" {

SQUALL_OPEN(open)
SQUALL_OPEN(open64)
SQUALL_OPENAT(openat)
SQUALL_OPENAT(openat64)
SQUALL_CREAT(creat)
SQUALL_CREAT(creat64)
SQUALL_FOPEN(fopen)
SQUALL_FOPEN(fopen64)
SQUALL_TRUNCATE(truncate, off_t)
SQUALL_TRUNCATE(truncate64, off64_t)
SQUALL_FTRUNCATE(ftruncate, off_t)
SQUALL_FTRUNCATE(ftruncate64, off64_t)
SQUALL_POSIX_FALLOCATE(posix_fallocate, off_t)
SQUALL_POSIX_FALLOCATE(posix_fallocate64, off64_t)
SQUALL_FALLOCATE(fallocate, off_t)
SQUALL_FALLOCATE(fallocate64, off64_t)

int rename(const char *from, const char *to) noexcept {
    return rename_through(AT_FDCWD, from, AT_FDCWD, to, SQUALL_CALLER,
                          [&] { return SQUALL_NEXT(rename)(from, to); });
}

int renameat(int from_at, const char *from, int to_at, const char *to) noexcept {
    return rename_through(from_at, from, to_at, to, SQUALL_CALLER,
                          [&] { return SQUALL_NEXT(renameat)(from_at, from, to_at, to); });
}

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) noexcept {
    return rename_through(from_at, from, to_at, to, SQUALL_CALLER,
                          [&] { return SQUALL_NEXT(renameat2)(from_at, from, to_at, to, flags); });
}

int unlink(const char *path) noexcept {
    return unlink_through(AT_FDCWD, path, SQUALL_CALLER, [&] { return SQUALL_NEXT(unlink)(path); });
}

int unlinkat(int at, const char *path, int flags) noexcept {
    return unlink_through(at, path, SQUALL_CALLER, [&] { return SQUALL_NEXT(unlinkat)(at, path, flags); });
}

int rmdir(const char *path) noexcept {
    return unlink_through(AT_FDCWD, path, SQUALL_CALLER, [&] { return SQUALL_NEXT(rmdir)(path); });
}

int remove(const char *path) noexcept {
    return unlink_through(AT_FDCWD, path, SQUALL_CALLER, [&] { return SQUALL_NEXT(remove)(path); });
}

int mkdir(const char *path, mode_t mode) noexcept {
    return mkdir_through(AT_FDCWD, path, SQUALL_CALLER, [&] { return SQUALL_NEXT(mkdir)(path, mode); });
}

int mkdirat(int at, const char *path, mode_t mode) noexcept {
    return mkdir_through(at, path, SQUALL_CALLER, [&] { return SQUALL_NEXT(mkdirat)(at, path, mode); });
}
}
