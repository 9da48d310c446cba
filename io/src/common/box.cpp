#include "common/box.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

namespace squall::io {

std::int64_t volume(const Box &box) {
    return std::accumulate(box.count.begin(), box.count.end(), std::int64_t(1), std::multiplies<>());
}

Strides contiguous(const std::vector<std::int64_t> &count) {
    Strides strides(count.size());
    std::ptrdiff_t step = 1;
    for (std::size_t d = count.size(); d-- > 0;) {
        strides[d] = step;
        step *= count[d];
    }
    return strides;
}

/// start + count of a box that may be nonsense: wraps around instead of overflowing.
static std::int64_t end_of(std::int64_t start, std::int64_t count) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(start) + static_cast<std::uint64_t>(count));
}

std::string text(const Box &box) {
    std::vector<std::string> parts;
    for (std::size_t d = 0; d < box.start.size(); ++d)
        parts.push_back(fmt::format("{}:{}", box.start[d], end_of(box.start[d], box.count[d])));
    return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::ptrdiff_t offset_in(const Box &box, const std::vector<std::int64_t> &at) {
    const auto strides = contiguous(box.count);
    std::ptrdiff_t offset = 0;
    for (std::size_t d = 0; d < at.size(); ++d) offset += strides[d] * (at[d] - box.start[d]);
    return offset;
}

std::string misfit(const Box &box, const std::vector<std::int64_t> &shape) {
    if (box.start.size() != shape.size() || box.count.size() != shape.size())
        return fmt::format("a box with {} starts and {} counts for a field of {} dimensions",
                           box.start.size(), box.count.size(), shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (box.start[d] < 0 || box.count[d] < 0 || box.start[d] > shape[d] - box.count[d])
            return fmt::format("box {} reaches outside the field's extent [{}]", text(box),
                               fmt::join(shape, ", "));
    return "";
}

bool overlap(const Box &a, const Box &b) {
    for (std::size_t d = 0; d < a.start.size(); ++d)
        if (a.start[d] >= b.start[d] + b.count[d] || b.start[d] >= a.start[d] + a.count[d]) return false;
    return true;
}

namespace {

/// The dimension along which the boxes start at the most places: sorting along it leaves the
/// fewest pairs to compare.
std::size_t most_split_dimension(const std::vector<Box> &boxes) {
    std::size_t best = 0, most = 0;
    for (std::size_t d = 0; d < boxes.front().start.size(); ++d) {
        std::set<std::int64_t> starts;
        for (const auto &b : boxes) starts.insert(b.start[d]);
        if (starts.size() > most) {
            most = starts.size();
            best = d;
        }
    }
    return best;
}

std::string overlapping_pair(std::vector<Box> &boxes) {
    if (boxes.size() < 2) return "";
    if (boxes.front().start.empty()) return "it was put more than once";
    const auto d = most_split_dimension(boxes);
    std::ranges::sort(boxes, {}, [d](const Box &b) { return b.start[d]; });
    for (std::size_t i = 0; i < boxes.size(); ++i)
        for (std::size_t j = i + 1;
             j < boxes.size() && boxes[j].start[d] < boxes[i].start[d] + boxes[i].count[d]; ++j)
            if (overlap(boxes[i], boxes[j]))
                return fmt::format("boxes {} and {} overlap", text(boxes[i]), text(boxes[j]));
    return "";
}

/// The first point, in file order, that is in no box: it starts at the first index of its line, or
/// where another box ends.
std::string first_hole(const std::vector<Box> &boxes, const Box &whole) {
    const auto strides = contiguous(whole.count);
    const auto points = volume(whole);
    auto at = whole.start;
    for (std::int64_t p = 0; p < points;) {
        for (std::size_t d = 0; d < at.size(); ++d) at[d] = whole.start[d] + p / strides[d] % whole.count[d];
        const Box point{at, std::vector<std::int64_t>(at.size(), 1)};
        const auto owner = std::ranges::find_if(boxes, [&](const Box &b) { return overlap(b, point); });
        if (owner == boxes.end()) return fmt::format("[{}]", fmt::join(at, ", "));
        p += owner->start.back() + owner->count.back() - at.back();
    }
    return "";
}

} // namespace

std::string tiling_fault(const std::vector<Box> &boxes, const std::vector<std::int64_t> &shape) {
    return tiling_fault_in(whole_of(shape), boxes);
}

std::string tiling_fault_in(const Box &whole, const std::vector<Box> &boxes) {
    std::vector<Box> filled;
    std::ranges::copy_if(boxes, std::back_inserter(filled), [](const Box &b) { return volume(b) > 0; });
    const auto points = volume(whole);
    std::int64_t put = 0;
    for (const auto &b : filled) put += volume(b);
    if (filled.empty()) return "no rank put it";
    if (const auto twice = overlapping_pair(filled); !twice.empty()) return twice;
    if (put == points) return "";
    return fmt::format("{} of {} points were not put, the first at {}", points - put, points,
                       first_hole(filled, whole));
}

std::string covering_fault(const std::vector<Box> &boxes, const std::vector<std::int64_t> &shape) {
    std::vector<Box> left{whole_of(shape)};
    for (const auto &box : boxes) left = without(left, box);
    std::int64_t points = 0;
    for (const auto &box : left) points += volume(box);
    if (points == 0) return "";
    return fmt::format("{} of {} points were not put, among them {}", points, volume(whole_of(shape)),
                       text(left.front()));
}

Box intersection(const Box &a, const Box &b) {
    Box common = a;
    for (std::size_t d = 0; d < a.start.size(); ++d) {
        common.start[d] = std::max(a.start[d], b.start[d]);
        const auto end = std::min(a.start[d] + a.count[d], b.start[d] + b.count[d]);
        common.count[d] = std::max(end - common.start[d], std::int64_t(0));
    }
    return common;
}

std::vector<Box> around(const Box &whole, const Box &hole) {
    std::vector<Box> boxes;
    auto rest = whole;
    for (std::size_t d = 0; d < whole.start.size(); ++d) {
        const auto end = rest.start[d] + rest.count[d], hole_end = hole.start[d] + hole.count[d];
        if (rest.start[d] < hole.start[d]) {
            boxes.push_back(rest);
            boxes.back().count[d] = hole.start[d] - rest.start[d];
        }
        if (hole_end < end) {
            boxes.push_back(rest);
            boxes.back().start[d] = hole_end;
            boxes.back().count[d] = end - hole_end;
        }
        rest.start[d] = hole.start[d];
        rest.count[d] = hole.count[d];
    }
    return boxes;
}

std::vector<Box> without(const std::vector<Box> &boxes, const Box &points) {
    std::vector<Box> left;
    for (const auto &box : boxes) {
        const auto common = intersection(box, points);
        if (volume(common) == 0)
            left.push_back(box);
        else
            for (auto &other : around(box, common)) left.push_back(std::move(other));
    }
    return left;
}

Box whole_of(const std::vector<std::int64_t> &shape) {
    return {std::vector<std::int64_t>(shape.size(), 0), shape};
}

} // namespace squall::io
