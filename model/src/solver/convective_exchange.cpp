// What convection that the grid does not resolve does to the air: rates of columns become tendencies.
#include "solver/solver.hpp"

#include "core/constants.hpp"

namespace squall {

void Solver::find_convection(const State &reference) {
    if (!convection_->due(seconds_)) return;
    for_each_tile(cell_tiles_, [&](const Range &tile) {
        convection_->advance(inner_cells(tile), grid_, reference, p_.view(), al_.view(), initial_.physics);
    });
}

void Solver::add_convection(Range tile, const State &reference) {
    const ConvectionState &c = initial_.physics.convection;
    const GridView &g = grid_;
    const Range inner = inner_cells(tile).with_k(0, g.nz);
    const auto add = [&](ConstField3 rate, Field3 tend) {
        for_each_row(inner, [&](int k, int j) {
            return [t = tend.row(k, j), r = rate.row(k, j), mub = g.mub.row(j),
                    mu = reference.mu.view().row(j), s = g.msfty.row(j), c1 = g.c1h[k],
                    c2 = g.c2h[k]](int i) { t[i] += (c1 * (mub[i] + mu[i]) + c2) / s[i] * r[i]; };
        });
    };
    const auto add_to_scalar = [&](const Array3 &rate, int n) {
        if (n >= 0) add(rate.view(), held_->scalars[static_cast<std::size_t>(n)].view());
    };
    add_to_scalar(c.vapour, scalars_.vapour);
    add_to_scalar(c.cloud, scalars_.cloud);
    add_to_scalar(c.rain, scalars_.rain);
    add_to_scalar(c.ice, scalars_.ice);
    add_to_scalar(c.snow, scalars_.snow);
    const ConstField3 vapour = reference.scalars[static_cast<std::size_t>(scalars_.vapour)].view();
    constexpr real factor = constants::r_v / constants::r_d;
    for_each_row(inner, [&](int k, int j) {
        return [t = held_->theta.view().row(k, j), heat = c.heating.view().row(k, j),
                dq = c.vapour.view().row(k, j), theta = reference.theta.view().row(k, j),
                q = vapour.row(k, j), moist = config_.moist_theta, mub = g.mub.row(j),
                mu = reference.mu.view().row(j), s = g.msfty.row(j), c1 = g.c1h[k], c2 = g.c2h[k]](int i) {
            // d(theta (1 + f q)) = (1 + f q) dtheta + f theta dq
            const real one = 1 + factor * q[i], dry = (theta[i] + constants::theta0) / one;
            const real rate = moist ? heat[i] * one + factor * dry * dq[i] : heat[i];
            t[i] += (c1 * (mub[i] + mu[i]) + c2) / s[i] * rate;
        };
    });
}

} // namespace squall
