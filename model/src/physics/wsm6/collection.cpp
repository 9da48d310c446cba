#include <algorithm>
#include <cmath>

#include "physics/wsm6/processes.hpp"

namespace squall::wsm6 {
namespace {

constexpr real few = real(1e-4); ///< [kg kg-1], below which collisions make snow, not graupel

/// Cloud water swept up by falling particles (LFO83, equations 24, 40 and 51); gamma_3_b is
/// Gamma(3 + b), a and b those of the fall speed.
real swept_cloud(const Cloudy &c, const Particles &by, real a, real gamma_3_b, real dt) {
    return pi / 4 * by.n0 * a * gamma_3_b * by.l3 * by.lb * c.air.thinness * c.x.q[Water::cloud] * dt;
}

/// Ice swept up by falling particles (HDC04, equation 10; LFO83, equation 25).
real swept_ice(const Cloudy &c, const Particles &by, real efficiency, real dt) {
    const real d = c.ice.diameter;
    const real area = 2 * by.l3 + 2 * d * by.l2 + d * d * by.l1;
    return pi / 4 * efficiency * by.n0 * std::abs(by.speed - c.ice.speed) * area * c.x.q[Water::ice] * dt;
}

/// Rain that freezes on the crystals it meets (LFO83, equation 26).
real rain_on_ice(const Cloudy &c, real dt) {
    const Particles &r = c.rain;
    return pi * pi / 24 * rain_a * gamma_6_8 * rho_water / c.x.density * c.ice.number * r.n0 * r.l3 * r.l3 *
           r.lb * c.air.thinness * dt;
}

/// Particles of density `density` collected by others (LFO83, equations 27, 28 and 42).
real collided(const Cloudy &c, const Particles &of, real density, const Particles &by, real dt) {
    const real shape =
        5 * of.l3 * of.l3 * by.l1 + 2 * of.l3 * of.l2 * by.l2 + real(0.5) * of.l2 * of.l2 * by.l3;
    return pi * pi * of.n0 * by.n0 * std::abs(of.speed - by.speed) * density / c.x.density * shape * dt;
}

/// [praci, piacr]
void ice_meets_rain(const Cloudy &c, real dt, Exchange &e) {
    const Water product = c.x.q[Water::rain] < few ? Water::snow : Water::graupel;
    e.move(Water::ice, product, swept_ice(c, c.rain, 1, dt));
    e.move(Water::rain, product, rain_on_ice(c, dt));
}

/// [pracs, psacr]
void snow_meets_rain(const Cloudy &c, real dt, Exchange &e) {
    const bool light = c.x.q[Water::rain] < few && c.x.q[Water::snow] < few;
    if (!light) e.move(Water::snow, Water::graupel, collided(c, c.snow, snow_density, c.rain, dt));
    e.move(Water::rain, light ? Water::snow : Water::graupel, collided(c, c.rain, rho_water, c.snow, dt));
}

/// [psaci, pgaci, praci, piacr, psacw, pgacw, psacr, pracs, pgacr]
void collect_cold(const Cloudy &c, real dt, Exchange &e) {
    const bool ice = c.x.q[Water::ice] > 0;
    const real sticky = std::exp(real(-0.07) * c.air.cold);
    if (ice && c.rain.any()) ice_meets_rain(c, dt, e);
    if (c.snow.any()) {
        if (ice) e.move(Water::ice, Water::snow, swept_ice(c, c.snow, sticky, dt));
        e.move(Water::cloud, Water::snow, swept_cloud(c, c.snow, snow_a, gamma_3_41, dt));
        if (c.rain.any()) snow_meets_rain(c, dt, e);
    }
    if (c.graupel.any()) {
        if (ice) e.move(Water::ice, Water::graupel, swept_ice(c, c.graupel, sticky, dt));
        e.move(Water::cloud, Water::graupel, swept_cloud(c, c.graupel, graupel_a, gamma_3_8, dt));
        if (c.rain.any()) e.move(Water::rain, Water::graupel, collided(c, c.rain, rho_water, c.graupel, dt));
    }
}

/// Warm water that melting particles collect is shed as rain; its heat melts them [pseml, pgeml].
void collect_warm(const Cloudy &c, const Particles &by, Water melting, real a, real gamma_3_b, real dt,
                  Exchange &e) {
    if (!by.any()) return;
    const real cloud = swept_cloud(c, by, a, gamma_3_b, dt);
    const real rain = c.rain.any() ? collided(c, c.rain, rho_water, by, dt) : real(0);
    e.move(Water::cloud, Water::rain, cloud);
    e.move(melting, Water::rain, c_liquid / l_f * -c.air.cold * (cloud + rain));
}

} // namespace

void collect(const Cloudy &c, real dt, Exchange &e) {
    if (c.rain.any()) // [pracw]
        e.move(Water::cloud, Water::rain, swept_cloud(c, c.rain, rain_a, gamma_3_8, dt));
    if (c.freezing) {
        collect_cold(c, dt, e);
        return;
    }
    collect_warm(c, c.snow, Water::snow, snow_a, gamma_3_41, dt, e);
    collect_warm(c, c.graupel, Water::graupel, graupel_a, gamma_3_8, dt, e);
}

} // namespace squall::wsm6
