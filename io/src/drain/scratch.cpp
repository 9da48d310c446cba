#include "drain/scratch.hpp"

#include <algorithm>
#include <iterator>
#include <new>

#include <sys/mman.h>

namespace squall::io {

void Unmap::operator()(std::byte *pages) const { munmap(pages, bytes); }

Pages zero_pages(std::size_t bytes) {
    bytes = std::max<std::size_t>(bytes, 1);
    void *at =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    return {static_cast<std::byte *>(at), Unmap{bytes}};
}

std::pair<Scratch::Buffer, std::size_t> Scratch::take(std::size_t bytes) {
    const auto found = free_.lower_bound(bytes);
    if (found != free_.end() && found->first <= bytes + bytes / 4) {
        auto node = free_.extract(found);
        idle_ -= node.key();
        used_ += node.key();
        most_used_ = std::max(most_used_, used_);
        return {std::move(node.mapped()), node.key()};
    }
    most_used_ = std::max(most_used_, used_ + bytes);
    while (!free_.empty() && used_ + idle_ + bytes > most_used_) {
        const auto largest = std::prev(free_.end());
        idle_ -= largest->first;
        free_.erase(largest);
    }
    auto buffer = std::make_unique_for_overwrite<std::byte[]>(bytes);
    used_ += bytes;
    return {std::move(buffer), bytes};
}

void Scratch::give_back(Buffer buffer, std::size_t bytes) {
    used_ -= bytes;
    idle_ += bytes;
    free_.emplace(bytes, std::move(buffer));
}

} // namespace squall::io
