#include "physics/tiedtke/closure.hpp"

#include <cmath>

namespace squall::tiedtke {
namespace {

constexpr real resolving = 15000; // cells [m]

/// PCAPE [Pa] and how fast mass fluxes take from it [Pa s-1].
struct Available {
    real energy = 0, taken = 0;
};

Available available(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down) {
    Available sum;
    for (int k = cloud.base; k < cloud.top; ++k) {
        const real around = air.virtual_temperature(k);
        sum.energy += (at_interface(up, k).density_temperature() / around - 1) *
                      (air.pressure[k - 1] - air.pressure[k]);
        const real stability = (air.dry(k) - air.dry(k - 1)) / (heat_capacity * air.t[k]) +
                               constants::virtual_factor * (air.vapour[k] - air.vapour[k - 1]);
        sum.taken += stability * gravity * (up.flux[k] - down.flux[k]);
    }
    return sum;
}

/// PCAPE_bl over tau_bl [Pa s-1].
real boundary_layer_energy(const Air &air, int base) {
    real sum = 0;
    for (int k = 0; k < base; ++k)
        sum += ((1 + constants::virtual_factor * air.vapour[k]) * air.warming[k] +
                constants::virtual_factor * air.temperature[k] * air.moistening[k]) *
               (air.p[k] - air.p[k + 1]);
    return sum;
}

real wind_below(const Air &air, int base) {
    real sum = 0, all = 0;
    for (int k = 0; k < base; ++k) {
        sum += std::hypot(air.u[k], air.v[k]) * air.mass[k];
        all += air.mass[k];
    }
    return sum / all;
}

real deep_flux(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down) {
    constexpr real shortest = 360, longest = 10800, most = 5000, near_ground = 5000;
    const Available cape = available(air, cloud, up, down);
    const real passing = (air.z[cloud.top] - air.z[cloud.base]) / (2 + std::min(up.speed, real(15)));
    const real scale = std::clamp(passing, std::max(shortest, air.interval), longest);
    real energy = cape.energy;
    if (air.p[0] - air.p[cloud.source + 1] < near_ground) {
        const real below =
            air.land ? passing : std::min(air.z[cloud.base] / (2 + wind_below(air, cloud.base)), real(300));
        energy -= std::max(below * boundary_layer_energy(air, cloud.base), real(0));
    }
    energy = std::clamp(energy, real(0), most);
    return first_flux * energy / (std::max(cape.taken, real(1e-4)) * scale * scale_factor(air.spacing));
}

real shallow_flux(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down) {
    real supply = 0;
    for (int k = 0; k < cloud.base; ++k)
        supply += air.mass[k] * (heat_capacity * air.warming[k] + vaporisation * air.moistening[k]);
    if (supply <= 0) return 0;
    const int k = cloud.base;
    const Parcel &in = at_interface(up, k);
    const real back = down.flux[k] / up.flux[k];
    const real t = back > 0 ? back * down.temperature[k] + (1 - back) * air.t[k] : air.t[k];
    const real q = back > 0 ? back * down.vapour[k] + (1 - back) * air.q[k] : air.q[k];
    const real excess =
        std::max(heat_capacity * (in.temperature - t) + vaporisation * (in.water - q), real(1000) * air.q[k]);
    const real scale = air.spacing < resolving ? std::sqrt(scale_factor(air.spacing)) : real(1);
    return supply / (excess * scale);
}

real middle_flux(const Air &air, const Cloud &cloud) {
    const int k = cloud.source;
    return std::min(air.mass[k] * (1 + air.vapour[k]) / air.depth[k] * air.updraught[k], real(1));
}

} // namespace

real scale_factor(real spacing) {
    if (spacing >= resolving) return 1 + real(1.33e-5) * spacing;
    const real x = real(1.06133) + std::log(resolving / spacing);
    return x * x * x;
}

real close(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down) {
    real factor = (cloud.kind == Kind::deep      ? deep_flux(air, cloud, up, down)
                   : cloud.kind == Kind::shallow ? shallow_flux(air, cloud, up, down)
                                                 : middle_flux(air, cloud)) /
                  first_flux;
    for (int k = std::max(cloud.foot, 1); k < cloud.top; ++k)
        if (up.flux[k] > 0)
            factor = std::min(factor, std::min(air.mass[k - 1], air.mass[k]) / (up.flux[k] * air.interval));
    return factor;
}

} // namespace squall::tiedtke
