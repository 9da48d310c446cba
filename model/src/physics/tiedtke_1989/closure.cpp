#include "physics/tiedtke_1989/closure.hpp"

#include <cmath>

namespace squall::tiedtke_1989 {
namespace {

/// From the layer below the base up; over saturation.
real mean_humidity(const Air &air, const Cloud &cloud, int top) {
    real sum = 0, all = 0;
    for (int k = cloud.base - 1; k < std::min(top, air.humid_below) - 1; ++k) {
        sum += air.vapour[k] / air.saturated[k] * air.mass[k];
        all += air.mass[k];
    }
    return all > 0 ? sum / all : real(0);
}

real deep_flux(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down) {
    constexpr real humid = real(0.7), time = 2400;
    if (mean_humidity(air, cloud, up.top) < humid) return 0;
    real energy = 0, taken = 0; // [J kg-1], [J kg-1 s-1]
    for (int k = cloud.base; k < up.top; ++k) {
        const real over_density = constants::r_d * air.t[k] / air.p[k], dz = air.mass[k] * over_density;
        const real stability =
            (air.temperature[k] - air.temperature[k - 1] + gravity / heat_capacity * dz) / air.t[k] +
            constants::virtual_factor * (air.vapour[k] - air.vapour[k - 1]);
        taken += stability * (up.flux[k] - down.flux[k]) * gravity * over_density;
        const real heavier = 1 + constants::virtual_factor * up.q[k] - up.liquid[k];
        energy +=
            gravity * (up.t[k] * heavier / (air.t[k] * (1 + constants::virtual_factor * air.q[k])) - 1) * dz;
    }
    const real flux = taken > 0 ? cloud.flux * std::max(energy, real(0)) / (time * taken) : real(0);
    return std::min(std::max(flux, smallest_deep_flux), most_flux(air, cloud.base));
}

real shallow_flux(const Air &air, const Cloud &cloud, const Downdraught &down) {
    constexpr real far = real(0.2);
    const bool sinking = down.flux[cloud.base] > 0;
    const real flux =
        flux_for_supply(air, cloud, sinking ? Downdraught::of_updraught : real(0), down.q[cloud.base]);
    if (flux <= 0 || cloud.flux >= most_flux(air, cloud.base) ||
        std::abs(flux - cloud.flux) >= far * cloud.flux)
        return cloud.flux;
    return std::min(flux, most_flux(air, cloud.base));
}

} // namespace

real closed_flux(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down) {
    return cloud.kind == Kind::deep      ? deep_flux(air, cloud, up, down)
           : cloud.kind == Kind::shallow ? shallow_flux(air, cloud, down)
                                         : cloud.flux;
}

} // namespace squall::tiedtke_1989
