#include <algorithm>
#include <cmath>

#include "core/loop.hpp"
#include "physics/ysu/profiles.hpp"

namespace squall::ysu {
namespace {

/// Equations A14 to A19: of the local shear and Richardson number, in cloud that of saturated air (Durran and
/// Klemp 1982).
void set_local_row(const Profiles &p, int k, const Diffusivities &d) {
    const TurbulentColumns &c = p.c;
    const auto layers = [k](ConstColumns f) { return std::pair(f.row(k - 1), f.row(k)); };
    for_each_i(
        0, c.n,
        [u = layers(c.u), v = layers(c.v), tv = layers(p.theta_v), t = layers(p.temperature),
         q = layers(c.vapour), w = layers(p.condensate), z = layers(p.z), zi = p.bottom.row(k),
         km = d.momentum.row(k), kh = d.heat.row(k), kq = d.vapour.row(k),
         top = d.towards_top.row(k)](int i) {
            using namespace constants;
            const real dz = z.second[i] - z.first[i];
            const real du = u.second[i] - u.first[i], dv = v.second[i] - v.first[i];
            const real shear = (du * du + dv * dv) / (dz * dz) + real(1e-9);
            const real dry =
                g / (real(0.5) * (tv.first[i] + tv.second[i])) * (tv.second[i] - tv.first[i]) / (shear * dz);
            const real vapour = real(0.5) * (q.first[i] + q.second[i]);
            const real mean_t = real(0.5) * (t.first[i] + t.second[i]);
            const real alpha = latent_heat * vapour / r_d / mean_t;
            const real chi = latent_heat * latent_heat * vapour / c_p / r_v / mean_t / mean_t;
            const real wet = (1 + alpha) * (dry - g * g / shear / mean_t / c_p * ((chi - alpha) / (1 + chi)));
            const bool in_cloud = (w.first[i] > much_cloud) & (w.second[i] > much_cloud);
            const real ri = in_cloud ? wet : dry;
            const real zk = karman * zi[i];
            const real length = std::min(dz, std::min(std::max(real(0.1) * dz, real(30)), real(300)));
            const real mixing = zk * length / (length + zk);
            const real scale = mixing * mixing * std::sqrt(shear);
            const real bounded = std::max(ri, real(-100)), root = std::sqrt(std::max(-bounded, real(0)));
            const real stable_h = scale / ((1 + 5 * ri) * (1 + 5 * ri));
            const real stable_m = stable_h * std::min(1 + real(2.1) * ri, real(4));
            const real free_m = scale * (1 - 8 * bounded / (1 + real(1.746) * root));
            const real free_h = scale * (1 - 8 * bounded / (1 + real(1.286) * root));
            km[i] = std::min((ri < 0 ? free_m : stable_m) + least_momentum, most);
            kh[i] = std::min((ri < 0 ? free_h : stable_h) + least_heat, most);
            kq[i] = kh[i];
            top[i] = 0;
        });
}

/// Prandtl numbers at the top of the surface layer, for vapour and for heat, which has a countergradient
/// flux.
struct Prandtl {
    real vapour, heat;
};

Prandtl prandtl(const Layer &a) {
    if (!a.unstable) {
        const real number = std::clamp(a.phi_h / a.phi_m, real(0.25), real(4));
        return {number, number};
    }
    const real number =
        std::clamp(a.phi_h / a.phi_m + countergradient * karman * surface_share, real(0.25), real(4));
    const real convection = (a.wstar3 + a.cloud_wstar3) / a.ust3;
    const real shrunk = real(15.9) * convection / (1 + 4 * karman * convection);
    return {number, number / (1 + shrunk * karman * surface_share)};
}

/// Equations A1 to A9: the profile K = k w z (1 - z/h)^2, from the ground's stirring and from the cloud's.
void set_within(const Profiles &p, int i, const Layer &a, const Diffusivities &d) {
    const real h = a.height, z1 = p.z(i, 0);
    const Prandtl number = prandtl(a);
    for (int k = 1; k <= a.top; ++k) {
        const real z = p.bottom(i, k);
        const real below_top = std::clamp(1 - (z - z1) / (h - z1), real(1e-8), real(1));
        const real up = 1 - below_top;
        d.towards_top(i, k) = up * up * up;
        const real stirred = a.unstable ? std::pow(a.ust3 + 8 * karman * a.wstar3 * up, third)
                                        : std::max(a.ust / (1 + 5 * a.zeta * z / z1), real(0.001));
        real km = stirred * karman * z * below_top * below_top;
        if (a.cloud_wstar3 > 0)
            km += std::pow(8 * karman * a.cloud_wstar3 * below_top, third) * karman * (h - z) * up * up;
        if (k == a.top && a.cloudy && a.entrainment < 0) km = 0; // entrainment does it
        const real above = std::max(z - surface_share * h, real(0));
        const real fading = a.unstable ? std::exp(-3 * above * above / (h * h)) : real(1);
        d.vapour(i, k) = std::min(km / (1 + (number.vapour - 1) * fading) + least_heat, most);
        d.heat(i, k) = std::min(km / (1 + (number.heat - 1) * fading) + least_heat, most);
        d.momentum(i, k) = std::min(km + least_momentum, most);
    }
}

/// Equation A20: entrainment fades above the top, as a geometric mean with local mixing.
void set_above(const Profiles &p, int i, const Layer &a, const Diffusivities &d) {
    const real entraining = -a.entrainment * (p.z(i, a.top) - p.z(i, a.top - 1));
    for (int k = a.top + 1; k < p.c.nz; ++k) {
        const real distance = (p.bottom(i, k) - a.height) / a.depth;
        if (!(distance * distance < real(4.6))) continue;
        const real mixing = entraining * std::exp(-distance * distance);
        d.heat(i, k) = d.vapour(i, k) = std::clamp(std::sqrt(mixing * d.heat(i, k)), least_heat, most);
        d.momentum(i, k) = std::clamp(std::sqrt(d.heat(i, k) * d.momentum(i, k)), least_momentum, most);
    }
}

} // namespace

void set_local(const Profiles &p, const Diffusivities &d) {
    for (int k = 1; k < p.c.nz; ++k) set_local_row(p, k, d);
}

void set_nonlocal(const Profiles &p, int i, const Layer &layer, const Diffusivities &d) {
    set_within(p, i, layer, d);
    if (layer.mixed) set_above(p, i, layer, d);
}

} // namespace squall::ysu
