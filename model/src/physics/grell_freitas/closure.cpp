#include "physics/grell_freitas/closure.hpp"

#include <cmath>

namespace squall::grell_freitas {
namespace {

// WRF's little mass leaves the difference of works to rounding [kg m-2].
constexpr real tried_mass = 5, wrfs_tried_mass = real(0.1);
constexpr real cloud_speed = 7; // [m s-1]

real cloud_depth(const Air &air, const Cloud &cloud) { return air.z[cloud.neutral] - air.z[cloud.base]; }

real time_scale(const Air &air, const Cloud &cloud) {
    return cloud_depth(air, cloud) / cloud_speed * (real(1.0061) + real(1.23e-5) * air.spacing);
}

/// A_bl: of all but convection, below the base [J kg-1].
real work_of_boundary_layer(const Air &air, const Cloud &cloud) {
    constexpr real scale = 4; // [K]
    if (air.z[cloud.base] > air.height[end_of_boundary_layer(air) + 1] + air.datum()) return 0;
    real made = 0;
    for (int k = 1; k <= cloud.base; ++k)
        made += (air.z[k] - air.z[k - 1]) * gravity *
                (air.forced.temperature[k] - air.now.temperature[k] +
                 real(0.608) * (air.forced.vapour[k] - air.now.vapour[k])) /
                air.step;
    real time = cloud_depth(air, cloud) / cloud_speed;
    if (!air.land) {
        const int b = cloud.base;
        const real squares =
            air.u[0] * air.u[0] + air.v[0] * air.v[0] + air.u[b] * air.u[b] + air.v[b] * air.v[b];
        time = air.z[b] / (2 + std::sqrt(2 * squares));
    }
    return std::max(made * time / scale, real(0));
}

/// What rises beside the downdraughts.
real beside(real down, real up) { return std::max(real(0.5), 1 - down / up); }

real by_rising_air(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down) {
    real sum = 0;
    int n = 0;
    for (int k = cloud.base - 1; k <= cloud.base + 1; ++k)
        if (up.flux[k] > 0) {
            sum += air.rising[k] / beside(down.strength * down.flux[k], up.flux[k]);
            ++n;
        }
    return n > 0 ? std::max(real(1.5) * sum / real(n), real(0)) : real(0);
}

real by_vapour(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down, real rain) {
    real converges = 0, most = 0;
    for (int k = 0; k <= cloud.top; ++k) {
        converges -= air.rising[k] * (air.forced.q[k + 1] - air.forced.q[k]);
        most = std::max(most, up.flux[k]);
    }
    return std::max(converges / beside(down.strength * down.flux[cloud.base], most), real(0)) / rain;
}

} // namespace

Closure::Closure(int layers) : tried_(layers) {}

/// k above; not positive: there would be more work than before.
real Closure::used_up(const Air &air, const Cloud &cloud, Updraught &up, const Response &response,
                      real work) {
    constexpr real least = real(1e-3);
    const real mass = air.as_wrf ? wrfs_tried_mass : tried_mass;
    for (int k = 0; k < air.nz; ++k) {
        const real warming = (response.energy[k] - vaporisation * response.vapour[k]) / heat_capacity;
        tried_.temperature[k] = std::max(air.forced.temperature[k] + warming * mass, real(190));
        tried_.vapour[k] = std::max(air.forced.vapour[k] + response.vapour[k] * mass, real(1e-16));
    }
    tried_.complete(air.height, air.pressure);
    const real k = (work - up.work_in(air, tried_, cloud)) / mass;
    return k >= 0 ? std::max(k, least) : k;
}

real Closure::flux(const Air &air, const Cloud &cloud, Updraught &up, const Downdraught &down,
                   const Response &response) {
    constexpr real least_rain = real(1e-5), most = 100, least = real(1e-16);
    const real work = up.work_in(air, air.forced, cloud), before = up.work_in(air, air.now, cloud);
    const real rain = up.all - down.strength * down.evaporated;
    if (work <= 0 || rain < least_rain) return 0;
    const real uses = used_up(air, cloud, up, response, work), tau = time_scale(air, cloud);
    const real made = (work - before) / air.step;
    const real rising = by_rising_air(air, cloud, up, down);
    real sum = real(4.5) * rising + 4 * by_vapour(air, cloud, up, down, rain), compensated = 0;
    if (uses > 0) {
        compensated = work_of_boundary_layer(air, cloud) / tau / uses;
        if (made >= 0) sum += 4 * (made + work / tau) / uses;
    }
    const real mean = std::min(std::max(sum / 16 - compensated, real(0)), most);
    const real flux = (made < 0 ? real(16) / 12 : real(1)) * cloud.size.weight() * mean;
    return flux < least ? real(0) : flux;
}

} // namespace squall::grell_freitas
