#include "physics/noah_mp/leaves.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace squall::noah_mp {
namespace {

constexpr real least_area = real(0.05);   // below it there is none
constexpr real held_by_area = real(0.1);  // water on leaves and stems [kg m-2]
constexpr real rained_on = 1 / real(1.9); // share of a cell: a tenth of the rain falls on a tenth of it

/// Between the middles of months.
real of_month(const std::array<real, 12> &months, real year) {
    const real t = 12 * year;
    const int n = static_cast<int>(t + real(0.5));
    const real weight = real(n) + real(0.5) - t;
    return weight * months[static_cast<std::size_t>((n + 11) % 12)] +
           (1 - weight) * months[static_cast<std::size_t>(n % 12)];
}

/// Of leaves and stems.
struct Areas {
    real leaf, stem;
};

/// Where a file tells the area of leaves, stems are a tenth of it.
Areas areas(const Site &site) {
    Areas a{of_month(site.vegetation.leaf_area, site.year), of_month(site.vegetation.stem_area, site.year)};
    if (site.leaf_area >= 0) {
        a.leaf = site.leaf_area;
        a.stem = a.leaf < least_area ? real(0) : std::max(least_area, real(0.1) * a.leaf);
    }
    if (a.stem < least_area) a.stem = 0;
    if (a.leaf < least_area || a.stem == 0) a.leaf = 0;
    return a;
}

/// Share of the ground under leaves and stems of this area.
real cover(const Site &site, real area) {
    switch (site.options.cover) {
    case LandOptions::Cover::season:
        return site.green;
    case LandOptions::Cover::leaf_area:
        return 1 - std::exp(real(-0.52) * area);
    case LandOptions::Cover::most:
        break;
    }
    return site.most_green;
}

/// Share of the canopy below the snow's surface: of one of up to a metre, bent by it.
real buried(const Vegetation &v, real depth) {
    if (v.top > 0 && v.top <= 1) {
        const real full = v.top * std::exp(-depth / real(0.2));
        return std::min(depth, full) / full;
    }
    return std::clamp(depth - v.bottom, real(0), v.top - v.bottom) / std::max(v.top - v.bottom, real(1e-6));
}

/// Water [kg m-2] that leaves hold.
real room_for_rain(const Leaves &leaves) { return leaves.cover * held_by_area * leaves.area(); }
real room_for_snow(const Leaves &leaves, real density) {
    return leaves.cover * real(6.6) * (real(0.27) + 46 / density) * leaves.area();
}

/// Of `rate`, what stays on leaves that hold `held` and have `room` [kg m-2].
real caught(const Leaves &leaves, real rate, real held, real room, real dt) {
    const real most = (room - held) / dt * (1 - std::exp(-rate * dt / room));
    return std::max(std::min(leaves.cover * rate * rained_on, most), real(0));
}

real wet_share(real held, real room) {
    return std::pow(std::min(std::max(held, real(0)) / std::max(room, real(1e-6)), real(1)), real(0.667));
}

/// On its way: through leaves, and beside them [kg m-2 s-1].
struct Falling {
    real through, beside;
};

Falling rain_on_leaves(const Leaves &leaves, const Air &a, Column &c) {
    if (leaves.area() <= 0) {
        const real left = std::exchange(c.canopy_liquid, real(0));
        return {left / a.dt, a.rain};
    }
    const real held = caught(leaves, a.rain, c.canopy_liquid, room_for_rain(leaves), a.dt);
    c.canopy_liquid = std::max(c.canopy_liquid + held * a.dt, real(0));
    return {leaves.cover * a.rain - held, (1 - leaves.cover) * a.rain};
}

/// Wind and warmth take snow off leaves.
Falling snow_on_leaves(const Leaves &leaves, const Air &a, Column &c) {
    if (leaves.area() <= 0) {
        const real left = std::exchange(c.canopy_ice, real(0));
        return {left / a.dt, a.snow};
    }
    const real held = caught(leaves, a.snow, c.canopy_ice, room_for_snow(leaves, a.snow_density), a.dt);
    const real warm = std::max((c.leaf - real(270.15)) / real(1.87e5), real(0)),
               blown = a.wind / real(1.56e5);
    const real dropped =
        std::min(c.canopy_ice / a.dt + held, std::max(c.canopy_ice, real(0)) * (warm + blown));
    c.canopy_ice = std::max(c.canopy_ice + (held - dropped) * a.dt, real(0));
    return {leaves.cover * a.snow - held + dropped, (1 - leaves.cover) * a.snow};
}

/// No more than 20 W m-2 either way.
real bounded(real heat) { return std::clamp(heat, real(-20), real(20)); }

void bring_heat(const Leaves &leaves, const Air &a, const Column &c, Falling rain, Falling snow,
                Precipitation &p) {
    constexpr real water = volume_heat_of_water / 1000, ice = volume_heat_of_ice / 1000; // [J kg-1 K-1]
    const real cover = leaves.cover, above = a.temperature;
    const real to_canopy = cover * (a.rain * water + a.snow * ice) * (above - c.leaf);
    const real to_ground = (rain.through * water + snow.through * ice) * (c.leaf - c.ground);
    const real beside = (rain.beside * water + snow.beside * ice) * (above - c.ground);
    if (cover <= 0) {
        p.to_bare = bounded(to_ground + beside);
        return;
    }
    p.to_leaves = bounded(to_canopy - to_ground);
    p.under = bounded(cover < 1 ? to_ground / cover : to_ground);
    p.to_bare = cover < 1 ? bounded(beside / (1 - cover)) : real(0);
}

/// What freezes or melts of `from` for every kelvin of leaves [kg m-2], at most all of it.
real turned(real from, real kelvin, real heat, real density) {
    return std::min(from, kelvin * heat * from / density / fusion);
}

} // namespace

