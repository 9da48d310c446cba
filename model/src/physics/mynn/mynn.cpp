#include "physics/mynn/mynn.hpp"

#include <algorithm>
#include <cmath>

#include "core/loop.hpp"
#include "physics/implicit_mixing.hpp"
#include "physics/mynn/closure.hpp"
#include "physics/mynn/profiles.hpp"

namespace squall {
namespace {

using namespace mynn;

class Mynn final : public BoundaryLayerScheme {
  public:
    explicit Mynn(int nz) : storage_(fields, nz + 1), rows_(row_count, 1), mixing_(nz) {}

    void mix(const TurbulentColumns &c) override {
        const Profiles p = profiles(c);
        for (int k = 0; k < c.nz; ++k) set_air(p, k);
        set_surface(p);
        begin_energy(p);
        for (int k = 1; k < c.nz; ++k) set_gradients(p, k);
        for (int i = 0; i < c.n; ++i) {
            c.height[i] = find_height(p, i);
            row(whole)[i] = find_whole_length(p, i, c.height[i]);
        }
        // What is cloud in an eddy depends on how strong the eddies are: those of clear air tell.
        for (int k = 0; k < c.nz; ++k) set_clear(p, k);
        set_diffusivities(p);
        for (int k = 0; k < c.nz; ++k) set_cloudy(p, k);
        set_diffusivities(p);
        mix_momentum(p);
        mix_heat_and_water(p);
        predict_energy(p);
    }

  private:
    enum Stored {
        z,
        bottom,
        mass,
        theta_l,
        water,
        theta_v,
        energy,
        of_theta_l,
        of_water,
        q,
        shear,
        theta_l_z,
        water_z,
        frequency,
        length,
        momentum,
        heat, // see Profiles
        conductance,
        forcing,
        dtheta_l,
        taken,   // from the air by shear and buoyancy at interfaces [W m-2]; from the wind by the ground too
        removal, // of q^2 [s-1]
        fields
    };
    enum Row { buoyancy, obukhov, whole, drag, unsmoothed, zero, row_count };
    Columns field(Stored f) { return storage_.field(f); }
    real *row(Row r) { return rows_.field(r).row(0); }

    Profiles profiles(const TurbulentColumns &c);
    void set_air(const Profiles &p, int k);
    void set_surface(const Profiles &p);
    void begin_energy(const Profiles &p);
    void set_gradients(const Profiles &p, int k);
    void set_frequency(const Profiles &p, int k);
    void set_diffusivities(const Profiles &p);
    void take_off_peaks(const Profiles &p, Columns diffusivity);
    void factor(const Profiles &p, ConstColumns diffusivity, real times, const real *surface,
                ConstColumns removed = {});
    void force_lowest(const Profiles &p, const real *flux, real per_flux);
    void mix_momentum(const Profiles &p);
    void mix_heat_and_water(const Profiles &p);
    void take_for_shear(const Profiles &p);
    void take_for_buoyancy(const Profiles &p);
    real surface_production(const Profiles &p, int i) const;
    void predict_energy(const Profiles &p);
    void dissipate(const Profiles &p);

