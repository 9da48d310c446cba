#include "reduce/onto_levels.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"

namespace squall::io {
namespace {

double as(const OntoLevels &onto, double coordinate) {
    return onto.logarithmic ? std::log(coordinate) : coordinate;
}

/// Of a level beyond the ends of the column.
/// Linear between two values of the coordinate, or beyond them.
double fraction_of(const OntoLevels &onto, double level, double low, double high) {
    return (as(onto, level) - as(onto, low)) / (as(onto, high) - as(onto, low));
}

Bracket beyond(const OntoLevels &onto, const double *c, std::int64_t n, std::ptrdiff_t stride, double level) {
    const double first = c[0], last = c[(n - 1) * stride];
    if (onto.outside == OntoLevels::Outside::missing || !std::isfinite(first) || !std::isfinite(last))
        return {};
    const bool at_first = n == 1 || (level < first) == (first < last);
    const auto k = at_first ? 0 : n - 2;
    if (n == 1 || onto.outside == OntoLevels::Outside::nearest)
        return {static_cast<std::int32_t>(k), at_first ? 0.0 : 1.0};
    const double low = c[k * stride], high = c[(k + 1) * stride];
    if (low == high) return {};
    return {static_cast<std::int32_t>(k), fraction_of(onto, level, low, high)};
}

bool same_levels(const OntoLevels &a, const OntoLevels &b) {
    return a.over == b.over && a.coordinate.name == b.coordinate.name &&
           a.coordinate.place == b.coordinate.place && a.levels == b.levels &&
           a.logarithmic == b.logarithmic && a.outside == b.outside;
}

/// Calls f with the number of each point of a box, and its offset in two memories.
template <class F>
void for_points(const std::vector<std::int64_t> &count, const Strides &a, const Strides &b, F f) {
    std::vector<std::int64_t> at(count.size(), 0);
    std::ptrdiff_t in_a = 0, in_b = 0;
    const auto n = volume({{}, count});
    for (std::int64_t i = 0; i < n; ++i) {
        f(i, in_a, in_b);
        for (auto d = std::ssize(count) - 1; d >= 0; --d) {
            const auto k = static_cast<std::size_t>(d);
            in_a += a[k], in_b += b[k];
            if (++at[k] < count[k]) break;
            at[k] = 0;
            in_a -= a[k] * count[k], in_b -= b[k] * count[k];
        }
    }
}

bool is_fill(const OntoLevels &onto, double x) { return onto.fill && x == *onto.fill; }

} // namespace

Box onto_box(const OntoLevels &onto, const Box &source) {
    auto box = source;
    box.start[onto.over] = 0;
    box.count[onto.over] = std::ssize(onto.levels);
    return box;
}

/// The first crossing counts. The search is in the coordinate itself: logarithms take longer than all the
/// rest.
Bracket bracket(const OntoLevels &onto, const double *c, std::int64_t n, std::ptrdiff_t stride,
                double level) {
    for (std::int64_t k = 0; k + 1 < n; ++k) {
        const double here = c[k * stride], next = c[(k + 1) * stride];
        const bool between = (here <= level && level <= next) || (here >= level && level >= next);
        if (!between) continue;
        if (here == next || here == level) return {static_cast<std::int32_t>(k), 0};
        return {static_cast<std::int32_t>(k), std::clamp(fraction_of(onto, level, here, next), 0.0, 1.0)};
    }
    if (n == 1 && c[0] == level) return {0, 0};
    return beyond(onto, c, n, stride, level);
}

const std::vector<Bracket> &LevelFinder::find(const OntoLevels &onto, const Box &box,
                                              const Companions &companions) {
    for (const auto &known : known_)
        if (known.box == box && same_levels(*known.onto, onto)) return known.brackets;
    const auto coordinate = companions.of(onto.coordinate, box);
    const auto result = onto_box(onto, box);
    auto &known = known_.emplace_back(
        Known{&onto, box, std::vector<Bracket>(static_cast<std::size_t>(volume(result)))});
    auto columns = box.count;
    columns[onto.over] = 1;
    const auto levels = contiguous(result.count);
    for_points(columns, coordinate.strides, levels,
               [&](std::int64_t, std::ptrdiff_t from, std::ptrdiff_t to) {
                   for (std::size_t l = 0; l < onto.levels.size(); ++l)
                       known.brackets[static_cast<std::size_t>(to + static_cast<std::ptrdiff_t>(l) *
                                                                        levels[onto.over])] =
                           bracket(onto, coordinate.first + from, box.count[onto.over],
                                   coordinate.strides[onto.over], onto.levels[l]);
               });
    return known.brackets;
}

std::vector<double> LevelFinder::interpolate(const OntoLevels &onto, const Put &put,
                                             const Companions &companions) {
    const auto n = onto.domain[onto.over];
    if (put.box.start[onto.over] != 0 || put.box.count[onto.over] != n)
        throw Error(fmt::format("{} needs whole columns, but box {} has {} of {} points", onto.name,
                                text(put.box), put.box.count[onto.over], n));
    const auto &brackets = find(onto, put.box, companions);
    const auto result = onto_box(onto, put.box).count;
    auto strides = put.strides.empty() ? contiguous(put.box.count) : put.strides;
    const auto up = n > 1 ? strides[onto.over] : 0;
    const auto step = strides[onto.over];
    strides[onto.over] = 0; // the bracket says where in the column
    std::vector<double> values(brackets.size());
    with_element(put.memory, [&](auto element) {
        const auto *from = static_cast<const decltype(element) *>(put.data);
        for_points(result, strides, strides, [&](std::int64_t i, std::ptrdiff_t column, std::ptrdiff_t) {
            const auto &b = brackets[static_cast<std::size_t>(i)];
            auto &value = values[static_cast<std::size_t>(i)];
            value = onto.missing;
            if (b.point < 0) return;
            const auto *at = from + column + b.point * step;
            const auto low = static_cast<double>(at[0]), high = static_cast<double>(at[up]);
            if (is_fill(onto, low) || is_fill(onto, high)) return;
            value = (1 - b.fraction) * low + b.fraction * high;
        });
    });
    return values;
}

} // namespace squall::io
