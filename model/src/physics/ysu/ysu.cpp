#include "physics/ysu/ysu.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/loop.hpp"
#include "physics/implicit_mixing.hpp"
#include "physics/ysu/profiles.hpp"

namespace squall {
namespace {

using namespace ysu;

class Ysu final : public BoundaryLayerScheme {
  public:
    explicit Ysu(int nz) : storage_(fields, nz + 1), rows_(row_count, 1), mixing_(nz) {}

    void mix(const TurbulentColumns &c) override {
        const Profiles p = profiles(c);
        const Diffusivities d{field(momentum), field(heat), field(vapour), field(towards_top)};
        set_local(p, d);
        for (int i = 0; i < c.n; ++i) {
            Layer &layer = layers_[static_cast<std::size_t>(i)];
            find_height(p, i, layer);
            if (layer.mixed) entrain(p, i, layer);
            set_nonlocal(p, i, layer, d);
            c.height[i] = layer.height;
        }
        mix_heat(p, d);
        mix_water(p, d);
        mix_momentum(p, d);
        if (c.shelter) set_10m_wind(p);
    }

  private:
    enum Stored {
        z,
        bottom,
        temperature,
        theta_v,
        theta_l,
        condensate,
        middle, // see Profiles
        momentum,
        heat,
        vapour,
        towards_top, // see Diffusivities
        mass,
        dry_mass,
        conductance,
        forcing,
        fields
    };
    enum Row { drag, zero, row_count };
    Columns field(Stored f) { return storage_.field(f); }
    real *row(Row r) { return rows_.field(r).row(0); }

    Profiles profiles(const TurbulentColumns &c);
    void set_heights(const Profiles &p);
    void set_air(const Profiles &p, int k);
    void factor(const Profiles &p, ConstColumns layers, ConstColumns diffusivity, const real *surface);
    template <class Flux, class Top>
    void force(const Profiles &p, ConstColumns layers, ConstColumns diffusivity, Flux at_surface, Top at_top);
    void solve(const Profiles &p, ConstColumns x, Columns dx, bool forced);
    void mix_heat(const Profiles &p, const Diffusivities &d);
    void mix_water(const Profiles &p, const Diffusivities &d);
    void mix_momentum(const Profiles &p, const Diffusivities &d);
    static void set_10m_wind(const Profiles &p);

