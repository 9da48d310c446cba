#include "stage/reserve.hpp"

#include <utility>

namespace squall::io {

Reserve::Reserve(std::shared_ptr<Pool> pool, std::size_t bytes)
    : pool_(std::move(pool)), bytes_(bytes), left_(bytes) {}

Reserve::~Reserve() {
    if (pins_ > 0) pool_->unpin(bytes_);
    pool_->stop_keeping(bytes_);
}

std::shared_ptr<Reserve> Reserve::of(std::shared_ptr<Pool> pool, std::size_t bytes) {
    const auto size = Pool::rounded(bytes);
    if (!pool->keep(size)) return nullptr;
    return std::shared_ptr<Reserve>(new Reserve(std::move(pool), size));
}

std::byte *Reserve::take(std::size_t bytes) {
    const auto size = Pool::rounded(bytes);
    const std::lock_guard lock(mutex_);
    if (size > left_) return nullptr;
    auto *block = pool_->arena().take_kept(size);
    left_ -= size;
    return block;
}

void Reserve::give_back(std::byte *block, std::size_t bytes) {
    const auto size = Pool::rounded(bytes);
    const std::lock_guard lock(mutex_);
    pool_->arena().give_back_kept(block, size);
    left_ += size;
}

void Reserve::pin() {
    if (pins_++ == 0) pool_->pin(bytes_);
}

void Reserve::unpin() {
    if (--pins_ == 0) pool_->unpin(bytes_);
}

} // namespace squall::io
