#include "globe/sides.hpp"

#include <algorithm>

namespace squall::transport {

void Sides::reach_to(const Patch &patch, const std::vector<int> &reach) {
    columns_ = patch.nx_domain, reach_ = reach;
    begins_.clear();
    for (int cx = 0; cx < patch.px; ++cx) begins_.push_back(region_of(patch, cx + patch.px * patch.cy).i0);
    begins_.push_back(patch.nx_domain);
}

int Sides::owner(int column) const {
    const auto after = std::ranges::upper_bound(begins_, column);
    return static_cast<int>(after - begins_.begin()) - 1;
}

std::int64_t Sides::wanted(int to, int from) const {
    std::int64_t cells = 0;
    for_each_wanted(to, from, [&](int, int, int) { ++cells; });
    return cells;
}

} // namespace squall::transport
