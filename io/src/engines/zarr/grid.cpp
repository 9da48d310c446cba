#include "engines/zarr/grid.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "box.hpp"

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
            throw fmt::format(
                "option {} is \"{}\"; it must be sizes with commas between, such as \"25,100,100\", "
                "where 0 stands for the whole dimension",
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

std::vector<std::int64_t> Tiling::counts() const {
    std::vector<std::int64_t> n(shape.size());
    std::ranges::transform(shape, tile, n.begin(), ceiling);
    return n;
}

std::int64_t Tiling::size() const { return volume({{}, counts()}); }

std::vector<std::int64_t> Tiling::index(std::int64_t n) const {
    auto at = counts();
    for (std::size_t d = at.size(); d-- > 0;) {
        const auto count = at[d];
        at[d] = n % count;
        n /= count;
    }
    return at;
}

Box Tiling::box(std::int64_t n) const {
    Box b{index(n), tile};
    for (std::size_t d = 0; d < shape.size(); ++d) {
        b.start[d] *= tile[d];
        b.count[d] = std::min(tile[d], shape[d] - b.start[d]);
    }
    return b;
}

std::int64_t Tiling::find(const std::vector<std::int64_t> &point) const {
    std::int64_t n = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) n = n * ceiling(shape[d], tile[d]) + point[d] / tile[d];
    return n;
}

std::vector<std::int64_t> Tiling::touched(const Box &box) const {
    if (volume(box) == 0) return {};
    Tiling some{box.count, box.count}; // the tiles that are touched, as if they were points
    for (std::size_t d = 0; d < shape.size(); ++d) {
        some.shape[d] = (box.start[d] + box.count[d] - 1) / tile[d] - box.start[d] / tile[d] + 1;
        some.tile[d] = 1;
    }
    std::vector<std::int64_t> all(some.size());
    for (std::size_t n = 0; n < all.size(); ++n) {
        auto point = some.index(static_cast<std::int64_t>(n));
        for (std::size_t d = 0; d < point.size(); ++d)
            point[d] = (point[d] + box.start[d] / tile[d]) * tile[d];
        all[n] = find(point);
    }
    return all;
}

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

std::string grid_fault(const Layout &layout) {
    try {
        for (const auto *name : {"chunk", "shard"}) sizes_in(name, layout.option(name, ""));
    } catch (const std::string &fault) {
        return fault;
    }
    return "";
}

Box meet(const Box &a, const Box &b) {
    Box both = a;
    for (std::size_t d = 0; d < a.start.size(); ++d) {
        both.start[d] = std::max(a.start[d], b.start[d]);
        both.count[d] = std::max<std::int64_t>(0, std::min(a.start[d] + a.count[d], b.start[d] + b.count[d]) -
                                                      both.start[d]);
    }
    return both;
}

} // namespace squall::io::zarr
