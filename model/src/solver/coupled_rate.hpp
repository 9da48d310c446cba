/// From the rate of a quantity of the air to the tendency of what the equations advance.
#pragma once

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// tend += (c1 (mub + mu) + c2) / msfty x rate, on cells: NCAR/TN-556, eq. 2.24. rate(k, j) gives the
/// function of i.
template <class Rate>
void add_coupled_rate(Range cells, const GridView &g, ConstField2 mu, Rate rate, Field3 tend) {
    for_each_row(cells, [&](int k, int j) {
        return [t = tend.row(k, j), r = rate(k, j), mub = g.mub.row(j), mu = mu.row(j), s = g.msfty.row(j),
                c1 = g.c1h[k], c2 = g.c2h[k]](int i) { t[i] += (c1 * (mub[i] + mu[i]) + c2) / s[i] * r(i); };
    });
}

/// The same of a rate that stands in an array.
inline void add_coupled_rate(Range cells, const GridView &g, ConstField2 mu, ConstField3 rate, Field3 tend) {
    add_coupled_rate(
        cells, g, mu, [=](int k, int j) { return [r = rate.row(k, j)](int i) { return r[i]; }; }, tend);
}

/// Rate of moist theta, theta_d (1 + f q) - theta0 with f = R_v / R_d, from those of dry potential
/// temperature theta_d and of vapour q.
inline real moist_theta_rate(real of_dry, real of_vapour, real moist_theta, real q) {
    constexpr real f = constants::rv_over_rd;
    const real one = 1 + f * q, dry = (moist_theta + constants::theta0) / one;
    return of_dry * one + f * dry * of_vapour;
}

} // namespace squall
