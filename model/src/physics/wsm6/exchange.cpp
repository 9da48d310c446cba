#include "physics/wsm6/exchange.hpp"

namespace squall::wsm6 {
namespace {

/// Heat that is set free when vapour becomes this [J kg-1].
real bound_heat(Water w) {
    if (w == Water::vapour) return 0;
    return w == Water::cloud || w == Water::rain ? l_v : l_s;
}

} // namespace

void Exchange::apply(Point &x) const {
    Mixture wanted{}, left = x.q, gained{};
    for (int n = 0; n < count_; ++n) wanted[moves_[n].from] += moves_[n].amount;
    real heat = 0;
    for (int n = 0; n < count_; ++n) {
        const Move &m = moves_[n];
        const real there = std::max(x.q[m.from], real(0));
        const real share = wanted[m.from] > there ? there / wanted[m.from] : real(1);
        const real amount = std::min(m.amount * share, std::max(left[m.from], real(0)));
        left[m.from] -= amount;
        gained[m.to] += amount;
        heat += amount * (bound_heat(m.to) - bound_heat(m.from));
    }
    for (std::size_t w = 0; w < x.q.q.size(); ++w) x.q.q[w] = left.q[w] + gained.q[w];
    x.temperature += heat / heat_capacity;
}

} // namespace squall::wsm6
