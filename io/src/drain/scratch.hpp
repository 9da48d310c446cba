/// Memory that is used again from one exchange to the next.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <utility>

namespace squall::io {

struct Unmap {
    std::size_t bytes = 0;
    void operator()(std::byte *pages) const;
};
/// Memory of the system's own pages.
using Pages = std::unique_ptr<std::byte, Unmap>;

/// Zeros that take no memory before they are written: for when there is none. Throws std::bad_alloc.
Pages zero_pages(std::size_t bytes);

/// Never has more than was in use at once.
class Scratch {
  public:
    using Buffer = std::unique_ptr<std::byte[]>;

    /// A buffer of at least so many bytes, and how many it has. Throws std::bad_alloc.
    std::pair<Buffer, std::size_t> take(std::size_t bytes);
    void give_back(Buffer buffer, std::size_t bytes);

  private:
    std::multimap<std::size_t, Buffer> free_; ///< by size
    std::size_t idle_ = 0, used_ = 0;         ///< bytes
    std::size_t most_used_ = 0;
};

} // namespace squall::io
