/// The weight of water in the dry-mass equations (Skamarock et al. 2019, eqs 2.38-2.40): pressure
/// gradients act on moist air, so that what they do to a unit of dry mass is alpha / alpha_d =
/// 1 / (1 + q_v + q_c + ...) of what they would do to dry air; and water adds its weight.
#pragma once

#include "core/array.hpp"
#include "core/few.hpp"
#include "core/loop.hpp"

namespace squall {

/// 1 / (1 + q) with q all water, averaged to west faces, south faces and inner interfaces
/// (interface 0 and nz are not set). Views without data stand for dry air.
struct MoistureFactors {
    ConstField3 u, v, w;
};

/// Calls f(factor) with factor(k, j)(i): the field's value, or the constant 1 where there is none,
/// which costs nothing.
template <class F> inline void with_factor(ConstField3 field, F f) {
    if (field.origin)
        f([=](int k, int j) { return [q = field.row(k, j)](int i) { return q[i]; }; });
    else
        f([](int, int) { return [](int) { return real(1); }; });
}

/// All species of water that there may be.
using WaterFields = Few<ConstField3, 6>;

/// Sums water into `total` on `range`, which no other thread may write.
inline void sum_water(Range range, const WaterFields &waters, Field3 total) {
    for_each_row(range, [&](int k, int j) {
        return [t = total.row(k, j), q = waters[0].row(k, j)](int i) { t[i] = q[i]; };
    });
    for (std::size_t n = 1; n < waters.size(); ++n)
        for_each_row(range, [&, n](int k, int j) {
            return [t = total.row(k, j), q = waters[n].row(k, j)](int i) { t[i] += q[i]; };
        });
}

/// The factors on the points of `range` and, of the faces, those that lie within it; `total` is read one
/// cell beyond it to the west and south.
inline void diagnose_moisture(Range range, ConstField3 total, Field3 u, Field3 v, Field3 w) {
    for_each_row(range, [=](int k, int j) {
        return [q = total.row(k, j), south = total.row(k, j - 1), below = total.row(k > 0 ? k - 1 : 0, j),
                u = u.row(k, j), v = v.row(k, j), w = w.row(k, j)](int i) {
            u[i] = 1 / (1 + real(0.5) * (q[i] + q[i - 1]));
            v[i] = 1 / (1 + real(0.5) * (q[i] + south[i]));
            w[i] = 1 / (1 + real(0.5) * (q[i] + below[i]));
        };
    });
}

} // namespace squall
