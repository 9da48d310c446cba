/// Before malloc and its kin and mmap of memory without a file: the ones that ask for much.

#include <cerrno>
#include <cstdlib>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "calls.hpp"
#include "place.hpp"

namespace squall::faults {
namespace {

bool granted(std::size_t bytes, const void *caller) {
    if (bytes <= memory_above()) return true;
    const auto verdict = meet(Call::memory, "", bytes, caller);
    if (verdict.deed == Deed::none) return true;
    errno = verdict.error;
    return false;
}

/// dlsym would ask for memory before the first memory there is; glibc has its own under these names.
extern "C" void *__libc_malloc(size_t);
extern "C" void *__libc_calloc(size_t, size_t);
extern "C" void *__libc_realloc(void *, size_t);
extern "C" void *__libc_memalign(size_t, size_t);

/// A file in memory (memfd) is memory, whatever the system calls it.
bool is_file(int fd) {
    if (fd < 0) return false;
    char name[16] = {};
    const auto link = "/proc/self/fd/" + std::to_string(fd);
    const auto n = ::readlink(link.c_str(), name, sizeof name - 1);
    return n < 0 || !std::string(name).starts_with("/memfd:");
}

} // namespace
} // namespace squall::faults

using namespace squall::faults;

extern "C" {

void *malloc(size_t bytes) noexcept { return granted(bytes, SQUALL_CALLER) ? __libc_malloc(bytes) : nullptr; }

void *calloc(size_t n, size_t bytes) noexcept {
    size_t all = 0;
    if (!__builtin_mul_overflow(n, bytes, &all) && !granted(all, SQUALL_CALLER)) return nullptr;
    return __libc_calloc(n, bytes);
}

void *realloc(void *old, size_t bytes) noexcept {
    return granted(bytes, SQUALL_CALLER) ? __libc_realloc(old, bytes) : nullptr;
}

void *aligned_alloc(size_t alignment, size_t bytes) noexcept {
    return granted(bytes, SQUALL_CALLER) ? __libc_memalign(alignment, bytes) : nullptr;
}

int posix_memalign(void **place, size_t alignment, size_t bytes) noexcept {
    if (!granted(bytes, SQUALL_CALLER)) return ENOMEM;
    void *at = __libc_memalign(alignment, bytes);
    if (!at) return ENOMEM;
    *place = at;
    return 0;
}

void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset) noexcept {
    if (bytes > memory_above() && !is_file(fd) && !granted(bytes, SQUALL_CALLER)) return MAP_FAILED;
    return reinterpret_cast<void *>(::syscall(SYS_mmap, at, bytes, protection, flags, fd, offset));
}

void *mmap64(void *at, size_t bytes, int protection, int flags, int fd, off64_t offset) noexcept {
    if (bytes > memory_above() && !is_file(fd) && !granted(bytes, SQUALL_CALLER)) return MAP_FAILED;
    return reinterpret_cast<void *>(::syscall(SYS_mmap, at, bytes, protection, flags, fd, offset));
}
}
