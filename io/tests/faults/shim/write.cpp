/// Before write, pwrite, writev, pwritev, fsync, fdatasync, syncfs.

#include <cerrno>
#include <climits>
#include <cstdint>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "calls.hpp"
#include "journal.hpp"
#include "lost.hpp"
#include "place.hpp"

namespace squall::faults {
namespace {

constexpr off64_t at_position = -1;

/// The pieces, or their first `bytes` bytes.
std::vector<iovec> first_bytes(const iovec *pieces, int n, std::size_t bytes) {
    std::vector<iovec> cut;
    for (int i = 0; i < n && bytes > 0; ++i) {
        cut.push_back({pieces[i].iov_base, std::min(bytes, pieces[i].iov_len)});
        bytes -= cut.back().iov_len;
    }
    return cut;
}

/// Where the next byte goes.
std::uint64_t place_of(int fd, off64_t at, const struct stat &file) {
    if (at != at_position) return static_cast<std::uint64_t>(at);
    if (::fcntl(fd, F_GETFL) & O_APPEND) return static_cast<std::uint64_t>(file.st_size);
    return static_cast<std::uint64_t>(::lseek64(fd, 0, SEEK_CUR));
}

ssize_t really(int fd, const iovec *pieces, int n, off64_t at) {
    return at == at_position ? SQUALL_NEXT(writev)(fd, pieces, n) : SQUALL_NEXT(pwritev64)(fd, pieces, n, at);
}

/// Of the bytes that a write would add to a file, those that the quota has no room for are cut off.
std::size_t within_quota(const struct stat &file, std::uint64_t place, std::size_t bytes) {
    const auto size = static_cast<std::uint64_t>(file.st_size);
    if (!has_quota() || place + bytes <= size) return bytes;
    const auto more = place + bytes - std::max(size, place);
    return bytes - more + take_room(more);
}

ssize_t put(int fd, const iovec *pieces, int n, off64_t at, const void *caller) {
    if (!watched(Call::write) && !watched(Call::fsync) && !watched(Call::close) && !has_quota() &&
        !Turn::kept())
        return really(fd, pieces, n, at);
    const auto path = below(fd);
    if (!path) return really(fd, pieces, n, at);
    std::size_t bytes = 0;
    for (int i = 0; i < n; ++i) bytes += pieces[i].iov_len;
    const auto verdict = meet(Call::write, *path, bytes, caller);
    if (verdict.deed == Deed::fail) {
        errno = verdict.error;
        return -1;
    }
    const Turn turn;
    struct stat file {};
    ::fstat(fd, &file);
    const auto place = place_of(fd, at, file);
    auto most = verdict.deed == Deed::cut && bytes > 1 ? bytes / 2 : bytes;
    most = within_quota(file, place, most);
    if (most == 0 && bytes > 0) {
        errno = ENOSPC;
        return -1;
    }
    const auto cut = first_bytes(pieces, n, most);
    const auto done =
        most == bytes ? really(fd, pieces, n, at) : really(fd, cut.data(), static_cast<int>(cut.size()), at);
    if (done <= 0) return done;
    written(file, place, static_cast<std::uint64_t>(done));
    if (Turn::kept()) turn.enter_write(file.st_ino, place, pieces, n, static_cast<std::size_t>(done));
    return done;
}

template <class F> int sync(int fd, const void *caller, F real) {
    const auto path = below(fd);
    if (!path) return real(fd);
    auto verdict = meet(Call::fsync, *path, 0, caller);
    if (verdict.deed == Deed::pretend) return 0;
    if (const int error = told_by_fsync(fd); error != 0 && verdict.deed == Deed::none)
        verdict = {Deed::fail, error};
    const Turn turn;
    struct stat file {};
    ::fstat(fd, &file);
    const auto inode = std::to_string(file.st_ino);
    if (verdict.deed == Deed::fail || verdict.deed == Deed::lose) {
        if (verdict.deed == Deed::lose) lose(fd);
        turn.enter({"failed", inode});
        errno = verdict.error;
        return -1;
    }
    const int status = real(fd);
    if (status == 0) brought_to_disk(file);
    if (S_ISDIR(file.st_mode))
        turn.enter({"syncdir", *path});
    else
        turn.enter({status == 0 ? "fsync" : "failed", inode});
    return status;
}

} // namespace
} // namespace squall::faults

using squall::faults::at_position;
using squall::faults::put;

extern "C" {

ssize_t write(int fd, const void *data, size_t bytes) {
    const iovec piece{const_cast<void *>(data), bytes};
    return put(fd, &piece, 1, at_position, SQUALL_CALLER);
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t at) {
    const iovec piece{const_cast<void *>(data), bytes};
    return put(fd, &piece, 1, at, SQUALL_CALLER);
}

ssize_t pwrite64(int fd, const void *data, size_t bytes, off64_t at) {
    const iovec piece{const_cast<void *>(data), bytes};
    return put(fd, &piece, 1, at, SQUALL_CALLER);
}

ssize_t writev(int fd, const iovec *pieces, int n) { return put(fd, pieces, n, at_position, SQUALL_CALLER); }

ssize_t pwritev(int fd, const iovec *pieces, int n, off_t at) {
    return put(fd, pieces, n, at, SQUALL_CALLER);
}

ssize_t pwritev64(int fd, const iovec *pieces, int n, off64_t at) {
    return put(fd, pieces, n, at, SQUALL_CALLER);
}

int fsync(int fd) {
    return squall::faults::sync(fd, SQUALL_CALLER, [](int f) { return SQUALL_NEXT(fsync)(f); });
}

int fdatasync(int fd) {
    return squall::faults::sync(fd, SQUALL_CALLER, [](int f) { return SQUALL_NEXT(fdatasync)(f); });
}

int syncfs(int fd) noexcept {
    const auto path = squall::faults::below(fd);
    if (!path) return SQUALL_NEXT(syncfs)(fd);
    using namespace squall::faults;
    auto verdict = meet(Call::fsync, *path, 0, SQUALL_CALLER);
    if (verdict.deed == Deed::none) verdict = meet(Call::syncfs, *path, 0, SQUALL_CALLER);
    if (verdict.deed == Deed::pretend) return 0;
    if (verdict.deed == Deed::none) verdict.error = told_by_syncfs(fd);
    if (verdict.deed != Deed::none || verdict.error != 0) {
        errno = verdict.error;
        return -1;
    }
    const squall::faults::Turn turn;
    const int status = SQUALL_NEXT(syncfs)(fd);
    if (status == 0) turn.enter({"syncfs"});
    return status;
}
}
