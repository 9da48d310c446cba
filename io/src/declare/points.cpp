#include "declare/points.hpp"

#include <algorithm>
#include <numeric>

#include "common/box.hpp"

namespace squall::io {
namespace {

/// Ascending stretches of the indices, each with where its points lie in the list.
std::vector<Run> runs_of(const std::vector<std::int64_t> &indices, const Cut &cut) {
    std::vector<std::int64_t> order(indices.size());
    std::iota(order.begin(), order.end(), 0);
    const auto index = [&](std::int64_t at) { return indices[static_cast<std::size_t>(at)]; };
    std::ranges::sort(order, {}, index);
    std::vector<Run> runs;
    for (const auto at : order) {
        const auto beyond = index(at) - cut.start;
        if (beyond < 0 || beyond % cut.stride != 0 || beyond / cut.stride >= cut.size) continue;
        const auto in_file = beyond / cut.stride;
        if (runs.empty() || runs.back().box.start[0] + runs.back().box.count[0] != in_file)
            runs.push_back({{{in_file}, {0}}});
        ++runs.back().box.count[0];
        runs.back().at.push_back(at);
    }
    return runs;
}

} // namespace

Points::Points(const Decomposition &d, const Cut &cut)
    : unowned(d.unowned), dimensions(d.dimensions.size()), listed(!d.indices.empty()) {
    if (listed) {
        runs = runs_of(d.indices, cut);
        size = std::ssize(d.indices);
    }
    for (const auto &box : d.boxes) {
        runs.push_back({box, size});
        size += volume(box);
    }
}

} // namespace squall::io
