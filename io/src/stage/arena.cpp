#include "stage/arena.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <new>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include "squall/io.hpp"

namespace squall::io {
namespace {

/// Addresses per byte of the limit. Blocks that leave in another order than they came leave holes; with
/// so many addresses a block finds its place all the same (if it ever does not, it lies apart).
constexpr std::size_t spread = 4;
constexpr std::size_t page = 4096;

} // namespace

Arena::Arena(std::size_t limit, bool shared)
    : limit_(rounded(limit)), extent_((limit_ * spread + page - 1) / page * page) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    if (shared) fd_ = memfd_create("squall_io", MFD_CLOEXEC);
    if (fd_ >= 0 && ftruncate(fd_, static_cast<off_t>(extent_)) != 0) { // a limit on file sizes
        ::close(fd_);
        fd_ = -1;
    }
    if (fd_ >= 0) flags = MAP_SHARED | MAP_NORESERVE;
    void *base = mmap(nullptr, extent_, PROT_READ | PROT_WRITE, flags, fd_, 0);
    if (base == MAP_FAILED) {
        const int problem = errno;
        if (fd_ >= 0) ::close(fd_);
        throw Error(fmt::format("reserving {} bytes of address space for staging memory: {}; set a smaller "
                                "staging_limit, or raise the limit on address space (ulimit -v)",
                                limit_, std::strerror(problem)));
    }
    base_ = static_cast<std::byte *>(base);
    madvise(base_, extent_, MADV_HUGEPAGE); // fewer page faults on the first frame, where it is allowed
    holes_[0] = {extent_, 0};
}

Arena::~Arena() {
    munmap(base_, extent_);
    if (fd_ >= 0) ::close(fd_);
}

std::byte *Arena::take(std::size_t bytes) {
    const auto size = rounded(bytes);
    const std::lock_guard lock(mutex_);
    if (size > limit_ - used_) return nullptr;
    auto *block = place(size);
    used_ += size;
    if (used_ - apart_ + warm() > limit_) trim();
    return block;
}

bool Arena::keep(std::size_t bytes) {
    const auto size = rounded(bytes);
    const std::lock_guard lock(mutex_);
    if (size > limit_ - used_) return false;
    used_ += size;
    return true;
}

void Arena::stop_keeping(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    used_ -= rounded(bytes);
}

std::byte *Arena::take_kept(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    auto *block = place(rounded(bytes));
    if (used_ - apart_ + warm() > limit_) trim();
    return block;
}

void Arena::give_back_kept(std::byte *block, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    remove(block, rounded(bytes));
}

std::byte *Arena::place(std::size_t size) {
    const auto hole =
        std::ranges::find_if(holes_, [size](const auto &h) { return h.second.end - h.first >= size; });
    if (hole == holes_.end()) {
        auto *block = new std::byte[size];
        apart_ += size;
        return block;
    }
    const auto begin = hole->first;
    const auto rest = hole->second;
    holes_.erase(hole);
    if (begin + size < rest.end) holes_[begin + size] = {rest.end, std::max(rest.cold, begin + size)};
    return base_ + begin;
}

void Arena::give_back(std::byte *block, std::size_t bytes) {
    const auto size = rounded(bytes);
    const std::lock_guard lock(mutex_);
    used_ -= size;
    remove(block, size);
}

void Arena::remove(std::byte *block, std::size_t size) {
    if (offset_of(block) < 0) {
        apart_ -= size;
        delete[] block;
        return;
    }
    auto begin = static_cast<std::size_t>(block - base_);
    Hole hole{begin + size, begin + size};
    auto after = holes_.lower_bound(begin);
    if (after != holes_.end() && after->first == hole.end) {
        hole = {after->second.end, std::max(after->second.cold, hole.end)};
        after = holes_.erase(after);
    }
    if (after != holes_.begin()) {
        const auto before = std::prev(after);
        if (before->second.end == begin) {
            begin = before->first;
            holes_.erase(before);
        }
    }
    holes_[begin] = hole;
}

/// Bytes of holes that may have pages.
std::size_t Arena::warm() const {
    std::size_t bytes = 0;
    for (const auto &[begin, hole] : holes_) bytes += hole.cold - begin;
    return bytes;
}

/// Gives pages of holes back, the highest first: the lowest are used next.
void Arena::trim() {
    auto warm_bytes = warm();
    for (auto hole = holes_.rbegin(); hole != holes_.rend() && used_ - apart_ + warm_bytes > limit_; ++hole) {
        const auto begin = hole->first;
        auto &cold = hole->second.cold;
        if (cold == begin) continue;
        let_go(begin, cold);
        warm_bytes -= cold - begin;
        cold = begin;
    }
}

void Arena::let_go(std::size_t begin, std::size_t end) {
    begin = (begin + page - 1) / page * page;
    end = end / page * page;
    if (begin >= end) return;
    if (fd_ >= 0)
        fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
                  static_cast<off_t>(end - begin));
    else
        madvise(base_ + begin, end - begin, MADV_DONTNEED);
}

void Arena::pin(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    pinned_ += bytes;
}

void Arena::unpin(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    pinned_ -= bytes;
}

std::size_t Arena::used() const {
    const std::lock_guard lock(mutex_);
    return used_;
}

std::size_t Arena::pinned() const {
    const std::lock_guard lock(mutex_);
    return pinned_;
}

std::ptrdiff_t Arena::offset_of(const std::byte *block) const {
    const bool inside = !std::less<>{}(block, base_) && std::less<>{}(block, base_ + extent_);
    return inside ? block - base_ : -1;
}

} // namespace squall::io
