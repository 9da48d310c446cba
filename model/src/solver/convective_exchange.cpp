// What convection that the grid does not resolve does to the air: rates of columns become tendencies.
#include <algorithm>

#include "solver/coupled_rate.hpp"
#include "solver/solver.hpp"

namespace squall {

void Solver::find_convection(const State &reference) {
    const bool due = convection_->due(seconds_);
    for_each_tile(cell_tiles_, [&](const Range &tile) {
        convection_->follow(inner_cells(tile), due, reference, initial_.physics.convection);
    });
    if (!due) return;
    const auto view = [](const Array3 &a) { return a.bytes() > 0 ? a.view() : ConstField3{}; };
    const Array2 &land = initial_.ground.land;
    const Convection::Surroundings around{p_.view(),
                                          al_.view(),
                                          omega_.view(),
                                          view(dtheta_dt_),
                                          view(dvapour_dt_),
                                          view(initial_.physics.radiation.heating),
                                          land.bytes() > 0 ? land.view() : ConstField2{}};
    for_each_tile(cell_tiles_, [&](const Range &tile) {
        convection_->advance(inner_cells(tile), grid_, reference, around, initial_.physics);
    });
}

/// Rows without convection are left alone.
void Solver::add_convection(Range tile, const State &reference) {
    const ConvectionState &c = initial_.physics.convection;
    const GridView &g = grid_;
    const ConstField2 mu = reference.mu.view();
    const ConstField3 vapour = reference.scalars[static_cast<std::size_t>(scalars_.vapour)].view();
    const auto heating = [&](int k, int j) {
        return [heat = c.heating.view().row(k, j), dq = c.vapour.view().row(k, j),
                theta = reference.theta.view().row(k, j), q = vapour.row(k, j), moist = config_.moist_theta](
                   int i) { return moist ? moist_theta_rate(heat[i], dq[i], theta[i], q[i]) : heat[i]; };
    };
    const Range inner = inner_cells(tile).with_k(0, g.nz);
    for (int j = inner.j0; j < inner.j1; ++j) {
        const real *left = c.remaining.view().row(j);
        if (std::none_of(left + inner.i0, left + inner.i1, [](real t) { return t > 0; })) continue;
        const Range row = inner.with_j(j, j + 1);
        const auto add_to_scalar = [&](const Array3 &rate, int n) {
            if (n < 0) return;
            add_coupled_rate(row, g, mu, rate.view(), held_->scalars[static_cast<std::size_t>(n)].view());
        };
        add_to_scalar(c.vapour, scalars_.vapour);
        add_to_scalar(c.cloud, scalars_.cloud);
        add_to_scalar(c.rain, scalars_.rain);
        add_to_scalar(c.ice, scalars_.ice);
        add_to_scalar(c.snow, scalars_.snow);
        add_coupled_rate(row, g, mu, heating, held_->theta.view());
    }
}

} // namespace squall
