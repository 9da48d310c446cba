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
    end_crossing();
    if (microphysics_ || tracers_) run_column_physics();
    if (boundary_) end_rim_step();
}

/// What has crossed the sides in this step.
void Solver::end_crossing() {
    ExactSum relaxed;
    for (ExactSum &of_thread : relaxed_) relaxed += std::exchange(of_thread, {});
    sides_.end_step(dt_, relaxed);
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
    if (first) acoustic_.dmudt.fill(0);
    State &s = reference;
    for_each_tile(flux_tiles_, [&](const Range &tile) {
        face_column_mass(tile, grid_, s.mu.view(), muu_.view(), muv_.view());
        couple_momentum(tile, grid_, s.u.view(), s.v.view(), muu_.view(), muv_.view(), ru_.view(),
                        rv_.view());
    });
    if (first) {
        muu_now_.copy_from(muu_);
        muv_now_.copy_from(muv_);
    }
    if (scalars_.moist()) diagnose_water(s);
    for_each_tile(wide_tiles_, [&](const Range &tile) {
        diagnose_omega(tile, grid_, ru_.view(), rv_.view(), omega_.view(), dmudt_.view());
        if (!diagnosed) diagnose_pressure_on(in_whole_vectors(tile), s);
        if (curvature_)
            diagnose_curvature(tile.with_k(0, grid_.nz), grid_, flow_view(s), {rw_.view(), turning_.view()});
    });
}

void Solver::diagnose() {
    if (std::exchange(diagnosed_, true)) return;
    fill_state_halos(now_);
    for_each_tile(wide_tiles_,
                  [&](const Range &tile) { diagnose_pressure_on(in_whole_vectors(tile), now_); });
}

void Solver::diagnose_pressure_on(Range tile, const State &s) {
    diagnose_pressure(tile, grid_, logarithmic_, s.theta.view(), vapour_for_pressure(s), s.ph.view(),
                      s.mu.view(), al_.view(), p_.view(), alt_.view(), php_.view());
}

void Solver::diagnose_water(const State &s) {
    const auto water = std::span(s.scalars).first(static_cast<std::size_t>(scalars_.waters));
    const int nz = grid_.nz;
    // The factors look one cell to the west and south: of the sums there, each belongs to one tile too.
    for_each_tile(wide_tiles_, [&](const Range &tile) {
        const Range own{tile.i0 == -1 ? -2 : tile.i0, tile.i1, tile.j0 == -1 ? -2 : tile.j0, tile.j1, 0, nz};
        sum_water(own, water, water_.view());
    });
    for_each_tile(wide_tiles_, [&](const Range &tile) {
        diagnose_moisture(tile.with_k(0, nz), std::as_const(water_).view(), moist_u_.view(), moist_v_.view(),
                          moist_w_.view());
    });
}

void Solver::run_column_physics() {
    if (microphysics_ || tracers_->mixes())
        for_each_tile(cell_tiles_, [&](const Range &tile) { diagnose_pressure_on(tile, now_); });
    for_each_tile(cell_tiles_, [&](const Range &tile) {
        const Range columns = inner_cells(tile);
        if (tracers_) tracers_->advance(columns, grid_, now_, p_.view(), seconds_);
        if (convection_) convection_->finish(columns, initial_.physics);
        if (microphysics_)
            microphysics_->advance(columns, grid_, now_, p_.view(), al_.view(), initial_.physics);
    });
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
    for_each_tile(cell_tiles_, [&](const Range &tile) { bound_tke(tile.with_k(0, grid_.nz), tke); });
}

