/// The memory of a session's frames on one rank: one stretch of address space for all streams.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

namespace squall::io {

/// Never more than its limit is in use, and what fits into the limit is never refused: addresses are
/// plentiful, so that holes between blocks cost nothing; pages of holes go back to the system when
/// they would make the rank need more than the limit. Blocks lie as far down as they fit, so that
/// from the second frame on pages are used again and nothing is asked of the system. Safe to use from
/// several threads.
class Arena {
  public:
    /// Takes address space only; memory comes as it is used. `shared`: other processes of this
    /// node can map it, if the system lets us: see descriptor(). Throws Error.
    Arena(std::size_t limit, bool shared);
    ~Arena();
    Arena(const Arena &) = delete;
    Arena &operator=(const Arena &) = delete;

    /// A block, or null if there is no room now. Throws Error if memory cannot be had.
    std::byte *take(std::size_t bytes);
    /// A block, or the end of one that lies in the stretch.
    void give_back(std::byte *block, std::size_t bytes);

    /// Room that counts as used although no block has it yet. False if there is none now.
    bool keep(std::size_t bytes);
    void stop_keeping(std::size_t bytes);
    /// Blocks of room that is kept; there must be as much.
    std::byte *take_kept(std::size_t bytes);
    void give_back_kept(std::byte *block, std::size_t bytes);

    /// Bytes of blocks that only the program can give back: fields of frames in the making and fields
    /// fixed in time. Waiting does not help against these.
    void pin(std::size_t bytes);
    void unpin(std::size_t bytes);

    std::size_t limit() const { return limit_; }
    std::size_t used() const;
    std::size_t pinned() const;

    int descriptor() const { return fd_; }         ///< of the shared memory; -1: it is not shared
    std::size_t extent() const { return extent_; } ///< bytes of the shared memory, most of them never touched
    /// Where a block lies in the shared memory; -1: it does not.
    std::ptrdiff_t offset_of(const std::byte *block) const;

    /// What a block takes of the limit.
    static std::size_t rounded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

  private:
    /// Addresses that no block lies at: up to `end`, of which those from `cold` on have no pages.
    struct Hole {
        std::size_t end = 0, cold = 0;
    };
    using Holes = std::map<std::size_t, Hole>; ///< by first address

    std::byte *place(std::size_t size);
    void remove(std::byte *block, std::size_t size);
    void trim();
    void let_go(std::size_t begin, std::size_t end);
    std::size_t warm() const;

    mutable std::mutex mutex_;
    std::size_t limit_ = 0, extent_ = 0, used_ = 0, pinned_ = 0;
    std::size_t apart_ = 0; ///< used bytes outside of the stretch
    std::byte *base_ = nullptr;
    int fd_ = -1;
    Holes holes_;
};

} // namespace squall::io
