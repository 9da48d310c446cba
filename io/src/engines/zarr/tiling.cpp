/// Boxes of equal size that cover a shape, and where boxes meet.

#include <algorithm>

#include "common/box.hpp"
#include "engines/zarr/grid.hpp"

namespace squall::io::zarr {
namespace {

std::int64_t ceiling(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

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
