#include "engines/zarr/shard.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "common/crc32c.hpp"
#include "declare/encode.hpp"

namespace squall::io::zarr {
namespace {

constexpr std::size_t at_once = 1 << 20; ///< bytes that are handed to the system while caches still hold them
constexpr std::size_t to_disk_at_once = 4 << 20;
constexpr std::size_t checksum_bytes = sizeof(std::uint32_t);

/// Elements from the first point of `outer` to that of `inner`, which lies in it.
std::ptrdiff_t offset_of(const Box &inner, const Box &outer) {
    const auto strides = contiguous(outer.count);
    std::ptrdiff_t sum = 0;
    for (std::size_t d = 0; d < strides.size(); ++d) sum += (inner.start[d] - outer.start[d]) * strides[d];
    return sum;
}

/// Whether the points of `inner` lie one after the other in `outer`.
bool contiguous_in(const Box &inner, const Box &outer) {
    bool one = true; // so far the dimensions before have a single index
    for (std::size_t d = 0; d < inner.count.size(); ++d) {
        if (!one && inner.count[d] != outer.count[d]) return false;
        one = one && inner.count[d] == 1;
    }
    return true;
}

/// Zarr's fill value, which nobody ever sees.
void fill(std::byte *memory, std::size_t bytes, Type type) {
    const auto with = [&](auto value) {
        std::fill_n(reinterpret_cast<decltype(value) *>(memory), bytes / sizeof value, value);
    };
    if (type == Type::f32)
        with(std::numeric_limits<float>::quiet_NaN());
    else if (type == Type::f64)
        with(std::numeric_limits<double>::quiet_NaN());
    else
        std::fill_n(memory, bytes, std::byte(0));
}

} // namespace

ShardWriter::ShardWriter(const Grid &grid, const Codec &codec, Type type, Workspace &workspace)
    : grid_(grid), shards_(grid.shards()), chunks_(grid.chunks()), type_(type), element_(size_of(type)),
      chunk_bytes_(static_cast<std::size_t>(volume({{}, grid.chunk})) * element_), compressor_(codec, type),
      workspace_(workspace) {}

/// The chunk in the piece's own memory if it lies there as it goes into the file.
const std::byte *ShardWriter::in_place(const Box &chunk, const Piece &piece) const {
    if (chunk.count != grid_.chunk || !contiguous_in(chunk, piece.lies_in())) return nullptr;
    return static_cast<const std::byte *>(piece.points) +
           offset_of(chunk, piece.lies_in()) * static_cast<std::ptrdiff_t>(element_);
}

/// A copy of the chunk, padded.
const std::byte *ShardWriter::gather(const Box &chunk, const Piece &piece, std::byte *to) const {
    if (chunk.count != grid_.chunk) fill(to, chunk_bytes_, type_);
    const auto *from = static_cast<const std::byte *>(piece.points) +
                       offset_of(chunk, piece.lies_in()) * static_cast<std::ptrdiff_t>(element_);
    copy_points(chunk.count, from, type_, contiguous(piece.lies_in().count), to, type_,
                contiguous(grid_.chunk));
    return to;
}

void ShardWriter::add(const Box &chunk, const Piece &piece) {
    if (piece.sum) *piece.sum += checksum(chunk, piece.lies_in(), grid_.shape, piece.points, type_);
    auto &arena = workspace_.arena;
    used_ = (used_ + 7) / 8 * 8; // points are aligned
    auto *to = arena.data() + used_;
    auto bytes = chunk_bytes_;
    const auto *body = in_place(chunk, piece);
    if (compressor_.compresses()) {
        if (!body) body = gather(chunk, piece, workspace_.chunk.data());
        bytes = compressor_.compress(body, bytes, to, arena.size() - used_ - checksum_bytes);
        body = to;
    } else if (!body) {
        body = gather(chunk, piece, to);
    }
    auto *sum_at = body == to ? to + bytes : to;
    const auto sum = crc32c(body, bytes);
    std::memcpy(sum_at, &sum, checksum_bytes);
    pieces_.push_back({const_cast<std::byte *>(body), bytes});
    pieces_.push_back({sum_at, checksum_bytes});
    if (body != to) waiting_ += bytes;
    used_ = static_cast<std::size_t>(sum_at - arena.data()) + checksum_bytes;
    index_.push_back({offset_, bytes + checksum_bytes});
    offset_ += bytes + checksum_bytes;
}

/// Whether a rank has made the chunk already.
bool ShardWriter::add_encoded(const Box &chunk, const Piece &piece) {
    const auto found = std::ranges::lower_bound(piece.encoded, chunk.start, {},
                                                [](const EncodedChunk &c) { return c.box.start; });
    if (found == piece.encoded.end() || found->box != chunk) return false;
    const auto bytes = found->bytes;
    pieces_.push_back({const_cast<std::byte *>(bytes.data()), bytes.size()});
    index_.push_back({offset_, bytes.size()});
    offset_ += bytes.size();
    waiting_ += bytes.size();
    return true;
}

void ShardWriter::hand_over(NewFile &file, std::size_t worth_starting) {
    file.append(pieces_);
    file.start_to_disk(worth_starting);
    used_ = waiting_ = 0;
}

void ShardWriter::move_to(Bytes &bytes) {
    for (const auto &p : pieces_) {
        const auto *from = static_cast<const std::byte *>(p.iov_base);
        bytes.insert(bytes.end(), from, from + p.iov_len);
    }
    pieces_.clear();
    used_ = waiting_ = 0;
}

void ShardWriter::begin() {
    workspace_.arena.have(at_once + compressor_.bound(chunk_bytes_) + 2 * sizeof(Extent));
    workspace_.chunk.have(chunk_bytes_);
    pieces_.clear(); // after a failure something may be left
    used_ = waiting_ = 0;
    index_.clear();
    offset_ = 0;
}

/// Encodes the chunks of a shard one after the other; calls full() whenever many bytes wait.
template <class F> void ShardWriter::encode(std::int64_t shard, const Piece &piece, F full) {
    begin();
    const auto origin = shards_.box(shard);
    for (std::int64_t n = 0; n < chunks_.size(); ++n) {
        auto chunk = chunks_.box(n);
        std::ranges::transform(chunk.start, origin.start, chunk.start.begin(), std::plus<>());
        const auto inside = meet(chunk, origin);
        if (volume(inside) == 0) {
            index_.push_back({nowhere, nowhere});
            continue;
        }
        if (!add_encoded(inside, piece)) add(inside, piece);
        if (used_ + waiting_ >= at_once) full();
    }
}

namespace {

Bytes index_bytes(const std::vector<Extent> &extents) {
    Bytes index(extents.size() * sizeof(Extent));
    std::memcpy(index.data(), extents.data(), index.size());
    append_crc32c(index, 0);
    return index;
}

} // namespace

void ShardWriter::write(NewFile &file, std::int64_t shard, const Piece &piece) {
    encode(shard, piece, [&] { hand_over(file, to_disk_at_once); });
    auto index = index_bytes(index_);
    pieces_.push_back({index.data(), index.size()});
    hand_over(file);
}

void ShardWriter::append(const Piece &piece, Bytes &to) {
    begin();
    add(piece.box, piece);
    move_to(to);
}

Slice ShardWriter::slice(std::int64_t shard, const Piece &piece) {
    Slice slice;
    const auto collect = [&] { move_to(slice.bytes); };
    encode(shard, piece, collect);
    collect();
    slice.extents = index_;
    slice.size = slice.bytes.size();
    return slice;
}

void ShardWriter::write(NewFile &file, const std::vector<Slice> &slices, std::int64_t frames) {
    pieces_.clear();
    std::vector<Extent> extents;
    std::uint64_t offset = 0;
    for (const auto &slice : slices) {
        for (const auto &e : slice.extents)
            extents.push_back(e.offset == nowhere ? e : Extent{e.offset + offset, e.bytes});
        offset += slice.size;
        if (!slice.bytes.empty())
            pieces_.push_back({const_cast<std::byte *>(slice.bytes.data()), slice.bytes.size()});
    }
    extents.resize(static_cast<std::size_t>(frames * chunks_.size()), {nowhere, nowhere});
    auto index = index_bytes(extents);
    pieces_.push_back({index.data(), index.size()});
    hand_over(file);
}

} // namespace squall::io::zarr
