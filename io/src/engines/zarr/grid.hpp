/// How a field is cut: into shards, each a file, and these into inner chunks, which are compressed
/// one by one. The cut depends on the declaration alone, never on who writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "declare/layout.hpp"

namespace squall::io::zarr {

/// Boxes of equal size that cover a shape; those at the far ends reach beyond it.
struct Tiling {
    std::vector<std::int64_t> shape, tile;

    std::vector<std::int64_t> counts() const;              ///< tiles per dimension
    std::int64_t size() const;                             ///< tiles
    std::vector<std::int64_t> index(std::int64_t n) const; ///< of tile n, last dimension fastest
    Box box(std::int64_t n) const;                         ///< of tile n, as far as it lies in the shape
    std::int64_t find(const std::vector<std::int64_t> &point) const; ///< the tile that holds a point
    /// The tiles that a box touches, in order.
    std::vector<std::int64_t> touched(const Box &box) const;
};

/// Without the record dimension, of which a chunk always holds a single frame.
struct Grid {
    std::vector<std::int64_t> shape, shard, chunk; ///< a shard is a multiple of a chunk
    std::int64_t frames = 1;                       ///< in a shard

    Tiling shards() const { return {shape, shard}; }
    Tiling chunks() const { return {shard, chunk}; } ///< of one shard, in the order of its index
};

/// The dimension along which shards follow each other: south-north, as servers and patches lie.
std::size_t row_dimension(const std::vector<std::int64_t> &shape);

/// Text is never cut.
Grid grid_of(const Layout &layout, int field);
/// Of all fields. Shards of small fields hold several frames, so that a thousand fields do not make a
/// file each with every frame: such a shard is written anew with each of its frames, and fields are small
/// enough for it as long as that is little beside the frame itself.
std::vector<Grid> grids_of(const Layout &layout);

/// What is wrong with the options `chunk`, `shard` and `frames_per_shard`, or "".
std::string grid_fault(const Layout &layout);

/// Where two boxes meet; a count of 0 if nowhere.
Box meet(const Box &a, const Box &b);

} // namespace squall::io::zarr
