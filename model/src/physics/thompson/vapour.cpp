#include "physics/thompson/vapour.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "physics/thompson/activation.hpp"
#include "physics/thompson/aerosol.hpp"
#include "physics/thompson/freezing.hpp"
#include "physics/thompson/tables.hpp"

namespace squall::thompson {
namespace {

/// What condenses to saturation over water [kg kg-1], less than 0 what evaporates; none where there is
/// nothing to do.
std::optional<double> to_saturation(const Point &x) {
    const double qs = saturation_over_water(x.temperature, x.pressure);
    const double excess = x.vapour / qs - 1;
    if (!(excess > tiny || (excess < -tiny && x.cloud > least))) return {};
    const double latent = vaporisation(x.celsius());
    const double slope =
        latent * latent * per_heat_capacity(x.vapour) / (r_vapour * x.temperature * x.temperature);
    double amount = (x.vapour - qs) / (1 + slope * qs);
    for (int n = 0; n < 3; ++n) {
        const double growing = qs * std::exp(slope * amount);
        amount -= (growing - x.vapour + amount) / (growing * slope + 1);
    }
    return amount;
}

void take_condensate(Point &x, double amount) {
    const double heat = vaporisation(x.celsius()) * per_heat_capacity(x.vapour);
    x.cloud += amount;
    x.vapour -= amount;
    x.temperature += heat * amount;
}

/// Those of a cloud [m-3] that are so small that they evaporate within a step (Srivastava and Coen 1992).
double vanishing_droplets(const Point &x, double density, double number, double dt) {
    const double qs = saturation_over_water(x.temperature, x.pressure), rvs = density * qs;
    const double excess = x.vapour / qs - 1;
    const Transfer air = transfer_of(x.temperature, x.pressure, density);
    const double factor =
        by_vapour(x.temperature, rvs, vaporisation(x.celsius()), air.diffusivity, air.conductivity, excess);
    const double diameter = std::sqrt(-8 * dt * factor * air.diffusivity * excess * rvs / rho_water);
    return Freezing::shared().droplets_up_to(static_cast<int>(std::min(1e6 * diameter, double(bins))),
                                             contents.at(x.cloud * density), DropletNumbers::at(number));
}

} // namespace

bool reacts(const Point &x) {
    if (x.cloud + x.rain + x.ice + x.snow + x.graupel > 0) return true;
    const double over_water = saturation_over_water(x.temperature, x.pressure);
    const double qs =
        x.celsius() > 0 ? over_water : std::min(over_water, saturation_over_ice(x.temperature, x.pressure));
    return x.vapour > qs * (1 + tiny);
}

bool far_from_cloud(const Point &x, double over_water, double temperature) {
    return x.cloud <= least && x.vapour < 0.9 * over_water && x.temperature > temperature - 0.5;
}

double bounded_droplets(double content, double number) {
    const int nu = droplet_shape(number);
    const double steepest = (nu + 4) / droplet_least, flattest = (nu + 4) / (2 * rain_least);
    const double found = droplet_steepness(content, number, nu),
                 to_number = content / (rain_mass * shape_ratio(nu));
    return std::min(most_droplets, found > cube(steepest)   ? to_number * cube(steepest)
                                   : found < cube(flattest) ? to_number * cube(flattest)
                                                            : number);
}

void balance(Point &x, double density) {
    const double cloud = x.cloud * density, ice = x.ice * density, rain = x.rain * density;
    const double drops = std::max(no_droplets, x.droplet_number * density);
    x.droplet_number = cloud > least ? bounded_droplets(cloud, drops) / density : 0.0;
    const double crystals = std::max(least_number, x.ice_number * density);
    x.ice_number = ice > least ? std::min(most_ice_number, bounded_crystals(ice, crystals)) / density : 0.0;
    if (rain > least) {
        x.rain_number = bounded_drops(rain, std::max(least_number, x.rain_number * density)) / density;
    } else {
        x.vapour += std::max(x.rain, 0.0);
        x.rain = x.rain_number = 0;
    }
}

double condense(Point &x) {
    const auto excess = to_saturation(x);
    if (!excess) return 0;
    double amount = *excess;
    const double density = density_of(x.temperature, x.pressure, x.vapour);
    if ((x.cloud + amount) * density > least) {
        const double there = x.cloud > least ? droplets : no_droplets;
        if (amount > tiny) x.droplet_number += (droplets - there) / density;
    } else {
        amount = -x.cloud;
        x.droplet_number = 0;
    }
    take_condensate(x, amount);
    return amount;
}

void leave_trace(Point &x, double before, double cloud, double droplets_left, double density, double dt) {
    const float q = float(before), rho = float(density), step = float(dt);
    float rate = float((cloud - before) / dt);
    const float content = std::fma(rate, step, q) * rho;
    rate += -content * (1 / rho) * (1 / step);
    x.cloud = std::max(0.0F, std::fma(rate, step, q));
    x.vapour -= x.cloud;
    x.droplet_number = droplets_left - droplets / density;
}

double condense_on_aerosol(Point &x, double updraught, double dt) {
    const auto excess = to_saturation(x);
    if (!excess) return 0;
    double amount = *excess, forming = 0; // [kg-1]; negative: vanishing
    const double density = density_of(x.temperature, x.pressure, x.vapour);
    const double there =
        x.cloud > least ? std::clamp(x.droplet_number * density, no_droplets, most_droplets) : no_droplets;
    const double undersaturated = 1 - x.vapour / saturation_over_water(x.temperature, x.pressure);
    if ((x.cloud + amount) * density <= least) {
        amount = -x.cloud;
        forming = -x.droplet_number;
    } else if (amount > tiny) {
        const double aerosol = std::max(least_water_friendly, x.water_friendly * density);
        forming = std::max(0.0, activated(aerosol, updraught, x.temperature) - there) / density;
    } else if (amount < -tiny && undersaturated > 1e-6) {
        amount = std::max(amount, -0.99 * x.cloud);
        forming = -std::min(0.99 * there, vanishing_droplets(x, density, there, dt)) / density;
    }
    x.droplet_number += forming;
    x.water_friendly -= forming;
    take_condensate(x, amount);
    return amount;
}

void evaporate_rain(Point &x, bool graupel_melts, double dt) {
    if (x.rain <= least) return;
    const double qs = saturation_over_water(x.temperature, x.pressure);
    const double excess = x.vapour / qs - 1;
    if (excess >= -tiny) return;
    const double density = density_of(x.temperature, x.pressure, x.vapour);
    const Transfer air = transfer_of(x.temperature, x.pressure, density);
    const double latent = vaporisation(x.celsius()), rvs = density * qs;
    const Exponential e = rain_of(x.rain * density, std::max(least_number, x.rain_number * density));
    double amount = x.rain; // traces in dry air go at once
    if (x.vapour / qs >= 0.95 || x.rain > 1e-8) {
        const double factor =
            2 * pi *
            by_vapour(x.temperature, rvs, latent, air.diffusivity, air.conductivity, std::min(-1e-9, excess));
        const double moving = 0.308 * std::cbrt(schmidt) * std::sqrt(rain_a) * 2 * air.ventilation *
                              std::pow(e.lambda + rain_f / 2, -3);
        const double rate =
            factor * air.diffusivity * -excess * e.n0 * rvs * (0.78 / (e.lambda * e.lambda) + moving);
        amount = std::min({x.rain, qs - x.vapour, rate * dt / density});
        if (graupel_melts) amount *= std::min(1.0, 0.01 + 0.98 * x.celsius() / 20);
    }
    const double drops = e.number / density;
    const double vanishing = std::min(0.99 * drops, amount * drops / x.rain);
    x.rain_number = drops - vanishing;
    x.water_friendly += vanishing;
    x.temperature -= latent * per_heat_capacity(x.vapour) * amount;
    x.rain -= amount;
    x.vapour += amount;
}

void settle_phase(Point &x) {
    if (x.temperature > t0 && x.ice > 0) {
        x.cloud += x.ice;
        x.droplet_number += x.ice_number;
        x.temperature -= l_fus * per_heat_capacity(x.vapour) * x.ice;
        x.ice = x.ice_number = 0;
    }
    if (x.temperature < t_homogeneous && x.cloud > 0) {
        x.ice += x.cloud;
        x.ice_number += x.droplet_number;
        x.temperature += (l_sub - vaporisation(x.celsius())) * per_heat_capacity(x.vapour) * x.cloud;
        x.cloud = x.droplet_number = 0;
    }
}

} // namespace squall::thompson
