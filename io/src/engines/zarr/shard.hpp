/// A shard file: inner chunks one after the other, then an index of where they are.
#pragma once

#include <cstddef>
#include <memory>

#include "engines/zarr/codec.hpp"
#include "engines/zarr/files.hpp"
#include "engines/zarr/grid.hpp"
#include "publish/writer.hpp"

namespace squall::io::zarr {

/// Where an inner chunk lies in its shard; one that has no points is `nowhere`.
struct Extent {
    std::uint64_t offset, bytes;
};
constexpr std::uint64_t nowhere = ~std::uint64_t(0);

/// Memory that grows, whose bytes are anything: what is not written to takes no page, as it would if it were
/// filled with zeros.
class Room {
  public:
    void have(std::size_t bytes) {
        if (bytes <= bytes_) return;
        at_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
        bytes_ = bytes;
    }
    std::byte *data() { return at_.get(); }
    std::size_t size() const { return bytes_; }

  private:
    std::unique_ptr<std::byte[]> at_;
    std::size_t bytes_ = 0;
};

/// Memory that the shards of all fields use one after the other.
struct Workspace {
    Room chunk; ///< one that is not contiguous in its piece, or padded
    Room arena; ///< what was made of chunks, on its way to the file: a chunk and 1 MB
};

/// What a shard holds of one frame: its chunks as they are in the file, and where each of them begins in it.
struct Slice {
    Bytes bytes = {}; ///< none: they are in the file already
    std::vector<Extent> extents = {};
    std::uint64_t size = 0; ///< of the bytes
};

/// Writes the shards of a field.
class ShardWriter {
  public:
    ShardWriter(const Grid &grid, const Codec &codec, Type type, Workspace &workspace);

    /// Writes shard number `shard`, all of which is in `piece`.
    void write(NewFile &file, std::int64_t shard, const Piece &piece);

    /// Appends what comes of a chunk that is `piece`, as it goes into a shard.
    void append(const Piece &piece, Bytes &to);

    /// One frame of shard number `shard`, in memory.
    Slice slice(std::int64_t shard, const Piece &piece);
    /// Writes a shard of `frames` frames, of which the first are there, behind those whose bytes the file
    /// has.
    void write(NewFile &file, const std::vector<Slice> &slices, std::int64_t frames);

  private:
    void begin();
    void add(const Box &chunk, const Piece &piece);
    bool add_encoded(const Box &chunk, const Piece &piece);
    void move_to(Bytes &bytes);
    const std::byte *gather(const Box &chunk, const Piece &piece, std::byte *to) const;
    const std::byte *in_place(const Box &chunk, const Piece &piece) const;
    void hand_over(NewFile &file, std::size_t worth_starting = 0);
    template <class F> void encode(std::int64_t shard, const Piece &piece, F full);

    Grid grid_;
    Tiling shards_, chunks_;
    Type type_;
    std::size_t element_, chunk_bytes_;
    Compressor compressor_;
    Workspace &workspace_;
    std::size_t used_ = 0;      ///< of the arena
    std::size_t waiting_ = 0;   ///< bytes of `pieces_` that are not in the arena
    std::vector<iovec> pieces_; ///< what comes next in the file
    std::vector<Extent> index_;
    std::uint64_t offset_ = 0; ///< of what comes next in the file
};

} // namespace squall::io::zarr
