/// Memory that is used again from one exchange to the next.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <utility>

namespace squall::io {

/// Zeros that take no memory before they are written: for when there is none. Throws std::bad_alloc.
std::shared_ptr<void> zero_pages(std::size_t bytes);

class Scratch {
  public:
    using Buffer = std::unique_ptr<std::byte[]>;

    /// A buffer of at least so many bytes, and how many it has.
    std::pair<Buffer, std::size_t> take(std::size_t bytes) {
        const auto found = free_.lower_bound(bytes);
        if (found == free_.end() || found->first > bytes + bytes / 4) {
            free_.clear(); // fields of this size come in a row: what was left by others is not kept beside
                           // them
            return {std::make_unique_for_overwrite<std::byte[]>(bytes), bytes};
        }
        auto buffer = std::move(found->second);
        const auto size = found->first;
        free_.erase(found);
        return {std::move(buffer), size};
    }
    void give_back(Buffer buffer, std::size_t bytes) { free_.emplace(bytes, std::move(buffer)); }

  private:
    std::multimap<std::size_t, Buffer> free_;
};

} // namespace squall::io
