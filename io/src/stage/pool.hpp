/// A stream's share of the staging memory.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include "stage/arena.hpp"

namespace squall::io {

/// What one stream may have of its session's memory on this rank. Safe to use from several threads.
class Pool {
  public:
    /// `share`: the most that the stream takes; 0: all of the arena, if others leave it.
    Pool(std::shared_ptr<Arena> arena, std::size_t share);

    /// A block, or null if there is no room now.
    std::byte *take(std::size_t bytes);
    void give_back(std::byte *block, std::size_t bytes);

    /// Room that counts as used although no block has it yet: see Reserve. False if there is none now.
    bool keep(std::size_t bytes);
    void stop_keeping(std::size_t bytes);

    Arena &arena() const { return *arena_; }
    std::size_t limit() const { return limit_; }
    std::size_t used() const;
    std::size_t most_used() const; ///< so far

    /// Bytes of blocks that only the program can give back: fields of frames in the making and fields
    /// fixed in time. They count for the arena too.
    void pin(std::size_t bytes);
    void unpin(std::size_t bytes);
    std::size_t pinned() const;
    /// Whether room for so many bytes more can come only from the program itself: from a larger limit,
    /// or from frames that it has open.
    bool hopeless(std::size_t bytes) const;

    int descriptor() const { return arena_->descriptor(); } ///< of the shared memory; -1: it is not shared
    std::size_t extent() const { return arena_->extent(); } ///< bytes of it
    /// Where a block lies in the shared memory; -1: it does not.
    std::ptrdiff_t offset_of(const std::byte *block) const { return arena_->offset_of(block); }

    /// What a block takes of the limit.
    static std::size_t rounded(std::size_t bytes) { return Arena::rounded(bytes); }

  private:
    std::shared_ptr<Arena> arena_;
    mutable std::mutex mutex_;
    std::size_t limit_ = 0, used_ = 0, most_used_ = 0, pinned_ = 0;
};

} // namespace squall::io
