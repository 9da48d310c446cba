/// The transfers of water between species at a point in one step.
///
/// Every process moves an amount from one species to another. Where the processes together would
/// take more than a species has, each is cut by the same factor: so nothing becomes negative and no
/// water is made or lost, in whatever order processes are noted.
#pragma once

#include <algorithm>
#include <array>

#include "physics/wsm6/point.hpp"

namespace squall::wsm6 {

class Exchange {
  public:
    /// Notes an amount >= 0 [kg kg-1].
    void move(Water from, Water to, real amount) {
        if (amount > 0) moves_[static_cast<std::size_t>(count_++)] = {from, to, amount};
    }

    /// A gain of `to` at the cost of `from`; the other way round where `amount` is negative.
    void swap(Water from, Water to, real amount) {
        move(from, to, amount);
        move(to, from, -amount);
    }

    /// Carries out what was noted, with its latent heat.
    void apply(Point &x) const;

  private:
    struct Move {
        Water from, to;
        real amount;
    };
    std::array<Move, 40> moves_;
    int count_ = 0;
};

} // namespace squall::wsm6
