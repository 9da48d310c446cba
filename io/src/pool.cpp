#include "pool.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include "squall/io.hpp"

namespace squall::io {
namespace {

[[noreturn]] void fail(const std::string &doing) {
    throw Error(fmt::format("{}: {}", doing, std::strerror(errno)));
}

} // namespace

Pool::Pool(std::size_t limit, bool shared) : limit_(limit), capacity_(rounded(limit)) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    if (shared) fd_ = memfd_create("squall_io", MFD_CLOEXEC);
    if (fd_ >= 0 && ftruncate(fd_, static_cast<off_t>(capacity_)) != 0) { // a limit on file sizes
        ::close(fd_);
        fd_ = -1;
    }
    if (fd_ >= 0) flags = MAP_SHARED | MAP_NORESERVE;
    void *base = mmap(nullptr, capacity_, PROT_READ | PROT_WRITE, flags, fd_, 0);
    if (base == MAP_FAILED) fail(fmt::format("reserving {} bytes of staging memory", capacity_));
    base_ = static_cast<std::byte *>(base);
    madvise(base_, capacity_, MADV_HUGEPAGE); // fewer page faults on the first frame, where it is allowed
}

Pool::~Pool() {
    munmap(base_, capacity_);
    if (fd_ >= 0) ::close(fd_);
}

std::byte *Pool::take(std::size_t bytes) {
    const auto size = rounded(bytes);
    const std::lock_guard lock(mutex_);
    std::byte *block = nullptr;
    if (const auto same = free_.find(size); same != free_.end()) {
        block = same->second;
        free_.erase(same);
    } else {
        if (used_ == 0) { // nothing lies in the way: start over
            free_.clear();
            fresh_ = 0;
        }
        if (fresh_ + size > capacity_) return nullptr;
        block = base_ + fresh_;
        fresh_ += size;
    }
    used_ += size;
    most_used_ = std::max(most_used_, used_);
    return block;
}

void Pool::give_back(std::byte *block, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    free_.emplace(rounded(bytes), block);
    used_ -= rounded(bytes);
}

std::size_t Pool::used() const {
    const std::lock_guard lock(mutex_);
    return used_;
}

std::size_t Pool::most_used() const {
    const std::lock_guard lock(mutex_);
    return most_used_;
}

Memory Memory::on_heap(std::size_t bytes) { return {nullptr, new std::byte[bytes], bytes}; }

Memory Memory::in_file(const std::string &directory, std::size_t bytes) {
    Memory m;
    m.bytes_ = bytes;
    m.fd_ = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (m.fd_ < 0) { // not every file system has files without a name
        auto name = directory + "/squall-spill-XXXXXX";
        m.fd_ = mkstemp(name.data());
        if (m.fd_ >= 0) unlink(name.c_str());
    }
    if (m.fd_ < 0) fail(fmt::format("making a file in spill_dir {}", directory));
    // Space is taken now: a full disk is an error here and not a signal later.
    if (const int problem = posix_fallocate(m.fd_, 0, static_cast<off_t>(bytes)); problem != 0) {
        errno = problem;
        fail(fmt::format("taking {} bytes in spill_dir {}", bytes, directory));
    }
    return m;
}

std::byte *Memory::data() {
    if (!block_ && fd_ >= 0) {
        void *at = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
        if (at == MAP_FAILED) fail("mapping a spilled block");
        block_ = static_cast<std::byte *>(at);
    }
    return block_;
}

void Memory::put_away() {
    if (fd_ < 0 || !block_) return;
    munmap(block_, bytes_);
    block_ = nullptr;
}

Memory::~Memory() {
    if (fd_ >= 0) {
        put_away();
        ::close(fd_);
    } else if (pool_ && block_) {
        pool_->give_back(block_, bytes_);
    } else {
        delete[] block_;
    }
}

void Memory::swap(Memory &other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(block_, other.block_);
    std::swap(bytes_, other.bytes_);
    std::swap(fd_, other.fd_);
}

} // namespace squall::io
