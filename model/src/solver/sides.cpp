// What the solver does where the sides of its domain are specified (boundary/), and what is read of a
// time.
#include <algorithm>
#include <limits>
#include <utility>

#include "grid/scalar_named.hpp"
#include "grid/surface_wind.hpp"
#include "solver/solver.hpp"

namespace squall {

void Solver::set_time(double seconds) {
    seconds_ = seconds;
    if (sea_) sea_->read(seconds);
    if (nudging_) nudging_->read(seconds);
    if (!boundary_) return;
    const bool news = boundary_->changes_at(seconds);
    boundary_->set_time(seconds, now_);
    if (news) boundary_->check_agrees(now_);
}

void Solver::set_time_step(double dt) {
    dt_ = static_cast<real>(dt);
    if (diffusion_) diffusion_->set_time_step(dt_);
    if (sixth_order_) sixth_order_->set_time_step(dt_);
    if (boundary_) boundary_->set_time_step(dt);
    if (microphysics_) microphysics_->set_time_step(dt_);
    if (boundary_layer_) boundary_layer_->set_time_step(dt_);
    if (radiation_) radiation_->set_time_step(dt);
    if (convection_) convection_->set_time_step(dt_);
    if (gravity_waves_) gravity_waves_->set_time_step(dt_);
    if (tracers_) tracers_->set_time_step(dt);
}

double Solver::next_change(double seconds) const {
    return boundary_ ? boundary_->next_change(seconds) : std::numeric_limits<double>::infinity();
}

void Solver::prepare_rim() {
    if (boundary_ && boundary_->needs_halo() && !diagnosed_) fill_state_halos(now_);
}

/// What the source does not know goes out as it is inside and comes in as everywhere else, but for aerosol:
/// air has that everywhere, and it comes in as it was there at the beginning of the step. WRF's comes in as
/// nothing.
void Solver::set_rim_scalars(State &result, real ahead) {
    const int aerosols[] = {scalar_named("QNWFA", scalars_), scalar_named("QNIFA", scalars_)};
    for_each_chain(cell_tiles_, scratch_, [&](const Chain &chain) {
        for (int n = 0; n < scalars_.size(); ++n) {
            const auto scalar = static_cast<std::size_t>(n);
            const Field3 q = result.scalars[scalar].view();
            const bool enters = boundary_->keeps_constants() && std::ranges::count(aerosols, n) > 0;
            if (boundary_->knows_scalar(n))
                boundary_->set_scalar(chain, n, ahead, q);
            else
                chain.run(
                    chain.tile(),
                    [=, rows = boundary_->specified(), ru = transport_->ru(), rv = transport_->rv(),
                     inflow = Inflow{real(scalars_.all[scalar].elsewhere),
                                     enters ? std::as_const(now_).scalars[scalar].view() : ConstField3{}}](
                        const Range &tile, const Scratch &) { rows.set_by_flow(tile, ru, rv, inflow, q); });
        }
    });
}

/// The specified rows are the source's at the end of the step, and air at the surface follows the ground.
void Solver::end_rim_step() {
    for_each_chain(cell_tiles_, scratch_, [&](const Chain &chain) { boundary_->impose(chain, now_); });
    const HaloField winds[] = {HaloField::of(now_.u, grid_.nz, Points::x_faces),
                               HaloField::of(now_.v, grid_.nz, Points::y_faces)};
    halo_.start(winds, 1);
    halo_.finish();
    launch(cell_tiles_, [g = grid_, s = now_.fields()](const Range &tile, const Scratch &) {
        set_surface_w(tile, g, s.u, s.v, s.w);
    });
}

} // namespace squall
