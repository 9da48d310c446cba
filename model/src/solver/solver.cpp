#include "solver/solver.hpp"

#include <span>
#include <utility>

#include "dynamics/mass_flux.hpp"
#include "dynamics/rotation.hpp"
#include "dynamics/state_equation.hpp"

namespace squall {

void Solver::step() {
    // The first stage takes one substep of a third of the step; the others substeps of equal length
    // (Wicker and Skamarock 2002; Skamarock et al. 2019, section 3.1.3). The second and third
    // stages start from time t again and read the tendencies of the stage before.
    stage(now_, next_, 1, {dt_ / 3, true, false});
    stage(next_, next_, substeps_ / 2, {dt_ / 2, false, false});
    stage(next_, next_, substeps_, {dt_, false, true});
    std::swap(now_, next_);
    device::finish();
    sides_.end_step(dt_, boundary_ ? boundary_->relaxed_water() : ExactSum());
    if (microphysics_ || tracers_) run_column_physics();
    if (boundary_) end_rim_step();
    device::finish(); // what is between steps is the host's
}

void Solver::stage(State &reference, State &result, int substeps, StageOfStep part) {
    prepare_stage(reference, part.first);
    if (part.first) find_held_tendencies(reference);
    run_kernels(kernels_of(reference, result, substeps, part));
    advance_fluxes(substeps);
    advance_scalars(reference, result, part);
}

void Solver::prepare_stage(State &reference, bool first) {
    const bool diagnosed = first && std::exchange(diagnosed_, false);
    if (!diagnosed) fill_state_halos(reference);
    State &s = reference;
    launch(flux_tiles_, [g = grid_, flow = flow_view(s), muu = muu_.view(), muv = muv_.view(),
                         ru = ru_.view(), rv = rv_.view()](const Range &tile, const Scratch &) {
        face_column_mass(tile, g, flow.mu, muu, muv);
        couple_momentum(tile, g, flow.u, flow.v, muu, muv, ru, rv);
    });
    if (first) {
        muu_now_.copy_from(muu_);
        muv_now_.copy_from(muv_);
    }
    if (scalars_.moist()) diagnose_water(s);
    launch(wide_tiles_, [g = grid_, flow = flow_view(s), omega = omega_.view(), dmudt = dmudt_.view(),
                         pressure = pressure_of(s), diagnosed, curvature = curvature_,
                         turned = CurvatureFields{rw_.view(), turning_.view()},
                         whole = whole_vectors_](const Range &tile, const Scratch &) {
        diagnose_omega(tile, g, flow.ru, flow.rv, omega, dmudt);
        if (!diagnosed) pressure.diagnose(whole(tile), g);
        if (curvature) diagnose_curvature(tile.with_k(0, g.nz), g, flow, turned);
    });
}

void Solver::diagnose() {
    if (std::exchange(diagnosed_, true)) return;
    fill_state_halos(now_);
    launch(wide_tiles_, [g = grid_, pressure = pressure_of(now_), whole = whole_vectors_](
                            const Range &tile, const Scratch &) { pressure.diagnose(whole(tile), g); });
    device::finish();
}

PressureDiagnosis Solver::pressure_of(const State &s) {
    return {logarithmic_, s.theta.view(), vapour_for_pressure(s),
            s.ph.view(),  s.mu.view(),    al_.view(),
            p_.view(),    alt_.view(),    php_.view()};
}

void Solver::diagnose_water(const State &s) {
    WaterFields waters;
    for (int n = 0; n < scalars_.waters; ++n) waters.push_back(s.scalars[static_cast<std::size_t>(n)].view());
    const int nz = grid_.nz;
    // The factors look one cell to the west and south: of the sums there, each belongs to one tile too.
    launch(wide_tiles_, [=, total = water_.view()](const Range &tile, const Scratch &) {
        sum_water({tile.i0 == -1 ? -2 : tile.i0, tile.i1, tile.j0 == -1 ? -2 : tile.j0, tile.j1, 0, nz},
                  waters, total);
    });
    launch(wide_tiles_, [total = std::as_const(water_).view(), u = moist_u_.view(), v = moist_v_.view(),
                         w = moist_w_.view(), nz](const Range &tile, const Scratch &) {
        diagnose_moisture(tile.with_k(0, nz), total, u, v, w);
    });
}

void Solver::run_column_physics() {
    if (microphysics_ || tracers_->mixes())
        launch(cell_tiles_, [g = grid_, pressure = pressure_of(now_)](const Range &tile, const Scratch &) {
            pressure.diagnose(tile, g);
        });
    if (tracers_ || convection_)
        for_each_tile(inner_tiles_, [&](const Range &columns) {
            if (tracers_) tracers_->advance(columns, grid_, now_, p_.view(), seconds_, initial_.physics.fire);
            if (convection_) convection_->finish(columns, initial_.physics);
        });
    if (microphysics_)
        microphysics_->advance(inner_tiles_, grid_, now_, p_.view(), al_.view(), initial_.physics,
                               initial_.ground);
}

/// The fluxes that scalars move with, from what the substeps added up.
void Solver::advance_fluxes(int substeps) {
    if (transport_) transport_->finish_substeps(substeps, ru_.view(), rv_.view());
}

void Solver::advance_scalars(const State &reference, State &result, StageOfStep part) {
    if (!transport_) return;
    static const std::vector<Array3> none;
    transport_->advance(now_.scalars, reference.scalars, result.scalars, held_ ? held_->scalars : none,
                        now_.mu.view(), result.mu.view(),
                        inner_cells({0, grid_.nx, 0, grid_.ny, 0, grid_.nz}), part);
    if (boundary_) set_rim_scalars(result, part.dt);
    if (scalars_.tke < 0) return;
    const Field3 tke = result.scalars[static_cast<std::size_t>(scalars_.tke)].view();
    launch(cell_tiles_,
           [tke, nz = grid_.nz](const Range &tile, const Scratch &) { bound_tke(tile.with_k(0, nz), tke); });
}

} // namespace squall