void Solver::acoustic_substeps(const State &reference, int substeps, StageOfStep part) {
    const bool first = part.first;
    const real dt = part.dt;
    const AcousticSettings settings = acoustic_settings(dt / static_cast<real>(substeps));
    const StageReference ref{reference.u.view(),
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
    const PresentState now{now_.u.view(),  now_.v.view(),  now_.w.view(),   now_.theta.view(),
                           now_.ph.view(), now_.mu.view(), muu_now_.view(), muv_now_.view()};
    const int nz = grid_.nz;
    for_each_tile(wide_tiles_, [&](const Range &tile) {
        const Range wide = in_whole_vectors(tile);
        if (first)
            clear_departure(wide, grid_, ref, acoustic_);
        else
            prepare_departure(wide, grid_, ref, now, acoustic_);
        factor_vertical_solver(wide, grid_, settings, ref, acoustic_);
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
        for_each_tile(cell_tiles_, [&](const Range &tile) {
            advance_momentum(inner_cells(tile), grid_, settings, ref, u_range_, v_range_, first && n == 1,
                             acoustic_, scratch());
            if (boundary_) boundary_->advance_momentum(tile, settings.dts, acoustic_);
            if (transport_) transport_->add_substep(tile, acoustic_.u.view(), acoustic_.v.view(), n == 1);
        });
        for_each_tile(cell_tiles_, [&](const Range &tile) {
            // Here, where the faces that the next tile has are advanced too.
            if (part.last) sides_.add_mass(tile, acoustic_.u.view(), acoustic_.v.view(), settings.dts);
            if (part.last && n == 1) sides_.add_mass(tile, ru_.view(), rv_.view(), dt);
            advance_columns(inner_cells(tile), grid_, settings, ref, last, acoustic_, scratch());
            if (boundary_) advance_rim_columns(tile, settings, ref, last);
        });
        if (last)
            halo_.start(after, 1);
        else
            halo_.start(between, 1);
        halo_.finish();
    }
    if (boundary_)
        for_each_tile(cell_tiles_,
                      [&](const Range &tile) { boundary_->finish_w(tile, dt, acoustic_.w.view()); });
}

namespace {

/// out = (metric departure + old mass_old) / mass_new, masses being c1 mu + c2 of a level; as what is added
/// to the old value, so that rounding is that of the change.
template <class Metric, class Change, class New>
void uncouple(Range range, ConstProfile c1, ConstProfile c2, Metric metric, Change change, New mass_new,
              ConstField3 departure, ConstField3 old, Field3 out) {
    for_each_row(range, [&](int k, int j) {
        return [m = metric(j), d = change(j), mn = mass_new(j), dep = departure.row(k, j), q = old.row(k, j),
                out = out.row(k, j), a = c1[k],
                b = c2[k]](int i) { out[i] = q[i] + (m(i) * dep[i] - q[i] * (a * d(i))) / (a * mn(i) + b); };
    });
}

} // namespace

/// The microphysics of this step replaces that of the last: theta without the latter's share.
template <class Old, class New> void Solver::take_heating_back(Old mass_old, New mass_new, State &result) {
    for_each_tile(cell_tiles_, [&](const Range &tile) {
        for_each_row(tile.with_k(0, grid_.nz), [&](int k, int j) {
            return [theta = result.theta.view().row(k, j), c1 = grid_.c1h[k], c2 = grid_.c2h[k],
                    h = std::as_const(initial_.physics.heating).view().row(k, j), mo = mass_old(j),
                    mn = mass_new(j),
                    dt = dt_](int i) { theta[i] -= dt * (c1 * mo(i) + c2) * h[i] / (c1 * mn(i) + c2); };
        });
    });
}

void Solver::finish(const State &reference, State &result, bool last) {
    const GridView &g = grid_;
    AcousticState &a = acoustic_;
    const ConstField2 mu_ref = reference.mu.view(), mu_dep = std::as_const(a.mu).view();
    const auto mass_ref = [&](int j) {
        return [mub = g.mub.row(j), mu = mu_ref.row(j)](int i) { return mub[i] + mu[i]; };
    };
    const auto mass_new = [&](int j) {
        return [old = mass_ref(j), dep = mu_dep.row(j)](int i) { return old(i) + dep[i]; };
    };
    const auto change = [&](int j) { return [dep = mu_dep.row(j)](int i) { return dep[i]; }; };
    const auto change_u = [&](int j) {
        return [dep = mu_dep.row(j)](int i) { return real(0.5) * (dep[i] + dep[i - 1]); };
    };
    const auto change_v = [&](int j) {
        return [dep = mu_dep.row(j), south = mu_dep.row(j - 1)](int i) {
            return real(0.5) * (dep[i] + south[i]);
        };
    };
    const auto mass_new_u = [&](int j) {
        return [m = mass_new(j)](int i) { return real(0.5) * (m(i) + m(i - 1)); };
    };
    const auto mass_new_v = [&](int j) {
        return [m = mass_new(j), south = mass_new(j - 1)](int i) { return real(0.5) * (m(i) + south(i)); };
    };
    const auto row_of = [](ConstField2 q) {
        return [=](int j) { return [q = q.row(j)](int i) { return q[i]; }; };
    };
    for_each_tile(cell_tiles_, [&](const Range &tile) {
        const Range layers = tile.with_k(0, g.nz), interfaces = tile.with_k(0, g.nz + 1);
        uncouple(u_faces(layers), g.c1h, g.c2h, row_of(g.msfuy), change_u, mass_new_u, a.u.view(),
                 reference.u.view(), result.u.view());
        uncouple(v_faces(layers), g.c1h, g.c2h, row_of(g.msfvx), change_v, mass_new_v, a.v.view(),
                 reference.v.view(), result.v.view());
        uncouple(layers, g.c1h, g.c2h, unit_metric, change, mass_new, a.theta.view(), reference.theta.view(),
                 result.theta.view());
        uncouple(interfaces, g.c1f, g.c2f, row_of(g.msfty), change, mass_new, a.w.view(), reference.w.view(),
                 result.w.view());
        for_each_row(interfaces, [&](int k, int j) {
            return [out = result.ph.view().row(k, j), dep = a.ph.view().row(k, j),
                    old = reference.ph.view().row(k, j)](int i) { out[i] = dep[i] + old[i]; };
        });
    });
    if (last && microphysics_) take_heating_back(mass_ref, mass_new, result);
    // Last, because the masses above are those of the reference, which may be the result itself.
    const Field2 mu_new = result.mu.view();
    for_each_tile(cell_tiles_, [&](const Range &tile) {
        for_each_column(tile, [=](int i, int j) { mu_new(i, j) = mu_ref(i, j) + mu_dep(i, j); });
    });
}

} // namespace squall