    ColumnStorage storage_, rows_;
    ImplicitMixing mixing_;
};

Profiles Mynn::profiles(const TurbulentColumns &c) {
    std::fill_n(row(zero), c.n, real(0));
    return {c,
            *c.surface,
            field(z),
            field(bottom),
            field(mass),
            field(theta_l),
            field(water),
            field(theta_v),
            field(energy),
            field(of_theta_l),
            field(of_water),
            field(q),
            field(shear),
            field(theta_l_z),
            field(water_z),
            field(frequency),
            field(length),
            field(momentum),
            field(heat),
            row(buoyancy),
            row(obukhov),
            row(whole)};
}

void Mynn::set_air(const Profiles &p, int k) {
    if (k == 0) std::fill_n(p.bottom.row(0), p.c.n, real(0));
    for_each_i(0, p.c.n,
               [lower = p.bottom.row(k), upper = p.bottom.row(k + 1), z = p.z.row(k), dz = p.c.depth.row(k),
                m = p.mass.row(k), rho = p.c.density.row(k)](int i) {
                   upper[i] = lower[i] + dz[i];
                   z[i] = real(0.5) * (lower[i] + upper[i]);
                   m[i] = rho[i] * dz[i];
               });
    for_each_i(0, p.c.n,
               [th = p.c.theta.row(k), pi = p.c.exner.row(k), vapour = p.c.vapour.row(k),
                cloud = p.c.cloud.origin ? p.c.cloud.row(k) : row(zero), tl = p.theta_l.row(k),
                tv = p.theta_v.row(k), water = p.water.row(k)](int i) {
                   tl[i] = th[i] - latent_heat / (constants::c_p * pi[i]) * cloud[i];
                   tv[i] = th[i] * (1 + constants::virtual_factor * vapour[i] - cloud[i]);
                   water[i] = vapour[i] + cloud[i];
               });
}

void Mynn::set_surface(const Profiles &p) {
    for (int i = 0; i < p.c.n; ++i) {
        const real density = p.c.density(i, 0) * (1 + p.c.vapour(i, 0));
        const real heat_flux = p.s.sensible_heat[i] / (density * constants::c_p * p.c.exner(i, 0));
        const real vapour_flux = p.s.vapour_flux[i] / density;
        const real ust = std::max(p.s.friction_velocity[i], real(1e-3));
        row(buoyancy)[i] = heat_flux * (1 + constants::virtual_factor * p.c.vapour(i, 0)) +
                           constants::virtual_factor * p.c.theta(i, 0) * vapour_flux;
        row(obukhov)[i] = -karman * constants::g * row(buoyancy)[i] / (p.theta_v(i, 0) * ust * ust * ust);
        const real u = p.c.u(i, 0), v = p.c.v(i, 0), speed = std::sqrt(u * u + v * v);
        const real with_gusts = std::max(p.s.wind_speed[i], real(1e-3));
        row(drag)[i] = p.c.density(i, 0) * p.s.friction_velocity[i] * p.s.friction_velocity[i] * speed /
                       (with_gusts * with_gusts);
    }
}

/// A column without turbulence has that of a neutral surface layer, falling off linearly.
void Mynn::begin_energy(const Profiles &p) {
    for (int i = 0; i < p.c.n; ++i) {
        real all = 0;
        for (int k = 0; k < p.c.nz; ++k) all += p.c.qke(i, k);
        const real at_ground = p.s.friction_velocity[i] * p.s.friction_velocity[i] * root_b1 * root_b1;
        for (int k = 0; k < p.c.nz; ++k)
            p.energy(i, k) = all > 0 ? p.c.qke(i, k) : at_ground * std::max(1 - p.z(i, k) / 700, real(0.01));
    }
}

void Mynn::set_gradients(const Profiles &p, int k) {
    for_each_i(0, p.c.n,
               [q = p.q.row(k), z_below = p.z.row(k - 1), z = p.z.row(k), dz_below = p.c.depth.row(k - 1),
                dz = p.c.depth.row(k), e_below = p.energy.row(k - 1), e = p.energy.row(k),
                u_below = p.c.u.row(k - 1), u = p.c.u.row(k), v_below = p.c.v.row(k - 1), v = p.c.v.row(k),
                t_below = p.theta_l.row(k - 1), t = p.theta_l.row(k), w_below = p.water.row(k - 1),
                w = p.water.row(k), shear = p.shear.row(k), t_z = p.theta_l_z.row(k),
                w_z = p.water_z.row(k)](int i) {
                   const real per = 1 / (z[i] - z_below[i]);
                   const real du = (u[i] - u_below[i]) * per, dv = (v[i] - v_below[i]) * per;
                   shear[i] = du * du + dv * dv;
                   t_z[i] = (t[i] - t_below[i]) * per;
                   w_z[i] = (w[i] - w_below[i]) * per;
                   const real share = dz_below[i] / (dz_below[i] + dz[i]);
                   const real square = e_below[i] + share * (e[i] - e_below[i]);
                   q[i] = std::sqrt(std::max(square, least_q * least_q));
               });
}

void Mynn::set_frequency(const Profiles &p, int k) {
    for_each_i(0, p.c.n,
               [n2 = p.frequency.row(k), th_below = p.of_theta_l.row(k - 1), th = p.of_theta_l.row(k),
                w_below = p.of_water.row(k - 1), w = p.of_water.row(k), t_z = p.theta_l_z.row(k),
                w_z = p.water_z.row(k), tv = p.theta_v.row(k), tv_below = p.theta_v.row(k - 1)](int i) {
                   // halves of sums in both, of theta_v too
                   n2[i] = constants::g * ((th_below[i] + th[i]) * t_z[i] + (w_below[i] + w[i]) * w_z[i]) /
                           (tv[i] + tv_below[i]);
               });
}

void Mynn::set_diffusivities(const Profiles &p) {
    for (int k = 1; k < p.c.nz; ++k) set_frequency(p, k);
    for (int k = 1; k < p.c.nz; ++k) {
        set_length(p, k);
        for_each_i(0, p.c.n,
                   [n2 = p.frequency.row(k), shear = p.shear.row(k), length = p.length.row(k), q = p.q.row(k),
                    momentum = p.momentum.row(k), heat = p.heat.row(k)](int i) {
                       const Stability s = stability(shear[i], n2[i], length[i], q[i]);
                       momentum[i] = length[i] * q[i] * s.momentum;
                       heat[i] = length[i] * q[i] * s.heat;
                   });
    }
    take_off_peaks(p, p.momentum);
    take_off_peaks(p, p.heat);
}

/// Where stable turbulence decays, the closure's fluxes fall as gradients grow (Deleersnijder and Luyten
/// 1994, Appl. Math. Modelling 18, 82-91; Burchard and Deleersnijder 2001, Ocean Modelling 3, 33-50), and
/// profiles turn into stairs: interfaces of weak gradients mix more than those around them. They may not mix
/// more than the mean of both sides (1, 2, 1), which leaves profiles that are linear, as next to the ground,
/// as they are.
void Mynn::take_off_peaks(const Profiles &p, Columns diffusivity) {
    std::fill_n(diffusivity.row(0), p.c.n, real(0));
    std::copy_n(diffusivity.row(0), p.c.n, row(unsmoothed));
    for (int k = 1; k + 1 < p.c.nz; ++k)
        for_each_i(
            0, p.c.n,
            [last = row(unsmoothed), here = diffusivity.row(k), above = diffusivity.row(k + 1)](int i) {
                const real mean = real(0.25) * (last[i] + 2 * here[i] + above[i]);
                last[i] = here[i];
                here[i] = std::min(here[i], mean);
            });
}

/// Conductances of `times` a diffusivity.
void Mynn::factor(const Profiles &p, ConstColumns diffusivity, real times, const real *surface,
                  ConstColumns removed) {
    for (int k = 1; k < p.c.nz; ++k)
        for_each_i(0, p.c.n,
                   [out = field(conductance).row(k), m_below = p.mass.row(k - 1), m = p.mass.row(k),
                    z_below = p.z.row(k - 1), z = p.z.row(k), d = diffusivity.row(k), times](int i) {
                       const real dz = z[i] - z_below[i];
                       out[i] = real(0.5) * (m_below[i] + m[i]) * times * d[i] / (dz * dz);
                   });
    mixing_.factor(p.c.n, p.c.dt, p.mass, field(conductance), surface, removed);
}

/// An upward flux from the surface, times per_flux, enters the lowest layer.
void Mynn::force_lowest(const Profiles &p, const real *flux, real per_flux) {
    for (int k = 0; k < p.c.nz; ++k) std::fill_n(field(forcing).row(k), p.c.n, real(0));
    for (int i = 0; i < p.c.n; ++i) field(forcing)(i, 0) = p.c.dt * per_flux * flux[i] / p.mass(i, 0);
}

/// The drag acts on the wind without gusts.
void Mynn::mix_momentum(const Profiles &p) {
    factor(p, p.momentum, 1, row(drag));
    mixing_.increments(p.c.u, row(zero), p.c.du);
    mixing_.increments(p.c.v, row(zero), p.c.dv);
    take_for_shear(p);
}

/// What the mean wind loses at interfaces, exactly: its difference after the step times that in the middle of
/// it. At the ground likewise.
void Mynn::take_for_shear(const Profiles &p) {
    for (int k = 0; k < p.c.nz; ++k)
        for_each_i(0, p.c.n,
                   [=, out = field(taken).row(k), g = k > 0 ? field(conductance).row(k) : row(drag),
                    u = p.c.u.row(k), du = p.c.du.row(k), v = p.c.v.row(k), dv = p.c.dv.row(k),
                    u_below = k > 0 ? p.c.u.row(k - 1) : row(zero),
                    du_below = k > 0 ? p.c.du.row(k - 1) : row(zero),
                    v_below = k > 0 ? p.c.v.row(k - 1) : row(zero),
                    dv_below = k > 0 ? p.c.dv.row(k - 1) : row(zero)](int i) {
                       const real a = u[i] - u_below[i], da = du[i] - du_below[i];
                       const real b = v[i] - v_below[i], db = dv[i] - dv_below[i];
                       out[i] = g[i] * ((a + da) * (a + real(0.5) * da) + (b + db) * (b + real(0.5) * db));
                   });
    std::fill_n(field(taken).row(p.c.nz), p.c.n, real(0));
}

/// All water with one diffusivity; theta follows from what was mixed of theta_l and cloud water.
void Mynn::mix_heat_and_water(const Profiles &p) {
    factor(p, p.heat, 1, row(zero));
    force_lowest(p, p.s.vapour_flux, 1);
    mixing_.increments(p.c.vapour, row(zero), p.c.dvapour, field(forcing));
    if (p.c.cloud.origin) mixing_.increments(p.c.cloud, row(zero), p.c.dcloud);
    if (p.c.ice.origin) mixing_.increments(p.c.ice, row(zero), p.c.dice);
    force_lowest(p, p.s.sensible_heat, 1 / constants::c_p);
    for (int i = 0; i < p.c.n; ++i) field(forcing)(i, 0) /= p.c.exner(i, 0);
    const Columns dtheta = field(dtheta_l);
    mixing_.increments(p.theta_l, row(zero), dtheta, field(forcing));
    for (int k = 0; k < p.c.nz; ++k)
        for_each_i(0, p.c.n,
                   [out = p.c.dtheta.row(k), mixed = dtheta.row(k), pi = p.c.exner.row(k),
                    cloud = p.c.cloud.origin ? p.c.dcloud.row(k) : row(zero)](int i) {
                       out[i] = mixed[i] + latent_heat / (constants::c_p * pi[i]) * cloud[i];
                   });
    take_for_buoyancy(p);
}

/// What the air's enthalpy loses as warm or moist air rises: g / theta_v times the flux of theta_v.
void Mynn::take_for_buoyancy(const Profiles &p) {
    const bool cloudy = p.c.cloud.origin;
    for (int k = 1; k < p.c.nz; ++k)
        for_each_i(0, p.c.n,
                   [=, out = field(taken).row(k), conductance = field(conductance).row(k),
                    t = p.theta_l.row(k), t_below = p.theta_l.row(k - 1), dt = field(dtheta_l).row(k),
                    dt_below = field(dtheta_l).row(k - 1), w = p.water.row(k), w_below = p.water.row(k - 1),
                    dq = p.c.dvapour.row(k), dq_below = p.c.dvapour.row(k - 1),
                    dc = cloudy ? p.c.dcloud.row(k) : row(zero),
                    dc_below = cloudy ? p.c.dcloud.row(k - 1) : row(zero), a = p.of_theta_l.row(k),
                    a_below = p.of_theta_l.row(k - 1), b = p.of_water.row(k), b_below = p.of_water.row(k - 1),
                    tv = p.theta_v.row(k), tv_below = p.theta_v.row(k - 1), z = p.z.row(k),
                    z_below = p.z.row(k - 1)](int i) {
                       const real jump = t[i] + dt[i] - t_below[i] - dt_below[i];
                       const real wet_jump = w[i] + dq[i] + dc[i] - w_below[i] - dq_below[i] - dc_below[i];
                       const real lifting =
                           (a[i] + a_below[i]) * jump + (b[i] + b_below[i]) * wet_jump; // twice its theta_v
                       out[i] -= conductance[i] * constants::g * (z[i] - z_below[i]) * lifting /
                                 (tv[i] + tv_below[i]);
                   });
}

/// In the lowest layer similarity tells production by shear and buoyancy [m2 s-3].
real Mynn::surface_production(const Profiles &p, int i) const {
    const real ust = p.s.friction_velocity[i], zeta = p.z(i, 0) * p.obukhov[i];
    const real phi = zeta < 0 ? 1 / std::sqrt(std::sqrt(1 - 16 * zeta)) : 1 + 5 * zeta;
    return ust * ust * ust * (phi - zeta) / (karman * p.z(i, 0));
}

/// Diffusion with three times that of momentum, production of what was taken from the air, and dissipation
/// q^3 / (B1 L). Production is a source where it is one; where stability takes more than shear
/// gives, a rate of loss.
void Mynn::predict_energy(const Profiles &p) {
    for (int k = 0; k < p.c.nz; ++k)
        for (int i = 0; i < p.c.n; ++i) {
            const real above = field(taken)(i, k + 1), below = k > 0 ? field(taken)(i, k) : real(0);
            const real produced =
                k > 0 ? real(0.5) * (above + below) / p.mass(i, k) : surface_production(p, i);
            const real square = std::max(p.energy(i, k), least_q * least_q);
            const real upper = k + 1 < p.c.nz ? p.length(i, k + 1) : p.length(i, k);
            const real eddy = real(0.5) * ((k > 0 ? p.length(i, k) : real(0)) + upper);
            field(forcing)(i, k) = 2 * p.c.dt * std::max(produced, real(0));
            field(removal)(i, k) =
                2 * std::sqrt(square) / (b1 * eddy) + 2 * std::max(-produced, real(0)) / square;
        }
    factor(p, p.momentum, 3, row(zero), field(removal));
    mixing_.increments(p.energy, row(zero), p.c.dqke, field(forcing));
    dissipate(p);
}

/// What was taken from the air and is not turbulence any more heats it.
void Mynn::dissipate(const Profiles &p) {
    for (int k = 0; k < p.c.nz; ++k) {
        const real ground = k > 0 ? real(0.5) : real(1);
        for_each_i(0, p.c.n,
                   [=, dqke = p.c.dqke.row(k), dtheta = p.c.dtheta.row(k), before = p.energy.row(k),
                    carried = p.c.qke.row(k), below = field(taken).row(k), above = field(taken).row(k + 1),
                    m = p.mass.row(k), pi = p.c.exner.row(k), gain = field(forcing).row(k),
                    rate = field(removal).row(k), dt = p.c.dt](int i) {
                       const real after = before[i] + dqke[i];
                       const real given = dt * (ground * below[i] + real(0.5) * above[i]) / m[i];
                       const real warmth = given - real(0.5) * gain[i] + real(0.5) * dt * rate[i] * after;
                       dtheta[i] += warmth / (constants::c_p * pi[i]);
                       dqke[i] = after - carried[i];
                   });
    }
}

} // namespace

BoundaryLayerEntry mynn_scheme() {
    return {"prognostic turbulence, level 2.5, Nakanishi and Niino (2009)",
            [](int nz) { return std::make_unique<Mynn>(nz); }, true, true};
}

} // namespace squall
