/// Bounded memory for frames on their way.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace squall::io {

/// A stream's memory on one rank: never more than its limit. Blocks of the same size are used
/// again, so that from the second frame on nothing has to be asked of the operating system. Safe to
/// use from several threads.
class Pool {
  public:
    /// Takes address space only; memory comes as it is used. `shared`: other processes of this
    /// node can map it, if the system lets us: see descriptor(). Throws Error.
    Pool(std::size_t limit, bool shared);
    ~Pool();
    Pool(const Pool &) = delete;
    Pool &operator=(const Pool &) = delete;

    /// A block, or null if there is no room now.
    std::byte *take(std::size_t bytes);
    void give_back(std::byte *block, std::size_t bytes);

    std::size_t limit() const { return limit_; }
    std::size_t used() const;
    std::size_t most_used() const; ///< so far

    int descriptor() const { return fd_; } ///< of the shared memory; -1: it is not shared
    std::ptrdiff_t offset_of(const std::byte *block) const { return block - base_; }

    /// What a block takes of the limit.
    static std::size_t rounded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

  private:
    mutable std::mutex mutex_;
    std::size_t limit_ = 0, capacity_ = 0, fresh_ = 0, used_ = 0, most_used_ = 0;
    std::byte *base_ = nullptr;
    int fd_ = -1;
    std::multimap<std::size_t, std::byte *> free_;
};

/// A block of a pool, of the heap, or of a file in the spill directory, given back at the end of its life.
class Memory {
  public:
    Memory() = default;
    Memory(std::shared_ptr<Pool> pool, std::byte *block, std::size_t bytes)
        : pool_(std::move(pool)), block_(block), bytes_(bytes) {}
    static Memory on_heap(std::size_t bytes);
    /// A file without a name in `directory`, to be filled through data() and then put away.
    static Memory in_file(const std::string &directory, std::size_t bytes);
    Memory(Memory &&other) noexcept { swap(other); }
    Memory &operator=(Memory &&other) noexcept {
        swap(other);
        return *this;
    }
    ~Memory();

    std::byte *data(); ///< maps a file that was put away
    void put_away();   ///< a file leaves memory; nothing for a block of a pool
    std::size_t bytes() const { return bytes_; }
    bool in_file() const { return fd_ >= 0; }

  private:
    void swap(Memory &other) noexcept;

    std::shared_ptr<Pool> pool_;
    std::byte *block_ = nullptr;
    std::size_t bytes_ = 0;
    int fd_ = -1;
};

} // namespace squall::io
