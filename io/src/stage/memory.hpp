/// Memory of the points of one box, which several frames may share.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "stage/pool.hpp"
#include "stage/reserve.hpp"

namespace squall::io {

/// A block of a pool, of the heap, or of a file in the spill directory, given back when the last who
/// shares it lets go. A Memory belongs to one thread at a time; others may share the same block.
class Memory {
  public:
    Memory() = default;
    Memory(std::shared_ptr<Pool> pool, std::byte *block, std::size_t bytes);
    /// A block of what a reserve keeps; no memory if it has none left.
    static Memory out_of(std::shared_ptr<Reserve> reserve, std::size_t bytes);
    static Memory on_heap(std::size_t bytes);
    /// A file without a name in `directory`, to be filled through data() and then put away. Throws Error.
    static Memory in_file(const std::string &directory, std::size_t bytes);
    Memory(Memory &&other) noexcept { swap(other); }
    Memory &operator=(Memory &&other) noexcept {
        Memory(std::move(other)).swap(*this);
        return *this;
    }
    ~Memory();

    /// The same block once more.
    Memory share() const;

    /// To be read only: others may share it. Maps a file that was put away. Throws Error.
    const std::byte *points() const;
    /// To be changed: a copy takes the place of a block that others share, from the room that is kept for
    /// it or in the directory that was named, else from the same pool where it has room, else from the heap.
    /// Throws Error.
    std::byte *data();
    /// Keeps room for a copy of this block, for as long as it is shared.
    void keep_room(std::shared_ptr<Reserve> room) { room_ = std::move(room); }
    /// Where there is no room for one: its copies are files in `directory`.
    void copy_into_files_of(const std::string &directory) {
        directory_ = std::make_shared<const std::string>(directory);
    }
    /// Memory for what takes this one's place, of no more bytes, from the room that is kept for it or in the
    /// directory, else from the heap. Throws Error.
    Memory successor(std::size_t bytes) const;
    void put_away(); ///< a file leaves memory, unless others share it; nothing for a block of a pool
    std::size_t bytes() const;
    /// Gives back what lies behind the first `bytes` of a block of a pool that nobody shares.
    void shrink(std::size_t bytes);
    bool in_file() const;
    /// Where it lies in the memory that servers of this node see; -1: it does not.
    std::ptrdiff_t shared_offset() const;

    /// While somebody pins it, waiting does not make its room come free: it is of a frame in the making
    /// or of a field fixed in time. As many times unpin() as pin(). For the thread of the program.
    void pin();
    void unpin();

  private:
    struct Chunk;
    void swap(Memory &other) noexcept {
        std::swap(chunk_, other.chunk_);
        std::swap(room_, other.room_);
        std::swap(directory_, other.directory_);
    }
    Chunk *chunk_ = nullptr;
    std::shared_ptr<Reserve> room_;                ///< for a copy; null: none is kept
    std::shared_ptr<const std::string> directory_; ///< for copies that have no room; null: none
};

} // namespace squall::io
