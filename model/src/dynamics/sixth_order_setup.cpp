// Where the sixth-order filter acts.
#include "dynamics/sixth_order.hpp"

#include <limits>

namespace squall {

SixthOrderFilter::SixthOrderFilter(const DiffusionConfig &config, const Boundaries &sides, const Patch &patch,
                                   real dt)
    : factor_(static_cast<real>(config.sixth_order_factor)), coefficient_(factor_ / 64 / (2 * dt)),
      monotonic_(config.sixth_order == "monotonic") {
    constexpr int points_around = 3; // that its stencil reads
    constexpr int far = std::numeric_limits<int>::max() / 2;
    const auto left_alone = [](bool edge, Boundary side) {
        return edge && (side == Boundary::open || side == Boundary::specified);
    };
    inner_ = {left_alone(patch.at_west(), sides.west) ? points_around : -far,
              left_alone(patch.at_east(), sides.east) ? patch.shape.nx - points_around : far,
              left_alone(patch.at_south(), sides.south) ? points_around : -far,
              left_alone(patch.at_north(), sides.north) ? patch.shape.ny - points_around : far,
              0,
              patch.shape.nz};
}

} // namespace squall
