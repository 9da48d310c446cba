#include "dynamics/diffusion/diffusion.hpp"

#include <algorithm>
#include <utility>

#include "dynamics/diffusion/axis.hpp"
#include "dynamics/diffusion/stress.hpp"

namespace squall {

using namespace diffusion;

namespace {

void fill(Range range, Field3 q, real value) {
    for_each_row(range, [=](int k, int j) { return [q = q.row(k, j), value](int i) { q[i] = value; }; });
}

Range overlap(Range a, Range b) {
    return {
        std::max(a.i0, b.i0), std::min(a.i1, b.i1), std::max(a.j0, b.j0), std::min(a.j1, b.j1), a.k0, a.k1};
}

} // namespace

/// The tile's own stresses reach one cell to the west and south. A K from the deformation is wanted all
/// around, and so is that.
Diffusion::Reach Diffusion::reach(Range tile) const {
    const Range around = widened(tile, 1, 1);
    if (scheme_ == Scheme::smagorinsky_2d || scheme_ == Scheme::smagorinsky_3d)
        return {widened(tile, 2, 2), around, widened(around, 0, 1)};
    return {around, widened(tile, 1, 0), widened(tile, 0, 1)};
}

Diffusion::Mixed Diffusion::mixed(Range tile) const { return within_walls(tile, overlap(tile, inner_)); }

Diffusion::Mixed Diffusion::within_walls(Range tile, Range cells) const {
    Range u = tile.with_j(cells.j0, cells.j1), v = tile.with_i(cells.i0, cells.i1);
    if (closed_west_) u.i0 = std::max(u.i0, 1);
    if (closed_south_) v.j0 = std::max(v.j0, 1);
    return {cells, u, v};
}

void Diffusion::add_tendencies(Range tile, const State &s, const AirView &air, Tendencies &t) {
    if (!active() || tile.empty()) return;
    const Work w = work_for(tile);
    if (physical_ || scheme_ != Scheme::constant) {
        const Reach r = reach(tile);
        compute_metrics(r.metrics, grid_, s.ph.view(), w.metrics);
        compute_horizontal_deformation(r.cells, r.faces, grid_, w.metrics, s.u.view(), s.v.view(), w.tensor);
    }
    if (physical_)
        add_in_physical_space(tile, s, air, w, t);
    else
        add_on_coordinate_surfaces(tile, s, air, w, t);
}

MoistAir Diffusion::moist_air(const State &s, const AirView &air) const {
    const auto water = [&](int n) { return n < 0 ? ConstField3{} : s.scalars[std::size_t(n)].view(); };
    return {s.theta.view(),    air.alt,         air.p,       water(set_.vapour),
            water(set_.cloud), water(set_.ice), moist_theta_};
}

TkeSettings Diffusion::tke_settings(const AirView &air) const {
    const bool fed = air.friction_velocity.origin != nullptr;
    return {real(config_.c_k), real(config_.prandtl), dt_, fed ? real(0) : tke_seed};
}

SurfaceProduction Diffusion::surface_production(const State &s, const AirView &air) const {
    const ConstField3 vapour = set_.vapour < 0 ? ConstField3{} : s.scalars[std::size_t(set_.vapour)].view();
    return {air.friction_velocity, air.sensible_heat, s.u.view(), s.v.view(), air.alt, vapour};
}

void Diffusion::compute_viscosity(Range around, const State &s, const AirView &air, const Work &w) const {
    const real c_s = real(config_.c_s), prandtl = real(config_.prandtl);
    if (scheme_ == Scheme::constant) {
        if (!sponge_.on()) return; // it was set once
        set_constant_viscosity(around, w);
        return raise_in_sponge(around, grid_, s.ph.view(), sponge_, dt_, w.viscosity);
    }
    if (scheme_ == Scheme::smagorinsky_2d) {
        smagorinsky_2d(around, grid_, w.tensor, c_s, prandtl, w.viscosity);
        if (physical_) limit_on_slopes(around, grid_, w.metrics, w.tensor, w.viscosity);
    }
    if (needs_stability()) {
        const MoistAir moist = moist_air(s, air);
        find_thermodynamics(around, grid_, moist, w.thermodynamics);
        // The sources of TKE, unlike the K of Smagorinsky, want no N^2 around the tile.
        const Range stable = scheme_ == Scheme::tke ? widened(around, -1, -1) : around;
        find_stability(stable, grid_, w.metrics, moist, w.thermodynamics, w.n2);
    }
    if (scheme_ == Scheme::smagorinsky_3d)
        smagorinsky_3d(around, grid_, w.metrics, w.tensor, w.n2, c_s, prandtl, dt_, w.viscosity);
    if (scheme_ == Scheme::tke) {
        const ConstField3 energy = s.scalars[std::size_t(set_.tke)].view();
        if (physical_)
            find_tke_viscosity(around, grid_, w.metrics, energy, w.thermodynamics, air.p, tke_settings(air),
                               w.viscosity);
        else
            find_tke_viscosity_on_surfaces(around, grid_, energy, tke_settings(air), w.viscosity);
    }
    clear_rim(around, w);
    if (sponge_.on()) raise_in_sponge(around, grid_, s.ph.view(), sponge_, dt_, w.viscosity);
}

void Diffusion::set_constant_viscosity(Range around, const Work &w) const {
    const auto set = [&](Field3 k, double value) {
        if (k.origin) fill(around.with_k(0, grid_.nz), k, real(value));
    };
    set(w.viscosity.momentum_h, config_.horizontal);
    set(w.viscosity.scalar_h, config_.horizontal / config_.prandtl);
    set(w.viscosity.momentum_v, config_.vertical);
    set(w.viscosity.scalar_v, config_.vertical / config_.prandtl);
}

void Diffusion::clear_rim(Range around, const Work &w) const {
    const Range in = overlap(around, inner_), all = around.with_k(0, grid_.nz);
    for (const Field3 &k :
         {w.viscosity.momentum_h, w.viscosity.momentum_v, w.viscosity.scalar_h, w.viscosity.scalar_v}) {
        if (!k.origin) continue;
        fill(all.with_j(all.j0, std::min(in.j0, all.j1)), k, 0);
        fill(all.with_j(std::max(in.j1, all.j0), all.j1), k, 0);
        fill(all.with_i(all.i0, std::min(in.i0, all.i1)), k, 0);
        fill(all.with_i(std::max(in.i1, all.i0), all.i1), k, 0);
    }
}

void Diffusion::compute_density(Range around, const State &s, const AirView &air, const Work &w) const {
    const Range layers = around.with_k(0, grid_.nz);
    const Field3 rho = w.rho;
    if (set_.vapour < 0) {
        for_each_row(layers, [&](int k, int j) {
            return [rho = rho.row(k, j), alt = air.alt.row(k, j)](int i) { rho[i] = 1 / alt[i]; };
        });
        return;
    }
    const ConstField3 vapour = s.scalars[std::size_t(set_.vapour)].view();
    for_each_row(layers, [&](int k, int j) {
        return [rho = rho.row(k, j), alt = air.alt.row(k, j), q = vapour.row(k, j)](int i) {
            rho[i] = (1 + q[i]) / alt[i];
        };
    });
}

void Diffusion::add_on_coordinate_surfaces(Range tile, const State &s, const AirView &air, const Work &w,
                                           Tendencies &t) const {
    const Mixed m = mixed(tile), up = as_wrf_ ? within_walls(tile, tile) : m;
    compute_viscosity(widened(tile, 1, 1), s, air, w);
    if (has_fields_of_k() || config_.horizontal > 0)
        add_wind_mixing_on_surfaces(m.u_faces, m.v_faces, m.cells, grid_, s, w.viscosity.momentum_h, as_wrf_,
                                    t);
    if (config_.vertical > 0)
        add_constant_vertical_wind_mixing(up.u_faces, up.v_faces, up.cells, grid_, s, air.alt,
                                          real(config_.vertical), u_base_.data(), v_base_.data(), as_wrf_, t);
    add_scalars_on_surfaces(m.cells, up.cells, s, air, w, t);
}

void Diffusion::add_scalars_on_surfaces(Range cells, Range up_and_down, const State &s, const AirView &air,
                                        const Work &w, Tendencies &t) const {
    const auto profile = [&](int n) { return n == set_.vapour ? vapour_base_.data() : none_.data(); };
    const auto n = static_cast<std::size_t>(set_.size());
    if (!cells.empty() && (has_fields_of_k() || config_.horizontal > 0)) {
        find_surface_fluxes(cells, grid_, s.mu.view(), w.viscosity.scalar_h, w.surfaces);
        add_scalar_mixing_on_surfaces(cells, grid_, w.surfaces, {s.theta.view(), grid_.theta_init, 1},
                                      t.theta.view());
        for (std::size_t q = 0; q < n; ++q)
            add_scalar_mixing_on_surfaces(cells, grid_, w.surfaces, {s.scalars[q].view(), {}},
                                          t.scalars[q].view());
    }
    if (!up_and_down.empty() && config_.vertical > 0) {
        const real k_scalar = real(config_.vertical / config_.prandtl);
        const real weight = config_.mix_full_fields ? 0 : 1;
        find_constant_vertical_fluxes(up_and_down, grid_, s.mu.view(), air.alt, k_scalar, as_wrf_,
                                      w.surfaces);
        add_vertical_scalar_mixing(up_and_down, grid_, w.surfaces,
                                   {s.theta.view(), grid_.theta_init, weight, none_.data()}, t.theta.view());
        for (std::size_t q = 0; q < n; ++q)
            add_vertical_scalar_mixing(up_and_down, grid_, w.surfaces,
                                       {s.scalars[q].view(), {}, 0, profile(static_cast<int>(q))},
                                       t.scalars[q].view());
    }
}

void Diffusion::add_in_physical_space(Range tile, const State &s, const AirView &air, const Work &w,
                                      Tendencies &t) const {
    const Range around = widened(tile, 1, 1);
    const Mixed m = mixed(tile);
    const Reach r = reach(tile);
    compute_vertical_deformation(r.cells, r.faces, grid_, w.metrics, s.u.view(), s.v.view(), s.w.view(),
                                 u_base_.data(), v_base_.data(), w.tensor);
    compute_viscosity(around, s, air, w);
    if (scheme_ == Scheme::tke) {
        const std::size_t n = std::size_t(set_.tke);
        add_tke_sources(m.cells, grid_, w.metrics,
                        {s.scalars[n].view(), s.mu.view(), w.thermodynamics.theta, w.n2}, w.tensor,
                        w.viscosity, tke_settings(air), surface_production(s, air), w.spare_1,
                        t.scalars[n].view());
    }
    compute_density(around, s, air, w);
    stress_from_deformation(tile, grid_, w.rho, w.viscosity, w.tensor);
    add_horizontal_stress_divergence(m.u_faces, m.v_faces, m.cells, grid_, w.metrics, w.tensor, t);
    if (upwards_) add_vertical_stress_divergence(m.u_faces, m.v_faces, m.cells, grid_, w.tensor, t);
    // The stress has done its duty; what scalars share takes its memory.
    if (!m.cells.empty()) add_scalars_in_space(m.cells, s, w, t);
}

void Diffusion::add_scalars_in_space(Range cells, const State &s, const Work &w, Tendencies &t) const {
    const MixingForm form = as_wrf_ ? MixingForm::wrf : MixingForm::flux;
    if (!as_wrf_) find_mixing_geometry(cells, grid_, w.metrics, w.scalars);
    const auto up = [&](const Field3 &k) { return upwards_ ? k : Field3{}; };
    find_mixing_fluxes(cells, grid_, w.metrics, w.rho, w.viscosity.scalar_h, up(w.viscosity.scalar_v), 1,
                       form, w.scalars);
    const auto mix = [&](const Array3 &q, const std::vector<real> &base, Array3 &tend) {
        if (as_wrf_)
            add_scalar_mixing_as_wrf(cells, grid_, w.metrics, w.scalars, q.view(), base.data(), w.lines,
                                     tend.view());
        else
            add_scalar_mixing(cells, grid_, w.scalars, q.view(), base.data(), w.lines, tend.view());
    };
    mix(s.theta, theta_base_, t.theta);
    for (int n = 0; n < set_.size(); ++n) {
        const auto q = static_cast<std::size_t>(n);
        if (n != set_.tke) mix(s.scalars[q], n == set_.vapour ? vapour_base_ : none_, t.scalars[q]);
    }
    if (set_.tke < 0) return;
    find_mixing_fluxes(cells, grid_, w.metrics, w.rho, w.viscosity.momentum_h, up(w.viscosity.momentum_v), 2,
                       form, w.scalars);
    mix(s.scalars[std::size_t(set_.tke)], none_, t.scalars[std::size_t(set_.tke)]);
}

} // namespace squall
