#include "engines/zarr/grid.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "common/box.hpp"

namespace squall::io::zarr {

std::size_t row_dimension(const std::vector<std::int64_t> &shape) {
    return shape.size() < 2 ? 0 : shape.size() - 2;
}

namespace {

/// A field is cut into this many shards if that keeps them within the limits [bytes].
constexpr double shards_wanted = 8, smallest_shard = 2 << 20, largest_shard = 64 << 20;
constexpr double chunk_wanted = 1 << 20;

std::int64_t ceiling(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// The size of `parts` equal parts.
std::int64_t part_of(std::int64_t size, double parts) {
    return ceiling(size, std::clamp<std::int64_t>(std::llround(parts), 1, size));
}

/// Sizes in an option, "25,100,100"; throws std::string.
std::vector<std::int64_t> sizes_in(const std::string &name, const std::string &text) {
    std::vector<std::int64_t> sizes;
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
        std::int64_t size = -1;
        const auto [stop, problem] = std::from_chars(at, end, size);
        if (problem != std::errc() || size < 0 || (stop < end && (*stop != ',' || stop + 1 == end)))
            throw fmt::format("option {} is \"{}\"; it must be sizes separated by commas, such as "
                              "\"25,100,100\", where 0 stands for the whole dimension",
                              name, text);
        sizes.push_back(size);
        at = stop + 1;
    }
    return sizes;
}

/// The sizes of an option for a field: they count from the last dimension; 1 for those before.
std::vector<std::int64_t> asked(const Layout &layout, const std::string &name,
                                const std::vector<std::int64_t> &shape) {
    const auto sizes = sizes_in(name, layout.option(name, ""));
    if (sizes.empty()) return {};
    std::vector<std::int64_t> all(shape.size(), 1);
    for (std::size_t n = 1; n <= std::min(sizes.size(), shape.size()); ++n) {
        const auto size = sizes[sizes.size() - n], extent = shape[shape.size() - n];
        all[all.size() - n] = size == 0 ? extent : std::min(size, extent);
    }
    return all;
}

std::vector<std::int64_t> usual_shard(const std::vector<std::int64_t> &shape, double bytes) {
    auto shard = shape;
    auto &rows = shard[row_dimension(shape)];
    rows = part_of(rows, bytes / std::clamp(bytes / shards_wanted, smallest_shard, largest_shard));
    return shard;
}

/// Cut along the slowest dimensions: such a chunk is contiguous in a shard.
std::vector<std::int64_t> usual_chunk(const std::vector<std::int64_t> &shard, double element) {
    auto chunk = shard;
    for (auto &extent : chunk)
        extent = part_of(extent, static_cast<double>(volume({{}, chunk})) * element / chunk_wanted);
    return chunk;
}

} // namespace

Grid grid_of(const Layout &layout, int field) {
    const auto &f = layout.fields[field];
    if (f.field.type == Type::character || f.shape.empty()) return {f.shape, f.shape, f.shape};
    Grid g{f.shape, asked(layout, "shard", f.shape), asked(layout, "chunk", f.shape)};
    if (g.shard.empty()) g.shard = usual_shard(f.shape, static_cast<double>(f.bytes()));
    if (g.chunk.empty()) g.chunk = usual_chunk(g.shard, static_cast<double>(size_of(f.field.type)));
    for (std::size_t d = 0; d < f.shape.size(); ++d)
        g.shard[d] = ceiling(g.shard[d], g.chunk[d]) * g.chunk[d];
    return g;
}

namespace {

constexpr std::int64_t usual_frames = 16;        ///< in a shard of a small field
constexpr std::int64_t largest_small = 64 << 10; ///< bytes of a frame of it, at most
/// Bytes that may be written again with every frame, and their part of the frame.
constexpr std::int64_t rewritten = 8 << 20, rewritten_part = 10;

/// Fields of at most so many bytes are small.
std::int64_t smallness(const Layout &layout) {
    std::int64_t frame = 0;
    for (const auto &f : layout.fields) frame += f.bytes();
    const auto allowed = std::max(rewritten, frame / rewritten_part);
    for (auto limit = largest_small; limit > 256; limit /= 2) {
        std::int64_t again = 0;
        for (const auto &f : layout.fields)
            if (f.field.per_frame && f.bytes() <= limit) again += f.bytes() * usual_frames / 2;
        if (again <= allowed) return limit;
    }
    return 0;
}

} // namespace

std::vector<Grid> grids_of(const Layout &layout) {
    const auto asked_frames = static_cast<std::int64_t>(layout.number("frames_per_shard", 0));
    const auto small = asked_frames > 0 ? 0 : smallness(layout);
    const auto per_file = layout.spec.frames_per_file;
    std::vector<Grid> grids;
    for (int f = 0; f < std::ssize(layout.fields); ++f) {
        auto &grid = grids.emplace_back(grid_of(layout, f));
        if (!layout.fields[f].field.per_frame) continue;
        grid.frames = asked_frames > 0 ? asked_frames : layout.fields[f].bytes() <= small ? usual_frames : 1;
        if (per_file > 0) grid.frames = std::min<std::int64_t>(grid.frames, per_file);
    }
    return grids;
}

std::string grid_fault(const Layout &layout) {
    if (const auto frames = layout.number("frames_per_shard", 1);
        frames < 1 || frames > 4096 || frames != std::floor(frames))
        return "option frames_per_shard must be a whole number from 1 to 4096";
    try {
        for (const auto *name : {"chunk", "shard"}) sizes_in(name, layout.option(name, ""));
    } catch (const std::string &fault) {
        return fault;
    }
    return "";
}

} // namespace squall::io::zarr
