#include "physics/thompson/vapour.hpp"

#include <algorithm>
#include <cmath>

namespace squall::thompson {
namespace {

constexpr double most_droplets = 1999e6; ///< [m-3]

double bounded_droplets(double content, double number) {
    const int nu = droplet_shape(number);
    const double mean = (nu + 4) / droplets_of(content, number).lambda;
    const double d = std::clamp(mean, droplet_least, 2 * rain_least);
    if (d == mean) return number;
    return content / rain_mass * std::pow((nu + 4) / d, 3) / shape_ratio(nu);
}

} // namespace

void balance(Point &x, double density) {
    const double cloud = x.cloud * density, ice = x.ice * density, rain = x.rain * density;
    const double drops = std::max(2.0, x.droplet_number * density);
    x.droplet_number =
        cloud > least ? std::min(most_droplets, bounded_droplets(cloud, drops)) / density : 0.0;
    const double crystals = std::max(least_number, x.ice_number * density);
    x.ice_number = ice > least ? std::min(most_ice_number, ice_of(ice, crystals).number) / density : 0.0;
    if (rain > least) {
        x.rain_number = rain_of(rain, std::max(least_number, x.rain_number * density)).number / density;
    } else {
        x.vapour += std::max(x.rain, 0.0);
        x.rain = x.rain_number = 0;
    }
}

double condense(Point &x) {
    const double qs = saturation_over_water(x.temperature, x.pressure);
    const double excess = x.vapour / qs - 1;
    const bool cloudy = x.cloud > least;
    if (!(excess > tiny || (excess < -tiny && cloudy))) return 0;
    const double latent = vaporisation(x.celsius()), per_cp = per_heat_capacity(x.vapour);
    const double slope = latent * latent * per_cp / (r_vapour * x.temperature * x.temperature);
    double amount = (x.vapour - qs) / (1 + slope * qs);
    for (int n = 0; n < 3; ++n) {
        const double growing = qs * std::exp(slope * amount);
        amount -= (growing - x.vapour + amount) / (growing * slope + 1);
    }
    const double density = density_of(x.temperature, x.pressure, x.vapour);
    if ((x.cloud + amount) * density > least) {
        const double there = cloudy ? droplets : 2;
        if (amount > tiny) x.droplet_number += (droplets - there) / density;
    } else {
        amount = -x.cloud;
        x.droplet_number = 0;
    }
    x.cloud += amount;
    x.vapour -= amount;
    x.temperature += latent * per_cp * amount;
    return amount;
}

void evaporate_rain(Point &x, bool graupel_melts, double dt) {
    const double qs = saturation_over_water(x.temperature, x.pressure);
    const double excess = x.vapour / qs - 1;
    if (excess >= -tiny || x.rain <= least) return;
    const double density = density_of(x.temperature, x.pressure, x.vapour);
    const Transfer air = transfer_of(x.temperature, x.pressure, density);
    const double latent = vaporisation(x.celsius()), rvs = density * qs;
    const Exponential e = rain_of(x.rain * density, std::max(least_number, x.rain_number * density));
    double amount = x.rain; // traces in dry air go at once
    if (x.vapour / qs >= 0.95 || x.rain > 1e-8) {
        const double factor = 2 * pi * by_vapour(x.temperature, rvs, latent, air, std::min(-1e-9, excess));
        const double moving = 0.308 * std::cbrt(schmidt) * std::sqrt(rain_a) * 2 * air.ventilation *
                              std::pow(e.lambda + rain_f / 2, -3);
        const double rate =
            factor * air.diffusivity * -excess * e.n0 * rvs * (0.78 / (e.lambda * e.lambda) + moving);
        amount = std::min({x.rain, qs - x.vapour, rate * dt / density});
        if (graupel_melts) amount *= std::min(1.0, 0.01 + 0.98 * x.celsius() / 20);
    }
    const double drops = e.number / density;
    x.rain_number = drops - std::min(0.99 * drops, amount * drops / x.rain);
    x.temperature -= latent * per_heat_capacity(x.vapour) * amount;
    x.rain -= amount;
    x.vapour += amount;
}

void settle_phase(Point &x) {
    const double per_cp = per_heat_capacity(x.vapour);
    if (x.temperature > t0 && x.ice > 0) {
        x.cloud += x.ice;
        x.temperature -= l_fus * per_cp * x.ice;
        x.ice = x.ice_number = 0;
    }
    if (x.temperature < t_homogeneous && x.cloud > 0) {
        x.ice += x.cloud;
        x.ice_number += x.droplet_number;
        x.temperature += (l_sub - vaporisation(x.celsius())) * per_cp * x.cloud;
        x.cloud = x.droplet_number = 0;
    }
}

} // namespace squall::thompson