real frozen_share(real temperature, LandOptions::Snowfall rule) {
    const real warm = temperature - freezing_point;
    if (rule == LandOptions::Snowfall::bats) return warm < real(2.2) ? real(1) : real(0);
    if (rule == LandOptions::Snowfall::freezing) return warm < 0 ? real(1) : real(0);
    if (warm > real(2.5)) return 0;
    if (warm <= real(0.5)) return 1;
    return warm <= 2 ? 1 - (real(-54.632) + real(0.2) * temperature) : real(0.6);
}

real fresh_snow_density(real temperature) {
    return std::min(real(120),
                    real(67.92) + real(51.25) * std::exp((temperature - freezing_point) / real(2.59)));
}

Leaves leaves_of(const Site &site, real snow_depth, real temperature) {
    const Vegetation &v = site.vegetation;
    const bool none = site.urban || site.bare;
    const auto [leaf, stem] = none ? Areas{0, 0} : areas(site);
    const real out = 1 - buried(v, snow_depth);
    Leaves l{leaf * out, stem * out, 0, temperature > v.least_warmth};
    if (l.stem < least_area) l.stem = 0;
    if (l.leaf < least_area || l.stem == 0) l.leaf = 0;
    l.cover = none || l.area() == 0 ? real(0) : std::max(cover(site, leaf + stem), real(0.05));
    return l;
}

Precipitation intercept(const Leaves &leaves, const Air &a, Column &c) {
    const Falling rain = rain_on_leaves(leaves, a, c), snow = snow_on_leaves(leaves, a, c);
    Precipitation p{};
    p.wet = c.canopy_ice > 0 ? wet_share(c.canopy_ice, room_for_snow(leaves, a.snow_density))
                             : wet_share(c.canopy_liquid, room_for_rain(leaves));
    bring_heat(leaves, a, c, rain, snow, p);
    p.rain = rain.through + rain.beside;
    p.snow = snow.through + snow.beside;
    p.depth_rate = p.snow / a.snow_density;
    return p;
}

LeafVapour dry_leaves(const Leaves &leaves, const Air &a, bool frozen, real evaporation_heat,
                      real transpiration_heat, Column &c) {
    const real latent = frozen ? sublimation : vaporisation;
    real &water = frozen ? c.canopy_ice : c.canopy_liquid;
    const real lost = std::min(evaporation_heat / latent, water / a.dt);
    water = std::max(water - lost * a.dt, real(0));
    for (real *left : {&c.canopy_liquid, &c.canopy_ice})
        if (*left <= real(1e-6)) *left = 0;
    const bool by_ice = c.canopy_ice > 0 && c.canopy_ice >= c.canopy_liquid;
    const real wet = by_ice ? wet_share(c.canopy_ice, room_for_snow(leaves, a.snow_density))
                            : wet_share(c.canopy_liquid, room_for_rain(leaves));
    const auto turn = [&](real &from, real &to, real kelvin, real heat, real density) {
        if (from <= real(1e-6) || kelvin <= 0) return;
        const real part = turned(from, kelvin, heat, density);
        from -= part;
        to += part;
        c.leaf = wet * freezing_point + (1 - wet) * c.leaf;
    };
    turn(c.canopy_ice, c.canopy_liquid, c.leaf - freezing_point, volume_heat_of_ice, ice_density);
    turn(c.canopy_liquid, c.canopy_ice, freezing_point - c.leaf, volume_heat_of_water, water_density);
    return {lost, std::max(transpiration_heat / latent, real(0))};
}

} // namespace squall::noah_mp
