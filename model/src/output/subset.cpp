#include "output/subset.hpp"

namespace squall {
namespace {

Kept keep(int first, int last, int stride) { return {first, (last - first + 1) / stride, stride}; }

} // namespace

Subset Subset::make(const StreamConfig &s, int nx, int ny, int nz) {
    const bool whole = s.region.empty() || !s.average.empty(); // of which an average is made
    const auto region = whole ? std::vector{0, nx - 1, 0, ny - 1} : s.region;
    const auto levels = s.levels.empty() ? std::vector{0, nz - 1} : s.levels;
    return {keep(region[0], region[1], s.stride),
            keep(region[2], region[3], region[2] == region[3] ? 1 : s.stride),
            keep(levels[0], levels[1], levels.size() == 3 ? levels[2] : 1)};
}

bool Subset::everything(int nx, int ny, int nz) const {
    return x.count == nx && y.count == ny && z.count == nz;
}

std::vector<io::Selection> Subset::selections() const {
    std::vector<io::Selection> list;
    const auto add = [&](const char *cells, const char *faces, const Kept &k) {
        list.push_back({cells, k.first, k.first + k.count * k.stride, k.stride});
        list.push_back({faces, k.first, k.first + k.count * k.stride + 1, k.stride});
    };
    add("west_east", "west_east_stag", x);
    add("south_north", "south_north_stag", y);
    add("bottom_top", "bottom_top_stag", z);
    return list;
}

} // namespace squall