    ColumnStorage storage_, rows_;
    std::array<Layer, columns_at_a_time> layers_{};
    ImplicitMixing mixing_;
};

Profiles Ysu::profiles(const TurbulentColumns &c) {
    const Profiles p{c,
                     *c.surface,
                     field(z),
                     field(bottom),
                     field(temperature),
                     field(theta_v),
                     field(theta_l),
                     field(condensate),
                     field(middle)};
    set_heights(p);
    for (int k = 0; k < c.nz; ++k) set_air(p, k);
    return p;
}

void Ysu::set_heights(const Profiles &p) {
    std::fill_n(p.bottom.row(0), p.c.n, real(0));
    for (int k = 0; k < p.c.nz; ++k)
        for_each_i(0, p.c.n,
                   [z = p.z.row(k), lower = p.bottom.row(k), upper = p.bottom.row(k + 1),
                    dz = p.c.depth.row(k), w = p.c.weight.row(k), above = p.c.weight.row(k + 1),
                    middle = p.middle.row(k), m = field(mass).row(k), density = p.c.density.row(k),
                    dry = field(dry_mass).row(k)](int i) {
                       upper[i] = lower[i] + dz[i];
                       z[i] = real(0.5) * (lower[i] + upper[i]);
                       middle[i] = real(0.5) * (w[i] + above[i]);
                       m[i] = (w[i] - above[i]) / constants::g;
                       dry[i] = density[i] * dz[i];
                   });
}

void Ysu::set_air(const Profiles &p, int k) {
    const auto if_any = [&](ConstColumns q) { return q.origin ? q.row(k) : row(zero); };
    for_each_i(0, p.c.n,
               [th = p.c.theta.row(k), pi = p.c.exner.row(k), q = p.c.vapour.row(k),
                liquid = if_any(p.c.cloud), ice = if_any(p.c.ice), t = p.temperature.row(k),
                tv = p.theta_v.row(k), tl = p.theta_l.row(k), all = p.condensate.row(k)](int i) {
                   t[i] = th[i] * pi[i];
                   tv[i] = th[i] * (1 + constants::virtual_factor * q[i]);
                   tl[i] =
                       th[i] - (latent_heat * liquid[i] + sublimation * ice[i]) / (constants::c_p * pi[i]);
                   all[i] = liquid[i] + ice[i];
               });
}

/// Conductances of diffusivities between layers of some mass [kg m-2]; the step is implicit over twice the
/// time step, as WRF's. Water is mixed by the mass of dry air, which mixing ratios are of: by that of moist
/// air, as WRF has it, a share of about the mixing ratio of what evaporates is lost.
void Ysu::factor(const Profiles &p, ConstColumns layers, ConstColumns diffusivity, const real *surface) {
    for (int k = 1; k < p.c.nz; ++k)
        for_each_i(0, p.c.n,
                   [out = field(conductance).row(k), below = layers.row(k - 1), above = layers.row(k),
                    z_below = p.z.row(k - 1), z = p.z.row(k), d = diffusivity.row(k)](int i) {
                       const real dz = z[i] - z_below[i];
                       out[i] = real(0.5) * (below[i] + above[i]) * d[i] / (dz * dz);
                   });
    mixing_.factor(p.c.n, 2 * p.c.dt, layers, field(conductance), surface);
}

/// Countergradient and entrainment fluxes of mixed layers, and a flux from the surface: at_surface(i) upward
/// [kg m-2 s-1 times x], at_top(layer) the excess over the layer's depth and the flux at the top (equation
/// 4).
template <class Flux, class Top>
void Ysu::force(const Profiles &p, ConstColumns layers, ConstColumns diffusivity, Flux at_surface,
                Top at_top) {
    const Columns change = field(forcing);
    const real dt = 2 * p.c.dt;
    for (int k = 0; k < p.c.nz; ++k) std::fill_n(change.row(k), p.c.n, real(0));
    for (int i = 0; i < p.c.n; ++i) {
        const Layer &layer = layers_[static_cast<std::size_t>(i)];
        change(i, 0) = dt * at_surface(i) / layers(i, 0);
        if (!layer.mixed) continue;
        const auto [excess, entrained] = at_top(layer);
        for (int k = 1; k <= layer.top; ++k) {
            const real density = real(0.5) * (layers(i, k - 1) + layers(i, k)) / (p.z(i, k) - p.z(i, k - 1));
            const real flux =
                density * (diffusivity(i, k) * excess / layer.height + entrained * field(towards_top)(i, k));
            change(i, k - 1) -= dt * flux / layers(i, k - 1);
            change(i, k) += dt * flux / layers(i, k);
        }
    }
}

void Ysu::solve(const Profiles &p, ConstColumns x, Columns dx, bool forced) {
    mixing_.increments(x, row(zero), dx, forced ? ConstColumns(field(forcing)) : ConstColumns{});
    for (int k = 0; k < p.c.nz; ++k) for_each_i(0, p.c.n, [dx = dx.row(k)](int i) { dx[i] *= real(0.5); });
}

void Ysu::mix_heat(const Profiles &p, const Diffusivities &d) {
    factor(p, field(mass), d.heat, row(zero));
    force(
        p, field(mass), d.heat, [&](int i) { return p.s.sensible_heat[i] / constants::c_p; },
        [](const Layer &a) { return std::pair(a.heat, a.theta_flux); });
    solve(p, p.c.theta, p.c.dtheta, true);
}

void Ysu::mix_water(const Profiles &p, const Diffusivities &d) {
    const ConstColumns layers = field(p.c.as_wrf ? mass : dry_mass);
    factor(p, layers, d.vapour, row(zero));
    force(
        p, layers, d.vapour, [&](int i) { return p.s.vapour_flux[i]; },
        [](const Layer &a) { return std::pair(real(0), a.vapour_flux); });
    solve(p, p.c.vapour, p.c.dvapour, true);
    if (p.c.cloud.origin) solve(p, p.c.cloud, p.c.dcloud, false);
    if (p.c.ice.origin) solve(p, p.c.ice, p.c.dice, false);
}

/// The drag acts on the wind without gusts.
void Ysu::mix_momentum(const Profiles &p, const Diffusivities &d) {
    for (int i = 0; i < p.c.n; ++i) {
        const Layer &a = layers_[static_cast<std::size_t>(i)];
        const real u = p.c.u(i, 0), v = p.c.v(i, 0), speed = std::sqrt(u * u + v * v) + real(1e-9);
        row(drag)[i] = a.density * a.ust * a.ust * speed / (p.s.wind_speed[i] * p.s.wind_speed[i]);
        if (p.c.terrain_drag) row(drag)[i] *= terrain_drag(p, i, a, d);
    }
    factor(p, field(mass), d.momentum, row(drag));
    const auto none = [](int) { return real(0); };
    force(p, field(mass), d.momentum, none, [](const Layer &a) { return std::pair(a.u, a.u_flux); });
    solve(p, p.c.u, p.c.du, true);
    force(p, field(mass), d.momentum, none, [](const Layer &a) { return std::pair(a.v, a.v_flux); });
    solve(p, p.c.v, p.c.dv, true);
}

/// On summits it is the lowest layer's.
void Ysu::set_10m_wind(const Profiles &p) {
    for (int i = 0; i < p.c.n; ++i) {
        const real share = p.c.shelter[i];
        real &u = p.s.wind_u_10m[i], &v = p.s.wind_v_10m[i];
        u = share * u + (1 - share) * p.c.u(i, 0);
        v = share * v + (1 - share) * p.c.v(i, 0);
    }
}

} // namespace

BoundaryLayerEntry ysu_scheme() {
    return {"non-local mixing and explicit entrainment, Hong, Noh and Dudhia (2006), Hong (2010)",
            [](int nz) { return std::make_unique<Ysu>(nz); }, true};
}

} // namespace squall
