#include "parallel/even_out.hpp"

#include <algorithm>
#include <numeric>

namespace squall {

std::vector<Handover> even_out(std::span<const double> work, double least) {
    std::vector<Handover> all;
    if (work.empty()) return all;
    const double mean = std::accumulate(work.begin(), work.end(), 0.0) / static_cast<double>(work.size());
    if (!(std::ranges::max(work) > mean * (1 + least))) return all;
    const int count = static_cast<int>(work.size());
    const auto above = [&](int n) { return work[static_cast<std::size_t>(n)] - mean; };
    int to = 0;
    double room = -above(0);
    for (int from = 0; from < count; ++from)
        for (double surplus = above(from); surplus > 0;) {
            while (room <= 0 && ++to < count) room = -above(to);
            if (to >= count) return all; // rounding left over
            const double part = std::min(surplus, room);
            if (part >= least * mean) all.push_back({from, to, part});
            surplus -= part, room -= part;
        }
    return all;
}

} // namespace squall
