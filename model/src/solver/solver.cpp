#include "solver/solver.hpp"

#include <span>
#include <utility>

#include "dynamics/mass_flux.hpp"
#include "dynamics/rotation.hpp"
#include "dynamics/stage_end.hpp"
#include "dynamics/state_equation.hpp"
#include "parallel/wavefront.hpp"

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

void Solver::acoustic_substeps(const State &reference, int substeps, StageOfStep part) {
    const AcousticSettings settings = acoustic_settings(part.dt / static_cast<real>(substeps));
    const StageReference ref = stage_reference(reference, part.first);
    const PresentState now{now_.u.view(),  now_.v.view(),  now_.w.view(),   now_.theta.view(),
                           now_.ph.view(), now_.mu.view(), muu_now_.view(), muv_now_.view()};
    const AcousticFields departure = acoustic_.fields();
    const int nz = grid_.nz;
    launch(wide_tiles_, [=, g = grid_, whole = whole_vectors_](const Range &tile, const Scratch &) {
        const Range wide = whole(tile);
        if (part.first)
            clear_departure(wide, g, ref, departure);
        else
            prepare_departure(wide, g, ref, now, departure);
        factor_vertical_solver(wide, g, settings, ref, departure);
    });
    halo_.finish(); // the slow tendencies' last faces, on their way since slow_tendencies
    // No pressure gradient acts on faces at an edge of the domain.
    const HaloField with_al[] = {HaloField::of(acoustic_.p, nz).inside(),
                                 HaloField::of(acoustic_.ph, nz + 1).inside(), HaloField::of(acoustic_.mu),
                                 HaloField::of(acoustic_.dmudt), HaloField::of(acoustic_.al, nz).inside()};
    const auto between = std::span(with_al).first(grid_.level_base ? 4 : 5);
    const HaloField after[] = {HaloField::of(acoustic_.mu), HaloField::of(acoustic_.dmudt)};
    for (int n = 1; n <= substeps; ++n) {
        const bool last = n == substeps;
        substep(settings, ref, part, n == 1, last);
        halo_.start(last ? std::span<const HaloField>(after) : between, 1);
        halo_.finish();
    }
    if (boundary_)
        launch(cell_tiles_, [rows = boundary_->specified(), dt = part.dt, w = acoustic_.w.view()](
                                const Range &tile, const Scratch &) { rows.finish_w(tile, dt, w); });
}

void Solver::substep(const AcousticSettings &settings, const StageReference &ref, StageOfStep part,
                     bool first, bool last) {
    const AcousticFields departure = acoustic_.fields();
    const auto rim = boundary_ ? std::optional(boundary_->specified()) : std::nullopt;
    const SubstepSum sum = transport_ ? transport_->substep_sum(first) : SubstepSum{};
    const auto momentum = [=, g = grid_, faces = faces_, inner = inner_,
                           at_rest = part.first && first](const Range &tile, const Scratch &scratch) {
        advance_momentum(tile.within(inner), g, settings, ref, faces, at_rest, departure, scratch);
        if (rim) rim->advance_momentum(tile, settings.dts, departure);
    };
    const SideLines sides = part.last ? sides_.lines() : SideLines{};
    const auto columns = [=, g = grid_, inner = inner_, ru = ConstField3(ru_.view()),
                          rv = ConstField3(rv_.view())](const Range &tile, const Scratch &scratch) {
        // Here, where the faces that the next tile has are advanced too.
        sum.add(tile, departure.u, departure.v);
        sides.add_mass(tile, g, departure.u, departure.v, settings.dts);
        if (first) sides.add_mass(tile, g, ru, rv, part.dt);
        advance_columns(tile.within(inner), g, settings, ref, last, departure, scratch);
        if (!rim) return;
        rim->advance_columns(tile, settings.dts, ref.ph, ref.mu, departure);
        if (!last)
            rim->for_each_line(
                tile, [&](Range line) { update_pressure(line, g, settings, ref, departure, scratch); });
    };
    // The pressure gradient looks at the row to the south, the divergence at the faces to the north.
    launch_wavefront(cell_tiles_, scratch_, momentum, columns);
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
