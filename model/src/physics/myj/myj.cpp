#include "physics/myj/myj.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "physics/eta/humidity.hpp"
#include "physics/implicit_mixing.hpp"
#include "physics/myj/closure.hpp"
#include "physics/myj/profiles.hpp"

namespace squall {
namespace {

using namespace myj;
using eta::latent_heat;
using eta::specific;

constexpr real diffusion_of_energy = 5; // times l q
constexpr real least_shear = static_cast<real>(least_ratio) * least_stability;
constexpr real at_ground = real(5.205895); // B1^2/3: q^2 over the friction velocity squared

class Myj final : public BoundaryLayerScheme {
  public:
    explicit Myj(int nz)
        : storage_(fields, nz + 1), rows_(row_count, 1), mixing_(nz), diffusion_(std::max(nz - 1, 1)) {}

    void mix(const TurbulentColumns &c) override {
        const Profiles p = profiles(c);
        for (int k = 0; k < c.nz; ++k) set_air(p, k);
        for (int k = 1; k < c.nz; ++k) set_gradients(p, k);
        find_lengths(p);
        for (int i = 0; i < c.n; ++i) c.height[i] = p.bottom(i, top_[static_cast<std::size_t>(i)]);
        for (int k = 1; k < c.nz; ++k) produce_energy(p, k);
        hold_at_ground(p);
        for (int k = 1; k < c.nz; ++k) set_diffusivities(p, k);
        diffuse_energy(p);
        set_surface(p);
        mix_momentum(p);
        mix_heat_and_water(p);
    }

  private:
    enum Stored {
        bottom,
        distance,
        density,
        mass,
        temperature,
        theta_l,
        humidity,
        condensate,
        energy,
        shear,
        stability,
        longest,
        length,
        momentum,
        heat, // see Profiles
        conductance,
        forcing,
        change,
        fields
    };
    enum Row { zero, drag, wind_u, wind_v, exchange, skin, vapour_exchange, vapour_below, row_count };
    Columns field(Stored f) { return storage_.field(f); }
    real *row(Row r) { return rows_.field(r).row(0); }

    Profiles profiles(const TurbulentColumns &c);
    void set_air(const Profiles &p, int k);
    void set_gradients(const Profiles &p, int k);
    void produce_energy(const Profiles &p, int k);
    void hold_at_ground(const Profiles &p);
    void set_diffusivities(const Profiles &p, int k);
    void diffuse_energy(const Profiles &p);
    bool coupled_as_wrf(const Profiles &p) const { return p.c.as_wrf && p.s.sublayer.theta; }
    void set_surface(const Profiles &p);
    void set_drag(const Profiles &p, int i);
    void set_exchange_as_wrf(const Profiles &p, int i);
    void factor(const Profiles &p, ConstColumns diffusivity, const real *surface);
    void force_lowest(const Profiles &p, const real *flux, real per_flux);
    void mix_momentum(const Profiles &p);
    void mix_vapour(const Profiles &p);
    void mix_heat_and_water(const Profiles &p);

