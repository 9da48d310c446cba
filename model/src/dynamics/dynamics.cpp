#include "dynamics/dynamics.hpp"

#include <utility>

#include "dynamics/mass_flux.hpp"
#include "dynamics/state_equation.hpp"

namespace squall {

void Dynamics::step() {
    // The first stage takes one substep of a third of the step; the others substeps of equal length
    // (Wicker and Skamarock 2002; Skamarock et al. 2019, section 3.1.3). The second and third
    // stages start from time t again and read the tendencies of the stage before.
    stage(now_, next_, dt_ / 3, 1, true);
    stage(next_, next_, dt_ / 2, substeps_ / 2, false);
    stage(next_, next_, dt_, substeps_, false);
    std::swap(now_, next_);
}

void Dynamics::stage(State &reference, State &result, real dt, int substeps, bool first) {
    prepare_stage(reference, first);
    slow_tendencies(reference, first);
    acoustic_substeps(reference, dt, substeps);
    finish(reference, result);
}

void Dynamics::prepare_stage(State &reference, bool first) {
    fill_state_halos(reference);
    if (first) acoustic_.dmudt.fill(0);
    State &s = reference;
    for_each_tile(flux_tiles_, [&](const Range &tile) {
        face_column_mass(tile, grid_, s.mu.view(), muu_.view(), muv_.view());
        couple_momentum(tile, grid_, s.u.view(), s.v.view(), muu_.view(), muv_.view(), ru_.view(), rv_.view());
    });
    if (first) {
        muu_now_.copy_from(muu_);
        muv_now_.copy_from(muv_);
    }
    for_each_tile(wide_tiles_, [&](const Range &tile) {
        diagnose_omega(tile, grid_, ru_.view(), rv_.view(), omega_.view(), dmudt_.view());
        diagnose_pressure(tile, grid_, logarithmic_, s.theta.view(), s.ph.view(), s.mu.view(), al_.view(),
                          p_.view(), alt_.view(), php_.view());
    });
}

void Dynamics::diagnose() {
    fill_state_halos(now_);
    for_each_tile(wide_tiles_, [&](const Range &tile) {
        diagnose_pressure(tile, grid_, logarithmic_, now_.theta.view(), now_.ph.view(), now_.mu.view(), al_.view(),
                          p_.view(), alt_.view(), php_.view());
    });
}

void Dynamics::acoustic_substeps(const State &reference, real dt, int substeps) {
    const AcousticSettings settings = acoustic_settings(dt / static_cast<real>(substeps));
    const StageReference ref{reference.u.view(),  reference.v.view(), reference.w.view(), reference.theta.view(),
                             reference.ph.view(), reference.mu.view(), muu_.view(),       muv_.view(),
                             dmudt_.view(),       alt_.view(),        php_.view(),        p_.view(),
                             tend_.u.view(),      tend_.v.view(),     tend_.w.view(),     tend_.theta.view(),
                             tend_.ph.view()};
    const int nz = grid_.nz;
    for_each_tile(wide_tiles_, [&](const Range &tile) {
        prepare_departure(tile, grid_, ref, now_.u.view(), now_.v.view(), now_.w.view(), now_.theta.view(),
                          now_.ph.view(), now_.mu.view(), muu_now_.view(), muv_now_.view(), acoustic_);
        factor_vertical_solver(tile, grid_, settings, ref.mu, acoustic_);
    });
    const HaloField between[] = {HaloField::of(acoustic_.p, nz), HaloField::of(acoustic_.al, nz),
                                 HaloField::of(acoustic_.ph, nz + 1), HaloField::of(acoustic_.mu),
                                 HaloField::of(acoustic_.dmudt)};
    const HaloField after[] = {HaloField::of(acoustic_.mu), HaloField::of(acoustic_.dmudt)};
    for (int n = 1; n <= substeps; ++n) {
        const bool last = n == substeps;
        for_each_tile(cell_tiles_, [&](const Range &tile) {
            advance_momentum(tile, grid_, settings, ref, u_range_, v_range_, acoustic_, scratch());
        });
        for_each_tile(cell_tiles_, [&](const Range &tile) {
            advance_columns(tile, grid_, settings, ref, last, acoustic_, scratch());
        });
        if (last)
            halo_.start(after, 1);
        else
            halo_.start(between, 1);
        halo_.finish();
    }
}

void Dynamics::finish(const State &reference, State &result) {
    const GridView g = grid_;
    const ConstField2 mu_ref = reference.mu.view(), mu_dep = std::as_const(acoustic_.mu).view();
    const ConstField2 muu = std::as_const(muu_).view(), muv = std::as_const(muv_).view();
    const auto new_mass = [=](int i, int j) { return g.mub(i, j) + mu_ref(i, j) + mu_dep(i, j); };
    const auto uncouple = [](ConstField3 departure, ConstField3 old, Field3 out, auto metric, auto mass_old,
                             auto mass_new, ConstProfile c1, ConstProfile c2, Range range) {
        for_each(range, [=](int i, int k, int j) {
            out(i, k, j) = (metric(i, j) * departure(i, k, j) + old(i, k, j) * (c1[k] * mass_old(i, j) + c2[k])) /
                           (c1[k] * mass_new(i, j) + c2[k]);
        });
    };
    const auto one = [](int, int) { return real(1); };
    const auto mass_ref = [=](int i, int j) { return g.mub(i, j) + mu_ref(i, j); };
    const auto mass_u = [=](int i, int j) { return real(0.5) * (new_mass(i, j) + new_mass(i - 1, j)); };
    const auto mass_v = [=](int i, int j) { return real(0.5) * (new_mass(i, j) + new_mass(i, j - 1)); };
    AcousticState &a = acoustic_;
    for_each_tile(cell_tiles_, [&](const Range &tile) {
        const Range layers = tile.with_k(0, g.nz), interfaces = tile.with_k(0, g.nz + 1);
        uncouple(a.u.view(), reference.u.view(), result.u.view(), g.msfuy, muu, mass_u, g.c1h, g.c2h,
                 u_faces(layers));
        uncouple(a.v.view(), reference.v.view(), result.v.view(), g.msfvx, muv, mass_v, g.c1h, g.c2h,
                 v_faces(layers));
        uncouple(a.theta.view(), reference.theta.view(), result.theta.view(), one, mass_ref, new_mass, g.c1h, g.c2h,
                 layers);
        uncouple(a.w.view(), reference.w.view(), result.w.view(), g.msfty, mass_ref, new_mass, g.c1f, g.c2f,
                 interfaces);
        const ConstField3 ph = std::as_const(a.ph).view(), ph_old = reference.ph.view();
        const Field3 ph_new = result.ph.view();
        for_each(interfaces, [=](int i, int k, int j) { ph_new(i, k, j) = ph(i, k, j) + ph_old(i, k, j); });
    });
    // Last, because the masses above are those of the reference, which may be the result itself.
    const Field2 mu_new = result.mu.view();
    for_each_tile(cell_tiles_, [&](const Range &tile) {
        for_each_column(tile, [=](int i, int j) { mu_new(i, j) = mu_ref(i, j) + mu_dep(i, j); });
    });
}

} // namespace squall
