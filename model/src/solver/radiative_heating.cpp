// What radiation does to the flow: the heating of its last call becomes a tendency of theta.
#include "core/constants.hpp"
#include "solver/coupled_rate.hpp"
#include "solver/solver.hpp"

namespace squall {

/// Anew where a call is due; else that of the last call holds.
void Solver::find_radiation(const State &reference) {
    if (!radiation_->begin(seconds_)) return;
    radiation_->advance({initial_.grid, reference, p_.view(), initial_.ground, initial_.physics});
}

/// A rate of the potential temperature of dry air [K s-1], by radiation or gravity waves.
void Solver::add_dry_heating(Range tile, const State &reference, const Array3 &of_dry_theta) {
    const GridView &g = grid_;
    const bool moist = config_.moist_theta && scalars_.vapour >= 0;
    const ConstField3 theta = reference.theta.view();
    const ConstField3 vapour =
        moist ? reference.scalars[static_cast<std::size_t>(scalars_.vapour)].view() : theta;
    const ConstField3 heating = of_dry_theta.view();
    const real factor = moist ? constants::rv_over_rd : 0; // of the vapour in moist theta
    const auto rate = [=](int k, int j) {
        return [=, h = heating.row(k, j), q = vapour.row(k, j)](int i) { return h[i] * (1 + factor * q[i]); };
    };
    add_coupled_rate(inner_cells(tile).with_k(0, g.nz), g, reference.mu.view(), rate, held_->theta.view());
}

} // namespace squall
