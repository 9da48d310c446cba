#include "physics/wsm6/sedimentation.hpp"

#include <algorithm>
#include <cmath>

namespace squall::wsm6 {
namespace {

constexpr real max_courant = real(0.75);

real fall_speed(Water species, real q, real density, real temperature) {
    switch (species) {
    case Water::rain:
        return rain_of(q, density).speed;
    case Water::snow:
        return snow_of(q, density, temperature).speed;
    case Water::graupel:
        return graupel_of(q, density).speed;
    default:
        return ice_of(q, density).speed;
    }
}

} // namespace

Sedimentation::Sedimentation(int nz) : nz_(nz), speed_(static_cast<std::size_t>(nz)) {}

real Sedimentation::fall(Water species, const ColumnAir &air, Columns q, int i, real dt) {
    real ground = 0, left = dt;
    while (left > 0) {
        const real rate = set_speeds(species, air, q, i); // Courant number per second
        if (rate == 0 || !std::isfinite(rate)) break;     // a run that has blown up must get to its end
        const real longest = max_courant / rate;
        const real part = left <= longest ? left : left <= 2 * longest ? left / 2 : longest;
        ground += step(air, q, i, part);
        left -= part;
    }
    return ground;
}

real Sedimentation::set_speeds(Water species, const ColumnAir &air, Columns q, int i) {
    real rate = 0;
    for (int k = 0; k < nz_; ++k) {
        speed_[k] = q(i, k) > 0 ? fall_speed(species, q(i, k), air.density[k], air.temperature[k]) : real(0);
        rate = std::max(rate, speed_[k] / air.depth[k]);
    }
    return rate;
}

real Sedimentation::step(const ColumnAir &air, Columns q, int i, real dt) const {
    real from_above = 0; // [kg m-2]
    for (int k = nz_ - 1; k >= 0; --k) {
        const real falling = air.density[k] * q(i, k) * speed_[k] * dt;
        q(i, k) = std::max(q(i, k) + (from_above - falling) / air.mass[k], real(0));
        from_above = falling;
    }
    return from_above;
}

} // namespace squall::wsm6
