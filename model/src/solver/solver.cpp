#include "solver/solver.hpp"

#include <span>
#include <utility>

#include "dynamics/mass_flux.hpp"
#include "dynamics/rotation.hpp"
#include "dynamics/stage_end.hpp"
#include "dynamics/state_equation.hpp"
#include "solver/substeps.hpp"

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
    slow_tendencies(reference, part.first);
    acoustic_substeps(reference, substeps, part);
    advance_fluxes(substeps);
    finish(reference, result, part.last);
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

StageReference Solver::stage_reference(const State &reference, bool first) {
    return {reference.u.view(),
            reference.v.view(),
            reference.w.view(),
            reference.theta.view(),
            reference.ph.view(),
            reference.mu.view(),
            muu_.view(),
            muv_.view(),
            dmudt_.view(),
            alt_.view(),
            php_.view(),
            p_.view(),
            tend_.u.view(),
            tend_.v.view(),
            tend_.w.view(),
            tend_.theta.view(),
            tend_.ph.view(),
            moisture_factors(),
            first && boundary_ ? ConstField2(held_->mu.view()) : ConstField2{}};
}

Substeps Solver::substeps_of(const State &reference, int count, StageOfStep part) {
    return {grid_,
            faces_,
            whole_vectors_,
            {0, grid_.nx, 0, grid_.ny, 0, grid_.nz},
            inner_,
            acoustic_settings(part.dt / static_cast<real>(count)),
            stage_reference(reference, part.first),
            {now_.u.view(), now_.v.view(), now_.w.view(), now_.theta.view(), now_.ph.view(), now_.mu.view(),
             muu_now_.view(), muv_now_.view()},
            acoustic_.fields(),
            ru_.view(),
            rv_.view(),
            boundary_ ? std::optional(boundary_->specified()) : std::nullopt,
            transport_ ? transport_->substep_sum() : SubstepSum{},
            part.last ? sides_.lines() : SideLines{},
            count,
            part.dt,
            part.first};
}

void Solver::acoustic_substeps(const State &reference, int count, StageOfStep part) {
    const Substeps steps = substeps_of(reference, count, part);
    halo_.finish(); // the slow tendencies' last faces, on their way since slow_tendencies
    // No pressure gradient acts on faces at an edge of the domain.
    const int nz = grid_.nz;
    const HaloField with_al[] = {HaloField::of(acoustic_.p, nz).inside(),
                                 HaloField::of(acoustic_.ph, nz + 1).inside(), HaloField::of(acoustic_.mu),
                                 HaloField::of(acoustic_.dmudt), HaloField::of(acoustic_.al, nz).inside()};
    const auto between = std::span(with_al).first(grid_.level_base ? 4 : 5);
    const HaloField after[] = {HaloField::of(acoustic_.mu), HaloField::of(acoustic_.dmudt)};
    const bool at_once = stage_at_once(count);
    for (int begin = 0, end = 0; begin < steps.kernels(); begin = end) {
        end = begin + 1;
        while (end < steps.kernels() && (at_once || !steps.ends_substep(end - 1))) ++end;
        if (!in_wavefronts()) {
            for (int kernel = begin; kernel < end; ++kernel)
                launch(kernel == 0 ? wide_tiles_ : cell_tiles_,
                       [=](const Range &tile, const Scratch &scratch) { steps.run(kernel, tile, scratch); });
        } else {
            run_wavefront(
                row_parts_, scratch_, end - begin, [&](int n) { return Substeps::reach(begin + n); },
                [&](int n, const Range &row, const Scratch &scratch) {
                    steps.run_row(begin + n, row, scratch);
                    if (at_once && steps.ends_substep(begin + n))
                        halo_.fill_row_ends(between, 1, row.j0, row.j1);
                });
        }
        for (int n = 1; at_once && n < count; ++n) halo_.count(between, 1);
        halo_.start(end == steps.kernels() ? std::span<const HaloField>(after) : between, 1);
        halo_.finish();
    }
    if (boundary_)
        launch(cell_tiles_, [rows = boundary_->specified(), dt = part.dt, w = acoustic_.w.view()](
                                const Range &tile, const Scratch &) { rows.finish_w(tile, dt, w); });
}

bool Solver::in_wavefronts() const { return !chains_are_launched() && tile_size_.x >= grid_.nx; }

bool Solver::stage_at_once(int substeps) const {
    const Reach all = Substeps::reach_of(substeps);
    const int rows = grid_.ny / static_cast<int>(row_parts_.size());
    return in_wavefronts() && halo_.is_alone() && (row_parts_.size() == 1 || rows >= all.south + all.north);
}

void Solver::finish(const State &reference, State &result, bool last) {
    const ConstField3 heating = last ? this->heating() : ConstField3{};
    const StageEnd end{grid_, faces_, stage_reference(reference, false), acoustic_.fields(), result.fields()};
    launch(cell_tiles_, [=](const Range &tile, const Scratch &) { end.add_departures(tile); });
    if (heating.origin)
        launch(cell_tiles_, [=, dt = dt_](const Range &tile, const Scratch &) {
            end.take_heating_back(tile, heating, dt);
        });
    // Last, because the masses above are those of the reference, which may be the result itself.
    launch(cell_tiles_, [=](const Range &tile, const Scratch &) { end.add_mass_departure(tile); });
}

} // namespace squall
