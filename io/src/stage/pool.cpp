#include "stage/pool.hpp"

#include <algorithm>
#include <utility>

namespace squall::io {

Pool::Pool(std::shared_ptr<Arena> arena, std::size_t share)
    : arena_(std::move(arena)),
      limit_(share == 0 ? arena_->limit() : std::min(rounded(share), arena_->limit())) {}

std::byte *Pool::take(std::size_t bytes) {
    const auto size = rounded(bytes);
    const std::lock_guard lock(mutex_);
    if (size > limit_ - used_) return nullptr;
    auto *block = arena_->take(bytes);
    if (!block) return nullptr;
    used_ += size;
    most_used_ = std::max(most_used_, used_);
    return block;
}

void Pool::give_back(std::byte *block, std::size_t bytes) {
    arena_->give_back(block, bytes);
    const std::lock_guard lock(mutex_);
    used_ -= rounded(bytes);
}

bool Pool::keep(std::size_t bytes) {
    const auto size = rounded(bytes);
    const std::lock_guard lock(mutex_);
    if (size > limit_ - used_ || !arena_->keep(size)) return false;
    used_ += size;
    most_used_ = std::max(most_used_, used_);
    return true;
}

void Pool::stop_keeping(std::size_t bytes) {
    arena_->stop_keeping(bytes);
    const std::lock_guard lock(mutex_);
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

void Pool::pin(std::size_t bytes) {
    arena_->pin(rounded(bytes));
    const std::lock_guard lock(mutex_);
    pinned_ += rounded(bytes);
}

void Pool::unpin(std::size_t bytes) {
    arena_->unpin(rounded(bytes));
    const std::lock_guard lock(mutex_);
    pinned_ -= rounded(bytes);
}

std::size_t Pool::pinned() const {
    const std::lock_guard lock(mutex_);
    return pinned_;
}

bool Pool::hopeless(std::size_t bytes) const {
    const auto size = rounded(bytes);
    const std::lock_guard lock(mutex_);
    if (pinned_ + size > limit_) return true;
    return arena_->pinned() + size > arena_->limit();
}

} // namespace squall::io
