#include "dynamics/diffusion/diffusion.hpp"

#include <algorithm>
#include <utility>

#include "dynamics/diffusion/axis.hpp"
#include "dynamics/diffusion/stress.hpp"

namespace squall {

using namespace diffusion;

/// The tile's own stresses reach one cell to the west and south. A K from the deformation is wanted all
/// around, and so is that.
Diffusion::Reach Diffusion::reach(Range tile) const {
    const Range around = widened(tile, 1, 1);
    if (scheme_ == Scheme::smagorinsky_2d || scheme_ == Scheme::smagorinsky_3d)
        return {widened(tile, 2, 2), around, widened(around, 0, 1)};
    return {around, widened(tile, 1, 0), widened(tile, 0, 1)};
}

Diffusion::Mixed Diffusion::mixed(Range tile) const { return within_walls(tile, tile.within(inner_)); }

Diffusion::Mixed Diffusion::within_walls(Range tile, Range cells) const {
    Range u = tile.with_j(cells.j0, cells.j1), v = tile.with_i(cells.i0, cells.i1);
    if (closed_west_) u.i0 = std::max(u.i0, 1);
    if (closed_south_) v.j0 = std::max(v.j0, 1);
    return {cells, u, v};
}

void Diffusion::add_tendencies(const Chain &chain, const State &s, const AirView &air, Tendencies &t) {
    const Range tile = chain.tile();
    if (!active() || tile.empty()) return;
    const Work w = work_for(tile);
    if (physical_ || scheme_ != Scheme::constant) {
        const Reach r = reach(tile);
        chain.run(r.metrics,
                  [g = grid_, ph = s.ph.view(), m = w.metrics](const Range &columns, const Scratch &) {
                      compute_metrics(columns, g, ph, m);
                  });
        chain.run(covering(r.cells, r.faces), [=, g = grid_, m = w.metrics, d = w.tensor, u = s.u.view(),
                                               v = s.v.view()](const Range &columns, const Scratch &) {
            compute_horizontal_deformation(r.cells.within(columns), r.faces.within(columns), g, m, u, v, d);
        });
    }
    if (physical_)
        add_in_physical_space(chain, s, air, w, t);
    else
        add_on_coordinate_surfaces(chain, s, air, w, t);
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

Closure Diffusion::closure(const State &s, const AirView &air, const Work &w) const {
    const auto scalar = [&](int n) { return n < 0 ? ConstField3{} : s.scalars[std::size_t(n)].view(); };
    return {scheme_,
            physical_,
            {real(config_.horizontal), real(config_.vertical), real(config_.horizontal / config_.prandtl),
             real(config_.vertical / config_.prandtl)},
            real(config_.c_s),
            real(config_.prandtl),
            dt_,
            inner_,
            sponge_,
            grid_,
            w.metrics,
            w.tensor,
            moist_air(s, air),
            s.ph.view(),
            scalar(set_.tke),
            tke_settings(air),
            w.viscosity,
            w.thermodynamics,
            w.n2};
}

void Diffusion::add_on_coordinate_surfaces(const Chain &chain, const State &s, const AirView &air,
                                           const Work &w, Tendencies &t) const {
    const Range tile = chain.tile();
    const Mixed m = mixed(tile), up = as_wrf_ ? within_walls(tile, tile) : m;
    const bool horizontally = has_fields_of_k() || config_.horizontal > 0;
    if (const Closure k = closure(s, air, w); k.varies())
        chain.run(widened(tile, 1, 1), [=](const Range &columns, const Scratch &) { k.find(columns, tile); });
    if (horizontally)
        chain.run(tile, [=, g = grid_, now = view_of(s), k = ConstField3(w.viscosity.momentum_h),
                         as_wrf = as_wrf_, tend = t.fields()](const Range &columns, const Scratch &) {
            add_wind_mixing_on_surfaces(m.u_faces.within(columns), m.v_faces.within(columns),
                                        m.cells.within(columns), g, now, k, as_wrf, tend);
        });
    if (config_.vertical > 0)
        chain.run(tile, [=, g = grid_, now = view_of(s), alt = air.alt, k = real(config_.vertical),
                         u_base = u_base_.data(), v_base = v_base_.data(), as_wrf = as_wrf_,
                         tend = t.fields()](const Range &columns, const Scratch &) {
            add_constant_vertical_wind_mixing(up.u_faces.within(columns), up.v_faces.within(columns),
                                              up.cells.within(columns), g, now, alt, k, u_base, v_base,
                                              as_wrf, tend);
        });
    if (horizontally && !m.cells.empty()) add_scalars_on_surfaces(chain, m.cells, s, w, t);
    if (config_.vertical > 0 && !up.cells.empty()) add_scalars_vertically(chain, up.cells, s, air, w, t);
}

void Diffusion::add_scalars_on_surfaces(const Chain &chain, Range cells, const State &s, const Work &w,
                                        Tendencies &t) const {
    chain.run(widened(cells, 0, 1), [=, g = grid_, mu = s.mu.view(), k = ConstField3(w.viscosity.scalar_h),
                                     out = w.surfaces](const Range &columns, const Scratch &) {
        find_surface_fluxes(cells, columns, g, mu, k, out);
    });
    const auto mix = [&](const Departure &departure, Field3 tend) {
        chain.run(cells, [=, g = grid_, fluxes = w.surfaces](const Range &columns, const Scratch &) {
            add_scalar_mixing_on_surfaces(columns, g, fluxes, departure, tend);
        });
    };
    mix({s.theta.view(), grid_.theta_init, 1}, t.theta.view());
    for (std::size_t q = 0; q < t.scalars.size(); ++q) mix({s.scalars[q].view(), {}}, t.scalars[q].view());
}

void Diffusion::add_scalars_vertically(const Chain &chain, Range cells, const State &s, const AirView &air,
                                       const Work &w, Tendencies &t) const {
    const real k_scalar = real(config_.vertical / config_.prandtl);
    chain.run(cells, [=, g = grid_, mu = s.mu.view(), alt = air.alt, as_wrf = as_wrf_,
                      out = w.surfaces](const Range &columns, const Scratch &) {
        find_constant_vertical_fluxes(columns, g, mu, alt, k_scalar, as_wrf, out);
    });
    const auto mix = [&](const Departure &departure, Field3 tend) {
        chain.run(cells, [=, g = grid_, fluxes = w.surfaces](const Range &columns, const Scratch &) {
            add_vertical_scalar_mixing(columns, g, fluxes, departure, tend);
        });
    };
    mix({s.theta.view(), grid_.theta_init, config_.mix_full_fields ? real(0) : real(1), none_.data()},
        t.theta.view());
    for (std::size_t q = 0; q < t.scalars.size(); ++q)
        mix({s.scalars[q].view(), {}, 0, int(q) == set_.vapour ? vapour_base_.data() : none_.data()},
            t.scalars[q].view());
}

void Diffusion::add_in_physical_space(const Chain &chain, const State &s, const AirView &air, const Work &w,
                                      Tendencies &t) const {
    const Range tile = chain.tile(), around = widened(tile, 1, 1);
    const Mixed m = mixed(tile);
    const Reach r = reach(tile);
    chain.run(covering(r.cells, r.faces), [=, g = grid_, now = view_of(s), u_base = u_base_.data(),
                                           v_base = v_base_.data()](const Range &columns, const Scratch &) {
        compute_vertical_deformation(r.cells.within(columns), r.faces.within(columns), g, w.metrics, now.u,
                                     now.v, now.w, u_base, v_base, w.tensor);
    });
    const Closure k = closure(s, air, w);
    if (k.varies()) chain.run(around, [=](const Range &columns, const Scratch &) { k.find(columns, tile); });
    if (scheme_ == Scheme::tke)
        chain.run(m.cells,
                  [=, mu = s.mu.view(), surface = surface_production(s, air), length = w.spare_1,
                   tend = t.scalars[std::size_t(set_.tke)].view()](const Range &columns, const Scratch &) {
                      add_tke_sources(columns, k.grid, k.metrics, {k.tke, mu, k.thermodynamics.theta, k.n2},
                                      k.tensor, k.viscosity, k.tke_settings, surface, length, tend);
                  });
    chain.run(around,
              [nz = grid_.nz, alt = air.alt, vapour = k.air.vapour, rho = w.rho](
                  const Range &columns, const Scratch &) { compute_density(columns, nz, alt, vapour, rho); });
    chain.run(around, [=, g = grid_](const Range &columns, const Scratch &) {
        stress_from_deformation(widened(tile, 1, 0).within(columns), widened(tile, 0, 1).within(columns), g,
                                w.rho, w.viscosity, w.tensor);
    });
    chain.run(tile,
              [=, g = grid_, upwards = upwards_, tend = t.fields()](const Range &columns, const Scratch &) {
                  const Range u = m.u_faces.within(columns), v = m.v_faces.within(columns),
                              cells = m.cells.within(columns);
                  add_horizontal_stress_divergence(u, v, cells, g, w.metrics, w.tensor, tend);
                  if (upwards) add_vertical_stress_divergence(u, v, cells, g, w.tensor, tend);
              });
    // The stress has done its duty; what scalars share takes its memory.
    if (!m.cells.empty()) add_scalars_in_space(chain, m.cells, s, w, t);
}

void Diffusion::add_scalars_in_space(const Chain &chain, Range cells, const State &s, const Work &w,
                                     Tendencies &t) const {
    const MixingForm form = as_wrf_ ? MixingForm::wrf : MixingForm::flux;
    const auto find_fluxes = [&](ConstField3 k_h, ConstField3 k_v, real factor) {
        chain.run(widened(cells, 0, 1), [=, g = grid_, up = upwards_ ? k_v : ConstField3{}](
                                            const Range &columns, const Scratch &) {
            find_mixing_fluxes(cells, columns, g, w.metrics, w.rho, k_h, up, factor, form, w.scalars);
        });
    };
    const auto mix = [&](ConstField3 q, const KernelVector<real> &base, Field3 tend) {
        chain.run(cells, [=, g = grid_, base = base.data()](const Range &columns, const Scratch &rows) {
            if (form == MixingForm::wrf)
                add_scalar_mixing_as_wrf(columns, g, w.metrics, w.scalars, q, base, rows, tend);
            else
                add_scalar_mixing(columns, g, w.scalars, q, base, rows, tend);
        });
    };
    if (form == MixingForm::flux)
        chain.run(cells, [=, g = grid_](const Range &columns, const Scratch &) {
            find_mixing_geometry(columns, g, w.metrics, w.scalars);
        });
    find_fluxes(w.viscosity.scalar_h, w.viscosity.scalar_v, 1);
    mix(s.theta.view(), theta_base_, t.theta.view());
    for (int n = 0; n < set_.size(); ++n) {
        const auto q = static_cast<std::size_t>(n);
        if (n != set_.tke)
            mix(s.scalars[q].view(), n == set_.vapour ? vapour_base_ : none_, t.scalars[q].view());
    }
    if (set_.tke < 0) return;
    find_fluxes(w.viscosity.momentum_h, w.viscosity.momentum_v, 2);
    mix(s.scalars[std::size_t(set_.tke)].view(), none_, t.scalars[std::size_t(set_.tke)].view());
}

} // namespace squall
