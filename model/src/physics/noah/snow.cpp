#include "physics/noah/snow.hpp"

#include <algorithm>
#include <cmath>

namespace squall::noah {
namespace {

constexpr real centimetres = 100; // in a metre; the empirical laws are in them
constexpr real hour = 3600;
constexpr real least_density = real(0.05), most_density = real(0.40); // over that of water

/// Of new snow at this temperature of the air, over that of water (Gottlib 1980).
real density_of_new(real temperature) {
    const real warm = temperature - freezing_point + 15;
    return warm <= 0 ? least_density : real(0.05) + real(0.0017) * warm * std::sqrt(warm);
}

} // namespace

void fall(Snow &snow, const Air &a) {
    const real water = a.precipitation * a.dt / water_density;
    snow.water += water;
    snow.depth += water / density_of_new(a.temperature);
}

real snow_conductivity(const Snow &snow) {
    return real(2 * 0.11631 * 0.328) * std::pow(real(10), real(2.25) * snow.water / snow.depth);
}

real snow_cover(const Snow &snow, real full) {
    constexpr real shape = real(2.6), most = real(0.98);
    if (snow.water >= full) return most;
    const real share = snow.water / full;
    return std::min(1 - (std::exp(-shape * share) - share * std::exp(-shape)), most);
}

real snow_albedo(Snow &snow, const Air &a, real deep, real bare) {
    const real fresh = deep + real(0.5) * (real(0.85) - deep);
    real albedo = fresh;
    if (a.falling == Falling::snow)
        snow.age = 0;
    else {
        snow.age += a.dt;
        albedo = fresh * std::pow(real(0.94), std::pow(snow.age / day, real(0.58)));
    }
    albedo = std::max(albedo, bare);
    return std::min(bare + snow.cover * (albedo - bare), albedo);
}

real snow_roughness(const Snow &snow, real bare) {
    const real buried = 7 * bare - snow.depth;
    const real effective = buried <= real(7e-4) ? real(1e-3) : buried / 7;
    return (1 - snow.cover) * bare + snow.cover * effective;
}

void settle(Snow &snow, real density, real surface, real base, real dt) {
    const real water = snow.water * centimetres, weight = std::max(water, real(1e-2));
    const real mean = (surface + base) / 2 - freezing_point, hours = dt / hour;
    const real rate = hours * real(0.01) * std::exp(real(0.08) * mean - 21 * density) * weight;
    // (exp(rate) - 1) / rate, as a series: no difference of nearly equal numbers.
    density *= 1 + rate / 2 * (1 + rate / 3 * (1 + rate / 4 * (1 + rate / 5)));
    density = std::clamp(density, least_density, most_density);
    if (surface >= freezing_point) { // it holds 13 % of melt water after a day
        const real held = real(0.13) * hours / 24;
        density = std::min(density * (1 - held) + held, most_density);
    }
    snow.depth = water / density / centimetres;
}

SnowSurface balance(Snow &snow, const Air &a, const Potential &p, const Beneath &beneath, real emissivity,
                    real skin, real lost, real latent) {
    constexpr real least = real(1e-6); // water of snow that counts [m]
    const real per_precipitation = a.falling == Falling::nothing ? real(0)
                                   : a.falling == Falling::snow  ? heat_of_ice
                                                                 : heat_of_water;
    const real advected = per_precipitation * a.precipitation * (skin - a.temperature);
    const real exchange = beneath.conductivity / (beneath.distance * p.radiative * p.heat);
    const real from_air =
        ((p.net - advected - p.freezing) / p.heat + a.theta - a.temperature - latent / p.heat) / p.radiative;
    const real balanced = (a.temperature + from_air + exchange * beneath.temperature) / (1 + exchange);
    const real left = snow.water - lost * a.dt / water_density;
    SnowSurface out{balanced, beneath.conductivity * (balanced - beneath.temperature) / beneath.distance, 0};
    if (balanced <= freezing_point) {
        snow.water = std::max(left, real(0));
        return out;
    }
    const real melting = std::max(snow.cover * snow.cover, real(0.01));
    out.skin = freezing_point * melting + balanced * (1 - melting);
    out.ground = beneath.conductivity * (out.skin - beneath.temperature) / beneath.melting_distance;
    snow.water = 0;
    if (left <= least) return out;
    const real t2 = out.skin * out.skin;
    const real heat = a.absorbed - advected - p.freezing - emissivity * stefan_boltzmann * (t2 * t2) -
                      out.ground - p.heat * (out.skin - a.theta) - latent;
    const real melt = std::max(heat, real(0)) / fusion; // [kg m-2 s-1]
    const real depth = melt * a.dt / water_density;
    if (left - depth >= least) {
        snow.water = left - depth;
        out.melt = melt;
    } else
        out.melt = left * water_density / a.dt;
    return out;
}

} // namespace squall::noah
