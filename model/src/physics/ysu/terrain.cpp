// What the drag by hills within cells is where the boundary layer convects.
#include <algorithm>
#include <cmath>

#include "physics/ysu/profiles.hpp"

namespace squall::ysu {
namespace {

constexpr real low = 500;                                            // [m]: where its extremes are looked for
constexpr real least_energy = real(0.025), most_energy = real(0.25); // that counts as turbulence [m2 s-2]

/// Twice the turbulent kinetic energy [m2 s-2] with which shear and buoyancy at the top of layer k are in
/// balance with dissipation.
real turbulence(const Profiles &p, int i, int k, const Layer &a, const Diffusivities &d) {
    const TurbulentColumns &c = p.c;
    const real dz = p.z(i, k + 1) - p.z(i, k);
    const auto gradient = [&](ConstColumns f) { return (f(i, k + 1) - f(i, k)) / dz; };
    const real du = gradient(c.u), dv = gradient(c.v), h = a.height;
    const real shear = d.momentum(i, k + 1) * ((du - a.u / h) * du + (dv - a.v / h) * dv);
    const real buoyancy = d.heat(i, k + 1) * constants::g / c.theta(i, k) * (gradient(c.theta) - a.heat / h);
    const real zk = karman * p.bottom(i, k + 1);
    const real most_length =
        k >= a.top ? std::min(dz, std::min(std::max(real(0.1) * dz, real(30)), real(300))) : real(150);
    const real produced = real(16.6) * zk * most_length / (most_length + zk) * (shear - buoyancy);
    return produced > 0 ? std::pow(produced, real(0.66)) : real(0);
}

/// How high a level of a profile lies that crosses it between the layers k - 1 and k: `beyond` it in k, over
/// the change from one to the other.
real crossing(const Profiles &p, int i, int k, real beyond, real change) {
    return p.bottom(i, k) - p.c.depth(i, k - 1) * std::min(beyond / std::max(change, real(1e-6)), real(1));
}

/// From which layer profiles are looked at, and what for.
struct Search {
    int coldest = 0, stirred = 0;
    real theta_v = real(9e9), energy = 0; ///< the least, and that which counts as turbulence
};

Search search_low(const Profiles &p, int i, const Layer &a, const Diffusivities &d) {
    Search s;
    real most = 0;
    for (int k = 1; k < p.c.nz - 1 && p.bottom(i, k) <= low; ++k) {
        if (const real q = turbulence(p, i, k, a, d); q > most) most = q, s.stirred = k;
        if (p.theta_v(i, k) < s.theta_v) s.theta_v = p.theta_v(i, k), s.coldest = k;
    }
    s.energy = std::clamp(most / 40, least_energy, most_energy);
    return s;
}

/// Height at which the air is warmer by so much than the coldest below.
real height_by_temperature(const Profiles &p, int i, const Search &s) {
    const real warm = s.theta_v + (p.s.land[i] > real(0.5) ? real(1.5) : real(0.75));
    for (int k = s.coldest + 1; k < p.c.nz - 3; ++k)
        if (p.theta_v(i, k) >= warm)
            return crossing(p, i, k, p.theta_v(i, k) - warm, p.theta_v(i, k) - p.theta_v(i, k - 1));
    return p.bottom(i, 1);
}

/// Height at which turbulence ends.
real height_by_turbulence(const Profiles &p, int i, const Search &s, const Layer &a, const Diffusivities &d) {
    const auto energy = [&](int k) { return turbulence(p, i, k, a, d) / 2; };
    for (int k = s.stirred + 1; k < p.c.nz - 3; ++k)
        if (const real q = energy(k); q <= s.energy)
            return std::max(crossing(p, i, k, s.energy - q, energy(k - 1) - q), p.bottom(i, 1));
    return p.bottom(i, 1);
}

/// Of the two heights, by turbulence where that is low.
real mixed_height(const Profiles &p, int i, const Layer &a, const Diffusivities &d) {
    const Search s = search_low(p, i, a, d);
    const real warm = height_by_temperature(p, i, s), calm = height_by_turbulence(p, i, s, a, d);
    const real weight = real(0.5) * std::tanh((warm - 200) / 400) + real(0.5);
    return calm * (1 - weight) + warm * weight;
}

} // namespace

real terrain_drag(const Profiles &p, int i, const Layer &a, const Diffusivities &d) {
    const real height = mixed_height(p, i, a, d);
    const real rising = p.s.land[i] > real(0.5) ? std::max(a.buoyancy, real(0)) : real(0);
    const real convection = std::pow(constants::g / p.theta_v(i, 0) * height * rising, real(0.33));
    const real of_flat =
        std::min(real(0.9) * convection + real(1.5) * std::max((height - 500) / 1000, real(0)), real(1));
    return of_flat + p.c.terrain_drag[i] * (1 - of_flat);
}

} // namespace squall::ysu