    ColumnStorage storage_, rows_;
    ImplicitMixing mixing_, diffusion_;
    std::array<int, columns_at_a_time> top_{};
};

Profiles Myj::profiles(const TurbulentColumns &c) {
    std::fill_n(row(zero), c.n, real(0));
    std::fill_n(field(bottom).row(0), c.n, real(0));
    return {c,
            *c.surface,
            field(bottom),
            field(distance),
            field(density),
            field(mass),
            field(temperature),
            field(theta_l),
            field(humidity),
            field(condensate),
            field(energy),
            field(shear),
            field(stability),
            field(longest),
            field(length),
            field(momentum),
            field(heat),
            top_};
}

void Myj::set_air(const Profiles &p, int k) {
    const TurbulentColumns &c = p.c;
    const bool of_moist_air = coupled_as_wrf(p);
    for_each_i(0, c.n,
               [th = c.theta.row(k), pi = c.exner.row(k), vapour = c.vapour.row(k), dz = c.depth.row(k),
                cloud = c.cloud.origin ? c.cloud.row(k) : row(zero),
                ice = c.ice.origin ? c.ice.row(k) : row(zero), q2 = c.qke.row(k), lower = p.bottom.row(k),
                upper = p.bottom.row(k + 1), t = p.temperature.row(k), tl = p.theta_l.row(k),
                q = p.humidity.row(k), water = p.condensate.row(k), out = p.energy.row(k)](int i) {
                   upper[i] = lower[i] + dz[i];
                   t[i] = th[i] * pi[i];
                   water[i] = cloud[i] + ice[i];
                   tl[i] = th[i] - latent_heat / (constants::c_p * pi[i]) * water[i];
                   q[i] = specific(vapour[i]);
                   out[i] = std::max(q2[i], least_energy);
               });
    for_each_i(0, c.n,
               [of_moist_air, dry = c.density.row(k), below = c.weight.row(k), above = c.weight.row(k + 1),
                t = p.temperature.row(k), q = p.humidity.row(k), water = p.condensate.row(k),
                dz = c.depth.row(k), rho = p.density.row(k), m = p.mass.row(k)](int i) {
                   const real pressure = real(0.5) * (below[i] + above[i]);
                   const real moisture = 1 + constants::virtual_factor * q[i] - water[i];
                   rho[i] = of_moist_air ? pressure / (constants::r_d * t[i] * moisture) : dry[i];
                   m[i] = rho[i] * dz[i];
               });
}

void Myj::set_gradients(const Profiles &p, int k) {
    for_each_i(0, p.c.n,
               [distance = p.distance.row(k), dz_below = p.c.depth.row(k - 1), dz = p.c.depth.row(k),
                u_below = p.c.u.row(k - 1), u = p.c.u.row(k), v_below = p.c.v.row(k - 1), v = p.c.v.row(k),
                t_below = p.temperature.row(k - 1), t = p.temperature.row(k), tl_below = p.theta_l.row(k - 1),
                tl = p.theta_l.row(k), q_below = p.humidity.row(k - 1), q = p.humidity.row(k),
                w_below = p.condensate.row(k - 1), w = p.condensate.row(k), shear = p.shear.row(k),
                stability = p.stability.row(k)](int i) {
                   distance[i] = real(0.5) * (dz_below[i] + dz[i]);
                   const real per = 1 / distance[i];
                   const real du = (u[i] - u_below[i]) * per, dv = (v[i] - v_below[i]) * per;
                   shear[i] = std::max(du * du + dv * dv, least_shear);
                   // of theta (1 + 0.608 q - w), w heating by its latent heat
                   const real middle = real(0.5) * (tl[i] + tl_below[i]), dw = w[i] - w_below[i];
                   const real moisture =
                       1 + real(0.5) * constants::virtual_factor * (q[i] + q_below[i] + w[i] + w_below[i]);
                   const real warmth = latent_heat / constants::c_p / (real(0.5) * (t[i] + t_below[i]));
                   const real jump = (tl[i] - tl_below[i]) * moisture +
                                     (q[i] - q_below[i] + dw) * middle * constants::virtual_factor +
                                     dw * (warmth - 1 - constants::virtual_factor) * middle;
                   stability[i] = std::abs(jump * per) <= least_stability ? least_stability : jump * per;
               });
    for_each_i(0, p.c.n,
               [out = p.longest.row(k), shear = p.shear.row(k), stability = p.stability.row(k),
                q2 = p.energy.row(k)](int i) { out[i] = myj::longest(shear[i], stability[i], q2[i]); });
}

void Myj::produce_energy(const Profiles &p, int k) {
    for_each_i(0, p.c.n,
               [shear = p.shear.row(k), stability = p.stability.row(k), length = p.length.row(k),
                energy = p.energy.row(k), dt = p.c.dt](int i) {
                   const real l = length[i];
                   const real scale = produce(shear[i], stability[i], l / std::sqrt(energy[i]), dt);
                   const real q = scale > 0 ? l / scale : real(0), q2 = std::max(q * q, least_energy);
                   energy[i] = q2;
                   length[i] = q2 <= least_energy ? least_length : l;
               });
}

void Myj::hold_at_ground(const Profiles &p) {
    for (int i = 0; i < p.c.n; ++i) {
        const real ust = p.s.friction_velocity[i];
        p.energy(i, 0) = std::max(at_ground * ust * ust, least_energy);
    }
}

void Myj::set_diffusivities(const Profiles &p, int k) {
    for_each_i(0, p.c.n,
               [shear = p.shear.row(k), stability = p.stability.row(k), length = p.length.row(k),
                energy = p.energy.row(k), distance = p.distance.row(k), momentum = p.momentum.row(k),
                heat = p.heat.row(k)](int i) {
                   const Stability s =
                       diffusivities(shear[i], stability[i], length[i] * length[i] / energy[i]);
                   const real scale = length[i] * std::sqrt(energy[i]) / distance[i];
                   momentum[i] = scale * s.momentum;
                   heat[i] = scale * s.heat;
               });
}

/// Between interfaces, which are the layers of `diffusion_`, lies a layer each.
void Myj::diffuse_energy(const Profiles &p) {
    const int nz = p.c.nz, n = p.c.n;
    const auto from_first = [](Columns f) { return Columns{f.row(1), f.sj}; };
    for (int k = 0; k + 1 < nz; ++k)
        for_each_i(0, n,
                   [out = field(conductance).row(k), q2 = p.energy.row(k), q2_above = p.energy.row(k + 1),
                    l = p.length.row(k), l_above = p.length.row(k + 1), dz = p.c.depth.row(k)](int i) {
                       out[i] = std::sqrt(real(0.5) * (q2[i] + q2_above[i])) * real(0.5) *
                                (l[i] + l_above[i]) * diffusion_of_energy / dz[i];
                   });
    if (nz > 1) {
        diffusion_.factor(n, p.c.dt, from_first(p.distance), field(conductance), field(conductance).row(0));
        diffusion_.increments(from_first(p.energy), p.energy.row(0), from_first(field(change)));
    }
    std::fill_n(field(change).row(0), n, real(0));
    for (int k = 0; k < nz; ++k)
        for_each_i(0, n,
                   [dq2 = p.c.dqke.row(k), carried = p.c.qke.row(k), q2 = p.energy.row(k),
                    diffused = field(change).row(k)](int i) {
                       dq2[i] = std::max(q2[i] + diffused[i], least_energy) - carried[i];
                   });
}

/// Of the conductance for momentum, which tells the wind at z0; else of the stress, on the wind without
/// gusts.
void Myj::set_drag(const Profiles &p, int i) {
    const SublayerColumns &below = p.s.sublayer;
    if (below.momentum_conductance) {
        row(drag)[i] = p.density(i, 0) * below.momentum_conductance[i];
        row(wind_u)[i] = below.u[i], row(wind_v)[i] = below.v[i];
        return;
    }
    const real u = p.c.u(i, 0), v = p.c.v(i, 0), ust = p.s.friction_velocity[i];
    const real with_gusts = std::max(p.s.wind_speed[i], real(1e-3));
    row(drag)[i] = p.density(i, 0) * ust * ust * std::sqrt(u * u + v * v) / (with_gusts * with_gusts);
    row(wind_u)[i] = row(wind_v)[i] = 0;
}

/// Conductances, and what they lead to: the skin after land has acted, and the humidity that has its flux.
void Myj::set_exchange_as_wrf(const Profiles &p, int i) {
    constexpr real vaporisation = real(2.5e6), sublimation = real(2.85e6), nearly = real(0.95);
    const SurfaceColumns &s = p.s;
    const LandWaterColumns &w = s.land_water;
    const bool land = s.land[i] > real(0.5);
    const real all = p.density(i, 0) * s.sublayer.heat_conductance[i], humid = p.humidity(i, 0);
    const real salt = land ? real(1) : eta::salt;
    const real saturated = salt * saturated_humidity_of_janjic(s.temperature[i], s.pressure[i]);
    real open = land ? s.availability[i] : real(1);
    if (w.snow_water)
        open = humid >= nearly * saturated && humid < s.sublayer.humidity[i] ? real(0) : real(1);
    row(exchange)[i] = all;
    row(vapour_exchange)[i] = all * open;
    row(skin)[i] = s.sublayer.theta[i];
    row(vapour_below)[i] = s.sublayer.humidity[i];
    if (!land) return;
    const bool frozen = w.snow_water && (w.snow_water[i] > 0 || w.ice[i] > real(0.5));
    const real per_flux = 1 / ((frozen ? sublimation : vaporisation) * all * open);
    row(skin)[i] = s.skin_temperature[i] * std::pow(constants::p0 / s.surface_pressure[i], constants::kappa);
    row(vapour_below)[i] = open > 0 ? humid + s.latent_heat[i] * per_flux : humid;
}

void Myj::set_surface(const Profiles &p) {
    for (int i = 0; i < p.c.n; ++i) {
        set_drag(p, i);
        if (coupled_as_wrf(p)) set_exchange_as_wrf(p, i);
    }
}

void Myj::factor(const Profiles &p, ConstColumns diffusivity, const real *surface) {
    for (int k = 1; k < p.c.nz; ++k)
        for_each_i(0, p.c.n,
                   [out = field(conductance).row(k), below = p.density.row(k - 1), rho = p.density.row(k),
                    d = diffusivity.row(k)](int i) { out[i] = real(0.5) * (below[i] + rho[i]) * d[i]; });
    mixing_.factor(p.c.n, p.c.dt, p.mass, field(conductance), surface);
}

/// An upward flux from the surface, times per_flux, enters the lowest layer.
void Myj::force_lowest(const Profiles &p, const real *flux, real per_flux) {
    for (int k = 0; k < p.c.nz; ++k) std::fill_n(field(forcing).row(k), p.c.n, real(0));
    for (int i = 0; i < p.c.n; ++i) field(forcing)(i, 0) = p.c.dt * per_flux * flux[i] / p.mass(i, 0);
}

void Myj::mix_momentum(const Profiles &p) {
    factor(p, p.momentum, row(drag));
    mixing_.increments(p.c.u, row(wind_u), p.c.du);
    mixing_.increments(p.c.v, row(wind_v), p.c.dv);
}

void Myj::mix_vapour(const Profiles &p) {
    if (!coupled_as_wrf(p)) {
        factor(p, p.heat, row(zero));
        force_lowest(p, p.s.vapour_flux, 1);
        mixing_.increments(p.c.vapour, row(zero), p.c.dvapour, field(forcing));
        return;
    }
    factor(p, p.heat, row(vapour_exchange));
    mixing_.increments(p.humidity, row(vapour_below), p.c.dvapour);
    for (int k = 0; k < p.c.nz; ++k)
        for_each_i(0, p.c.n, [dq = p.c.dvapour.row(k), q = p.humidity.row(k)](int i) {
            const real dry = 1 - (q[i] + dq[i]);
            dq[i] /= dry * dry;
        });
}

/// theta follows from what was mixed of theta_l and condensate.
void Myj::mix_heat_and_water(const Profiles &p) {
    mix_vapour(p);
    factor(p, p.heat, row(zero));
    if (p.c.cloud.origin) mixing_.increments(p.c.cloud, row(zero), p.c.dcloud);
    if (p.c.ice.origin) mixing_.increments(p.c.ice, row(zero), p.c.dice);
    if (coupled_as_wrf(p)) {
        factor(p, p.heat, row(exchange));
        mixing_.increments(p.theta_l, row(skin), field(change));
    } else {
        force_lowest(p, p.s.sensible_heat, 1 / constants::c_p);
        for (int i = 0; i < p.c.n; ++i) field(forcing)(i, 0) /= p.c.exner(i, 0);
        mixing_.increments(p.theta_l, row(zero), field(change), field(forcing));
    }
    for (int k = 0; k < p.c.nz; ++k)
        for_each_i(0, p.c.n,
                   [out = p.c.dtheta.row(k), mixed = field(change).row(k), pi = p.c.exner.row(k),
                    cloud = p.c.cloud.origin ? p.c.dcloud.row(k) : row(zero),
                    ice = p.c.ice.origin ? p.c.dice.row(k) : row(zero)](int i) {
                       out[i] = mixed[i] + latent_heat / (constants::c_p * pi[i]) * (cloud[i] + ice[i]);
                   });
}

} // namespace

BoundaryLayerEntry myj_scheme() {
    return {"prognostic turbulence, level 2.5, Janjic (1990, 2002)",
            [](int nz) { return std::make_unique<Myj>(nz); },
            true,
            false,
            true,
            true};
}

} // namespace squall
