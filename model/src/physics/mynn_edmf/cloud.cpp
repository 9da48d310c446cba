// Clouds smaller than the cell: those of turbulence.
#include <algorithm>
#include <cmath>

#include "physics/mynn_edmf/constants.hpp"
#include "physics/mynn_edmf/saturation.hpp"
#include "physics/mynn_edmf/steps.hpp"

namespace squall::mynn_edmf {
namespace {

inline real ramp(real x) { return std::clamp(x, real(0), real(1)); }
inline real blend(real a, real b, real weight) { return a * (1 - weight) + b * weight; }

/// Height in the atmosphere of a pressure [m].
inline real standard_height(real pressure) {
    return real(44307.692) * (1 - std::pow(pressure / 101325, real(0.190)));
}

/// The first layer that has no clouds: above the highest one, of 4 to 19 km, where theta grows slowly. In WRF
/// a column that has none is clear.
int tropopause(const Column &c) {
    for (int k = c.nz - 4; k >= 0; --k) {
        const real low = standard_height(c.pressure[k]), high = standard_height(c.pressure[k + 2]);
        const bool slow = (c.theta[k + 2] - c.theta[k]) / (high - low) < real(10.0 / 1500);
        if (slow && low < 19000 && low > 4000) return k + 2;
    }
    return c.as_wrf ? 2 : c.nz;
}

/// The least spread of water, over water: next to the ground, in the boundary layer, above it.
struct Spread {
    real ground, layer, above;
};

/// At height z over the ground.
real least_spread(const Column &c, const Spread &s, real z) {
    const real height = std::max(real(10), c.height);
    const real aloft = blend(s.layer, s.above, ramp((z - (height + 10)) / 300));
    const real low = std::clamp(real(0.1) * height, real(50), real(150));
    return blend(s.ground, aloft, ramp((z - low) / 200));
}

/// The saturation deficit over its spread that a relative humidity stands for.
inline real of_humidity(real humidity) {
    constexpr real critical = real(0.83);
    return -3 + 3 * (humidity - critical) / (1 - critical);
}

/// The deficit of a layer over its spread, where there is cloud above the boundary layer no less than that
/// stands for.
real normalised_deficit(const Column &c, int k, real deficit, real spread, real humidity) {
    constexpr real most = real(1.10);
    const real z = c.middle(k), height = std::max(real(10), c.height);
    real q1 = deficit / spread;
    if (z <= height) return q1;
    const real aloft = ramp((z - height) / 300), frozen = c.ice[k] + c.snow[k];
    if (frozen > real(1e-9)) {
        const real stands_for = std::min(most, real(0.83) + aloft * real(0.045) * (9 + std::log10(frozen)));
        humidity = std::max(humidity, stands_for);
        q1 = std::max(q1, of_humidity(humidity));
    }
    if (c.cloud[k] > real(1e-6)) {
        const real stands_for =
            std::min(most, real(0.83) + aloft * real(0.08) * (6 + std::log10(c.cloud[k])));
        q1 = std::max(q1, of_humidity(std::max(humidity, stands_for)));
    }
    return q1;
}

/// Share of a layer at that deficit (Chaboureau and Bechtold 2002, equation 7, sharper in the boundary
/// layer).
real cover_of(const Column &c, real z, real q1) {
    const real low = ramp(real(0.5) + real(0.35) * std::atan(real(4.1) * q1)),
               high = ramp(real(0.5) + real(0.37) * std::atan(real(2.1) * (q1 + real(0.4))));
    return blend(low, high, ramp((z - (c.height - 100)) / 200));
}

void set_cloud(Column &c, int k) {
    const real t = c.temperature[k], z = c.middle(k), water = c.water[k];
    const real saturated = saturation(t, c.pressure[k]), deficit = water - saturated;
    const real thick = ramp((c.dz[k] - 100) / 500); // layers that hide some of the variance
    const real found =
        std::min(std::max(real(1e-13), std::sqrt(std::max(c.variance[k], real(0)))), water / 3);
    const real spread = found * (1 + real(0.2) * thick);
    real of_cover =
        std::max({spread, water * least_spread(c, {real(0.010), real(0.025), real(0.030)}, z), real(1e-13)});
    if (deficit >= 0) of_cover = std::max(real(0.02) * water, of_cover);
    const real humidity =
        std::max(std::min(real(1.10), water / std::max(real(1e-10), saturated)), real(0.001));
    const real cover = cover_of(c, z, normalised_deficit(c, k, deficit, of_cover, humidity));
    if (cover < real(0.001)) return;
    const real of_water =
        std::max(spread, water * least_spread(c, {real(0.007), real(0.020), real(0.025)}, z));
    const real condensed = std::min(of_water, real(0.025) * water) * cover;
    const real liquid = ramp((t - 240) / (269 - 240));
    c.cover[k] = cover;
    c.cloud_water[k] = liquid * condensed;
    c.cloud_ice[k] = (1 - liquid) * condensed;
}

} // namespace

void set_stratiform_clouds(Column &c) {
    for (Profile *p : {&c.cover, &c.cloud_water, &c.cloud_ice}) p->fill(0);
    const int top = std::min(tropopause(c), c.nz - 1);
    for (int k = 0; k < top; ++k) set_cloud(c, k);
}

} // namespace squall::mynn_edmf
