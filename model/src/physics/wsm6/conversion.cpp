#include <algorithm>
#include <cmath>

#include "physics/wsm6/processes.hpp"

namespace squall::wsm6 {
namespace {

/// [praut] HDC04 equation 16: droplets of more than 8 micrometres coalesce.
real cloud_to_rain(real q, real dt) {
    constexpr double radius = 0.8e-5, efficiency = 0.55, air_viscosity = 1.718e-5;
    constexpr real threshold =
        real(4.0 / 3 * 3.14159265358979 * 1000 * radius * radius * radius * 3e8 / 1.28);
    static const real rate =
        real(0.104 * 9.8 * efficiency / std::cbrt(3e8 * 1000) / air_viscosity * std::pow(1.28, 4.0 / 3));
    return q > threshold ? rate * std::pow(q, real(7.0 / 3)) * dt : real(0);
}

/// [psaut] HDC04 equation 12: crystals of more than 500 micrometres are snow.
real ice_to_snow(real q, real density) {
    constexpr double d2 = 500e-6 * 500e-6, d8 = d2 * d2 * d2 * d2;
    return q - real(2.08e22 * d8) / density;
}

/// [pgaut] LFO83 equation 37.
real snow_to_graupel(real q, real cold, real dt) {
    constexpr real threshold = real(6e-4);
    return real(1e-3) * std::exp(real(-0.09) * cold) * (q - threshold) * dt;
}

} // namespace

void convert(const Cloudy &c, real dt, Exchange &e) {
    const Mixture &q = c.x.q;
    e.move(Water::cloud, Water::rain, cloud_to_rain(q[Water::cloud], dt));
    if (!c.freezing) return;
    e.move(Water::ice, Water::snow, ice_to_snow(q[Water::ice], c.x.density));
    e.move(Water::snow, Water::graupel, snow_to_graupel(q[Water::snow], c.air.cold, dt));
}

} // namespace squall::wsm6
