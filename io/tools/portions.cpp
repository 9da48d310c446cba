#include "portions.hpp"

#include <algorithm>

#include "common/box.hpp"

namespace squall::io::tools {
namespace {

std::size_t bytes_of(const Box &box, Type type) {
    return static_cast<std::size_t>(volume(box)) * size_of(type);
}

/// Cuts a box into at most n parts, along the first dimension that is long enough, else the longest.
std::vector<Box> divide(const Box &box, std::int64_t n) {
    auto d = std::ranges::find_if(box.count, [n](std::int64_t extent) { return extent >= n; });
    if (d == box.count.end()) d = std::ranges::max_element(box.count);
    if (d == box.count.end()) return {box};
    const auto at = d - box.count.begin();
    const auto extent = *d;
    std::vector<Box> parts;
    for (std::int64_t i = 0; i < n; ++i) {
        const auto first = extent * i / n, end = extent * (i + 1) / n;
        if (first == end) continue;
        parts.push_back(box);
        parts.back().start[at] += first;
        parts.back().count[at] = end - first;
    }
    return parts;
}

/// What the engine asks for, cut finer by pretending that there are more writers.
std::vector<Share> engine_shares(const Layout &layout, int field, int ranks, std::size_t bytes) {
    const auto type = layout.fields[field].field.type;
    std::size_t before = 0;
    for (int each = 1;; each *= 2) {
        auto shares = layout.engine->shares(layout, field, ranks * each);
        std::size_t largest = 0;
        for (auto &share : shares) {
            share.writer /= each;
            largest = std::max(largest, bytes_of(share.box, type));
        }
        if (largest <= bytes || largest == before) return shares;
        before = largest;
    }
}

/// For an engine that takes what a writer holds: a part for each, and small fields to one, in turn.
std::vector<Share> equal_shares(const Layout &layout, int field, int ranks, std::size_t bytes) {
    constexpr std::int64_t small = 64 << 10;
    const auto &f = layout.fields[field];
    if (f.bytes() <= small) return {{whole(f.shape), field % ranks}};
    std::vector<Share> shares;
    int rank = 0;
    for (const auto &part : divide(whole(f.shape), ranks)) {
        for (auto &slab : slabs(part, f.field.type, bytes)) shares.push_back({std::move(slab), rank});
        ++rank;
    }
    return shares;
}

/// Gives every rank as many of its shares in a round as fit.
std::vector<Round> in_rounds(const std::vector<Share> &shares, Type type, int ranks, std::size_t bytes) {
    std::vector<Round> all;
    std::vector<std::size_t> round(ranks, 0), filled(ranks, 0);
    for (const auto &share : shares) {
        const auto more = bytes_of(share.box, type);
        auto &n = round[share.writer];
        auto &used = filled[share.writer];
        if (used > 0 && used + more > bytes) {
            ++n;
            used = 0;
        }
        used += more;
        if (all.size() <= n) all.resize(n + 1);
        all[n].read.push_back(share);
    }
    return all;
}

/// All ranks read, the first one writes.
std::vector<Round> to_the_first(const FieldLayout &f, int ranks, std::size_t bytes) {
    std::vector<Round> all;
    for (const auto &slab : slabs(whole(f.shape), f.field.type, bytes)) {
        Round round{{}, {{slab, 0}}};
        int rank = 0;
        for (auto &part : divide(slab, ranks)) round.read.push_back({std::move(part), rank++});
        all.push_back(std::move(round));
    }
    return all;
}

} // namespace

Box whole(const std::vector<std::int64_t> &shape) {
    return {std::vector<std::int64_t>(shape.size(), 0), shape};
}

std::vector<Box> slabs(const Box &box, Type type, std::size_t bytes) {
    const auto d = std::ranges::find_if(box.count, [](std::int64_t n) { return n > 1; });
    if (bytes_of(box, type) <= bytes || d == box.count.end()) return {box};
    const auto pieces =
        std::min<std::int64_t>(*d, static_cast<std::int64_t>((bytes_of(box, type) + bytes - 1) / bytes));
    const auto at = d - box.count.begin();
    std::vector<Box> all;
    for (std::int64_t i = 0; i < pieces; ++i) {
        Box part = box;
        part.start[at] += *d * i / pieces;
        part.count[at] = *d * (i + 1) / pieces - *d * i / pieces;
        for (auto &slab : slabs(part, type, bytes)) all.push_back(std::move(slab));
    }
    return all;
}

std::vector<Round> rounds(const Layout &layout, int field, int ranks, std::size_t bytes) {
    const auto &f = layout.fields[field];
    switch (layout.engine->distribution) {
    case Distribution::to_first:
        return to_the_first(f, ranks, bytes);
    case Distribution::as_it_lies:
        return in_rounds(equal_shares(layout, field, ranks, bytes), f.field.type, ranks, bytes);
    case Distribution::by_shares:
        break;
    }
    return in_rounds(engine_shares(layout, field, ranks, bytes), f.field.type, ranks, bytes);
}

} // namespace squall::io::tools
