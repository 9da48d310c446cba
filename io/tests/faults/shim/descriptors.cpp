/// Before close, fclose, the locks of fcntl, and statfs.

#include <cerrno>
#include <cstdarg>
#include <cstdio>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "calls.hpp"
#include "journal.hpp"
#include "lost.hpp"
#include "place.hpp"

namespace squall::faults {
namespace {

/// What becomes of a descriptor that is closed: an error that close shall tell of, or 0.
int at_close(int fd, const void *caller) {
    struct stat file {};
    if (!watched(Call::close) || ::fstat(fd, &file) != 0 || !has_unsynced(file)) return 0;
    const auto path = below(fd);
    if (!path) return 0;
    const auto verdict = meet(Call::close, *path, 0, caller);
    if (verdict.deed == Deed::lose || verdict.deed == Deed::forget) {
        const Turn turn;
        lose(fd);
        let_others_tell(fd, verdict.error);
        turn.enter({"failed", std::to_string(file.st_ino)});
    }
    return verdict.deed == Deed::none || verdict.deed == Deed::forget ? 0 : verdict.error;
}

/// The result of what closes, or the error that was asked for.
template <class F> int close_through(int fd, const void *caller, F real) {
    const int error = at_close(fd, caller);
    is_new(fd);
    const int status = real();
    if (error == 0) return status;
    errno = error;
    return EOF;
}

bool is_lock(int command) {
    for (const int lock : {F_SETLK, F_SETLKW, F_GETLK, F_OFD_SETLK, F_OFD_SETLKW, F_OFD_GETLK})
        if (command == lock) return true;
    return false;
}

/// Whether it fails, with errno.
bool refuses_lock(int fd, int command, const void *caller) {
    if (!is_lock(command) || !watched(Call::lock)) return false;
    const auto path = below(fd);
    const auto verdict = path ? meet(Call::lock, *path, 0, caller) : Verdict{};
    if (verdict.deed == Deed::none) return false;
    errno = verdict.error;
    return true;
}

/// `place` says where it is. Whoever calls looks at the errno of the system's function.
template <class T, class P> int disguised(int status, P place, T *about) {
    if (status == 0 && told_file_system() && below(place))
        about->f_type = static_cast<decltype(about->f_type)>(*told_file_system());
    return status;
}

} // namespace
} // namespace squall::faults

using namespace squall::faults;

#define SQUALL_FCNTL(name)                                                                                   \
    int name(int fd, int command, ...) {                                                                     \
        va_list rest;                                                                                        \
        va_start(rest, command);                                                                             \
        void *const argument = va_arg(rest, void *);                                                         \
        va_end(rest);                                                                                        \
        if (refuses_lock(fd, command, SQUALL_CALLER)) return -1;                                             \
        return SQUALL_NEXT(name)(fd, command, argument);                                                     \
    }
#define SQUALL_STATFS(name)                                                                                  \
    int name(const char *path, struct name *about) noexcept {                                                \
        const int status = SQUALL_NEXT(name)(path, about);                                                   \
        return disguised(status, path, about);                                                               \
    }
#define SQUALL_FSTATFS(name, type)                                                                           \
    int name(int fd, struct type *about) noexcept {                                                          \
        const int status = SQUALL_NEXT(name)(fd, about);                                                     \
        return disguised(status, fd, about);                                                                 \
    }

extern "C" {

int close(int fd) {
    return close_through(fd, SQUALL_CALLER, [&] { return SQUALL_NEXT(close)(fd); });
}

/// What it still holds is written first: that is no call of its own here.
int fclose(FILE *file) {
    const int fd = ::fileno(file);
    if (watched(Call::close)) ::fflush(file);
    return close_through(fd, SQUALL_CALLER, [&] { return SQUALL_NEXT(fclose)(file); });
}

SQUALL_FCNTL(fcntl)
SQUALL_FCNTL(fcntl64)
SQUALL_STATFS(statfs)
SQUALL_STATFS(statfs64)
SQUALL_FSTATFS(fstatfs, statfs)
SQUALL_FSTATFS(fstatfs64, statfs64)
}
