// What rises from the ground in plumes (Olson et al. 2019, section 6).
#include <algorithm>
#include <cmath>

#include "physics/mynn_edmf/constants.hpp"
#include "physics/mynn_edmf/saturation.hpp"
#include "physics/mynn_edmf/steps.hpp"

namespace squall::mynn_edmf {
namespace {

constexpr int plumes = 8;
constexpr real narrowest = 300, widest = 1000; // diameters [m]
constexpr real all_area = real(0.10);          ///< share of the cell that plumes fill at most

/// Air in a plume at an interface.
struct Parcel {
    real w, theta_l, water, u, v, ice_number, energy;
    real cloud = 0, theta_v = 0;
};

/// What all plumes of a column start with.
struct Start {
    real spacing;         ///< between diameters of neighbours [m]
    real area;            ///< of all, share of the cell
    real w_least, w_most; ///< [m s-1]
    real theta_per_w;     ///< excess over the air around [K s m-1]
    real water_per_w;     ///< likewise
    real share;           ///< of the fluxes that the grid leaves to plumes
};

inline real bounded(real x, real low, real high) { return std::min(std::max(x, low), high); }

/// Where plumes may reach, the grid lifts or sinks air itself [m s-1].
real resolved_motion(const Column &c) {
    real most = 0;
    for (int k = 0; k < c.nz - 1 && c.middle(k) <= c.height + 500; ++k)
        most = std::max(most, std::abs(c.w[k] < 0 ? 2 * c.w[k] : c.w[k]));
    return most;
}

/// The lowest layer half of which is cloud [m].
real cloud_base(const Column &c) {
    for (int k = 0; k < c.nz - 1 && c.middle(k) <= c.height + 500; ++k)
        if (std::max(c.cloud[k], c.cloud_water[k]) > real(1e-5) && c.cover[k] >= real(0.5))
            return c.bottom[k];
    return 9000;
}

/// Whether theta_v falls from the ground through the lowest 50 m.
bool superadiabatic(const Column &c) {
    const real ground = c.below.theta * (1 + constants::virtual_factor * c.vapour[0]);
    const real steep = c.below.sea ? real(-0.001) : real(-0.003); // [K m-1]
    if ((c.theta_v[0] - ground) / (real(0.5) * c.dz[0]) >= steep) return false;
    for (int k = 1; k < c.nz - 1 && c.middle(k) <= 50; ++k)
        if ((c.theta_v[k] - c.theta_v[k - 1]) / c.step(k) >= real(-0.0005)) return false;
    return true;
}

/// Diameter of the widest plume [m].
real widest_plume(const Column &c) {
    const bool sea = c.below.sea;
    const real under_cloud =
        std::min(widest, std::max((sea ? real(0.9) : real(0.5)) * cloud_base(c), real(400)));
    const real flux =
        (c.below.virtual_heat - (sea ? real(0.007) : real(0.040))) / (sea ? real(0.02) : real(0.04));
    const real by_flux = bounded(1000 * (real(0.6) * std::tanh(flux) + real(0.5)), 0, 1000);
    return std::min({real(1.2) * c.spacing, widest, real(1.1) * c.height, under_cloud, by_flux});
}

/// Whether there are plumes, and how they begin.
bool find_start(const Column &c, Start &s) {
    const Below &b = c.below;
    s.share = std::min(std::max(real(0), 1 - std::max(real(0), resolved_motion(c) - 1)), c.coarse_for_plumes);
    const real width = widest_plume(c), flux = b.virtual_heat;
    if (s.share == 0 || !(flux > real(0.002)) || width <= narrowest || !superadiabatic(c)) return false;
    s.spacing = (width - narrowest) / (plumes - 1);
    const real wind = std::sqrt(std::max(c.u[0] * c.u[0] + c.v[0] * c.v[0], real(0.01)));
    const real calm = wind <= 10 ? real(1) : 1 - std::min(std::max(wind - 13, real(0)) / 10, real(1));
    const real strong = b.sea ? (flux - real(0.012)) / real(0.03) : (flux - real(0.02)) / real(0.05);
    s.area = all_area * std::min(real(0.5) * std::tanh(strong) + real(0.5), calm);
    // The spread of w, theta and water at 50 m.
    constexpr real z0 = 50, spread = real(1.34);
    const real w_star = std::max(real(1e-2), std::cbrt(gravity_per_theta * flux * c.height));
    const real depth = std::cbrt(z0 / c.height);
    const real sigma_w = spread * w_star * depth * (1 - real(0.8) * z0 / c.height);
    s.w_least = std::min(sigma_w * real(0.1), real(0.1));
    s.w_most = std::min(sigma_w * real(0.4), real(0.5));
    const real excess = real(0.58) * (b.sea ? 4 : 1) * calm * spread * depth / (sigma_w * w_star);
    s.theta_per_w = excess * b.heat;
    s.water_per_w = excess * std::max(b.water, real(1e-5));
    return true;
}

/// Cloud and theta_v of a parcel at a pressure, z above the ground.
void condense(Parcel &p, real pressure, real z) {
    const real exner = std::pow(pressure / constants::p0, constants::kappa);
    const auto excess = [&] {
        return std::max(p.water - saturation(exner * p.theta_l + vaporisation_per_cp * p.cloud, pressure),
                        real(0));
    };
    for (int n = 0; n < 50; ++n) {
        const real before = p.cloud;
        p.cloud = real(0.5) * (before + excess());
        if (std::abs(p.cloud - before) < real(1e-6)) break;
    }
    p.cloud = z < 100 ? 0 : excess();
    p.theta_v = (p.theta_l + vaporisation_per_cp * p.cloud) *
                (1 + p.water * constants::virtual_factor - constants::rv_over_rd * p.cloud);
}

/// What a plume of this diameter takes in on its way through layer k [m-1].
real entrainment(const Column &c, int k, real w, real diameter) {
    const real slowest = real(0.3) + diameter * real(0.0005);
    real rate = std::max(real(0.33) / (std::min(std::max(w, slowest), real(0.9)) * diameter), real(0.0003));
    const real high = std::min(c.height + 1500, real(4000));
    if (c.bottom[k] >= high) rate += (c.bottom[k] - high) * real(5e-6);
    return std::min(rate, real(0.9) / c.dz[k]);
}

/// The same plume on top of layer k.
Parcel lifted(const Column &c, int k, const Parcel &p, real diameter) {
    const real rate = entrainment(c, k, p.w, diameter), taken = rate * c.dz[k];
    const real of_wind = taken * real(0.3333); // pressure keeps its wind
    Parcel up = p;
    const auto mix = [](real &in, real around, real share) { in = in * (1 - share) + around * share; };
    mix(up.theta_l, c.theta_l[k], taken);
    mix(up.water, c.water[k], taken);
    mix(up.ice_number, c.ice_number[k], taken);
    mix(up.energy, c.energy[k], taken);
    mix(up.u, c.u[k], of_wind);
    mix(up.v, c.v[k], of_wind);
    condense(up, c.between(c.pressure, k + 1), c.bottom[k + 1]);
    const real lift = constants::g * (up.theta_v / c.between(c.theta_v, k + 1) - 1);
    const real per_lift = lift > 0 ? real(0.15) : real(0.2), depth = c.dz[k - 1];
    const real change =
        (-2 * rate * p.w + per_lift * lift / std::max(p.w, real(0.2))) * std::min(depth, real(250));
    const real most = std::min(real(1.25) * depth / 200, real(2));
    up.w = bounded(p.w + bounded(change, -most, most), 0, 3);
    return up;
}

/// A parcel of a plume above layer k, of an area, counted in the sums of all.
void add(Column &c, int k, const Parcel &p, real area, real share) {
    const real air = c.density_between[k + 1] * area * p.w * share;
    PlumeFluxes &f = c.plumes;
    f.air[k + 1] += air;
    f.theta_l[k + 1] += air * p.theta_l;
    f.vapour[k + 1] += air * (p.water - p.cloud);
    f.cloud[k + 1] += air * p.cloud;
    f.u[k + 1] += air * p.u;
    f.v[k + 1] += air * p.v;
    f.ice_number[k + 1] += air * p.ice_number;
    f.energy[k + 1] += air * p.energy;
    c.rising.area[k] += area;
    c.rising.w[k] += area * p.w;
    c.rising.water[k] += area * p.water;
    c.rising.cloud[k] += area * p.cloud;
}

/// Lifts a plume from the top of the lowest layer until it stops; the layer above which it is seen last, or 0
/// if it does not rise through a layer.
int raise(Column &c, const Start &s, int n, real area) {
    const real diameter = narrowest + s.spacing * real(n);
    const real w = s.w_least + real(n + 1) / plumes * (s.w_most - s.w_least);
    Parcel p{w,
             c.between(c.theta_l, 1) + s.theta_per_w * w,
             c.between(c.water, 1) + s.water_per_w * w,
             c.between(c.u, 1),
             c.between(c.v, 1),
             c.between(c.ice_number, 1),
             c.between(c.energy, 1)};
    add(c, 0, p, area, s.share);
    for (int k = 1; k < c.nz - 1; ++k) {
        p = lifted(c, k, p, diameter);
        if (p.w <= 0) return k - 1;
        add(c, k, p, area, s.share);
    }
    return c.nz - 2;
}

void clear(Column &c) {
    c.plumes.clear();
    for (Profile *p : {&c.rising.area, &c.rising.w, &c.rising.water, &c.rising.cloud, &c.rising.production})
        p->fill(0);
}

/// All plumes; the highest layer above which there is one; 0: none, as where one does not get off the ground.
int raise_all(Column &c, const Start &s) {
    // As many of diameter l as l^-1.9 says.
    const auto area = [&](int n) { return std::pow(narrowest + s.spacing * real(n), real(0.1)); };
    real all = 0;
    for (int n = 0; n < plumes; ++n) all += area(n);
    int top = 0;
    for (int n = 0; n < plumes; ++n) {
        const int reached = raise(c, s, n, s.area * area(n) / all);
        if (reached == 0) return 0;
        top = std::max(top, reached);
    }
    return top;
}

/// So that plumes take no more than three quarters of the surface's flux out of the lowest layer.
real part_of_flux(const Column &c) {
    const real steep = (c.theta_v[0] - c.theta_v[1]) / c.step(1);
    const real taken = std::max(c.plumes.air[1] * steep, real(1e-6));
    const real most = real(0.75) * std::max(c.below.virtual_heat, real(0)) / c.dz[0];
    return taken > most ? std::max(real(0.01), most / taken) : real(1);
}

/// From sums to means, and what their dissipation gives to turbulence.
void finish(Column &c, const Start &s) {
    const real part = part_of_flux(c);
    PlumeFluxes &f = c.plumes;
    for (int k = 0; k < c.nz - 1; ++k) {
        for (Profile *p : f.all()) (*p)[k + 1] *= part;
        Rising &r = c.rising;
        if (!(r.area[k] > 0)) continue;
        for (Profile *p : {&r.w, &r.water, &r.cloud}) (*p)[k] /= r.area[k];
        r.area[k] *= part * s.share;
        const real w = std::abs(r.w[k]);
        r.production[k] = w * w * w * r.area[k] / (b1 * std::max(c.length[k], real(0.1)));
    }
}

} // namespace

void raise_plumes(Column &c) {
    clear(c);
    Start s{};
    if (!find_start(c, s)) return;
    const int top = raise_all(c, s);
    if (top == 0) return clear(c);
    finish(c, s);
    add_plume_clouds(c, top);
}

} // namespace squall::mynn_edmf
