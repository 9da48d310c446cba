#include "physics/thompson/point.hpp"

#include <algorithm>

#include "physics/thompson/aerosol.hpp"

namespace squall::thompson {
namespace {

double without_noise(double x) { return std::abs(x) < tiny ? 0.0 : x; }

/// What powers and polynomials are taken of, and what they give.
struct Together {
    Lanes temperature, pressure, vapour, density, second, crystals; // `crystals`: their lambda^3
    Lanes over_water, over_ice, excess_water, excess_ice;
    Lanes diffusivity, viscosity, conductivity, thinness, ventilation, by_vapour;
    Lanes moment0, moment1, moment3, swept, ventilated, lambda;

    void read(int n, const Point &x) {
        temperature[n] = x.temperature;
        pressure[n] = x.pressure;
        vapour[n] = x.vapour;
        density[n] = density_of(x.temperature, x.pressure, x.vapour);
    }
    void find_air();
    void find_particles();
    void write(int n, Contents &c) const;
};

void Together::find_air() {
#pragma omp simd
    for (int n = 0; n < points_at_once; ++n) {
        const double t = temperature[n], p = pressure[n], q = vapour[n];
        const double water = saturation_over_water(t, p), frozen = saturation_over_ice(t, p);
        const double ice = t - t0 <= 0 ? frozen : water, excess = without_noise(q / ice - 1);
        over_water[n] = water;
        over_ice[n] = ice;
        excess_water[n] = without_noise(q / water - 1);
        excess_ice[n] = excess;
        const double d = diffusivity_of(t, p), v = viscosity_of(t - t0), h = conductivity_of(t - t0);
        const double thin = thinness_of(density[n]);
        diffusivity[n] = d;
        viscosity[n] = v;
        conductivity[n] = h;
        thinness[n] = thin;
        ventilation[n] = ventilation_of(density[n], v, thin);
        by_vapour[n] = thompson::by_vapour(t, density[n] * ice, l_sub, d, h, excess);
    }
}

void Together::find_particles() {
    constexpr SnowMoment number(0), mean(1), third(3), collecting(2 + snow_b), growing(1 + (1 + snow_b) / 2);
#pragma omp simd
    for (int n = 0; n < points_at_once; ++n) {
        const double log_second = squall::detail::logarithm(second[n]), celsius = temperature[n] - t0;
        moment0[n] = number.from(log_second, celsius);
        moment1[n] = mean.from(log_second, celsius);
        moment3[n] = third.from(log_second, celsius);
        swept[n] = collecting.from(log_second, celsius);
        ventilated[n] = growing.from(log_second, celsius);
        lambda[n] = cube_root(crystals[n]);
    }
}

void Together::write(int n, Contents &c) const {
    c.over_water = over_water[n];
    c.over_ice = over_ice[n];
    c.excess_water = excess_water[n];
    c.excess_ice = excess_ice[n];
    c.air = {diffusivity[n], viscosity[n], conductivity[n], thinness[n], ventilation[n]};
    c.by_vapour = by_vapour[n];
    c.flakes = {};
    if (c.has_snow)
        c.flakes = {
            moment0[n], moment1[n], second[n], moment3[n], swept[n], ventilated[n], moment3[n] / second[n]};
    const double crystals_there = c.ice_sizes.number;
    c.ice_sizes = {lambda[n], crystals_there * lambda[n], crystals_there};
}

/// All but what is found for points together, and the number of crystals.
void find_simple(const Point &x, double density, Counted counted, Contents &c) {
    static const Exponential no_rain = exponential_of(least, least_number, rain_mass),
                             no_graupel = exponential_of(least, least_number, graupel_mass);
    c.density = density;
    c.has_cloud = x.cloud > least;
    c.has_rain = x.rain > least;
    c.has_ice = x.ice > least;
    c.has_snow = x.snow > least;
    c.has_graupel = x.graupel > least;
    c.droplet_number = !c.has_cloud             ? no_droplets
                       : counted == Counted::no ? droplets
                                                : x.droplet_number * density;
    c.water_friendly = bounded_aerosol(x.water_friendly * density, least_water_friendly);
    c.ice_friendly = bounded_aerosol(x.ice_friendly * density, least_ice_friendly);
    c.cloud = c.has_cloud ? x.cloud * density : least;
    c.rain = c.has_rain ? x.rain * density : least;
    c.ice = c.has_ice ? x.ice * density : least;
    c.snow = c.has_snow ? x.snow * density : least;
    c.graupel = c.has_graupel ? x.graupel * density : least;
    // Where no number came with a content, drops are 1 mm and crystals 5 micrometres large.
    const double drops = x.rain_number * density, crystals = x.ice_number * density;
    c.rain_sizes =
        !c.has_rain
            ? no_rain
            : rain_of(c.rain, drops > least_number ? drops : number_for(c.rain, median / 1e-3, rain_mass));
    c.ice_sizes.number =
        !c.has_ice
            ? least_number
            : bounded_crystals(c.ice, crystals > least_number
                                          ? crystals
                                          : std::min(most_ice_number, number_for(c.ice, 4 / 5e-6, ice_mass)));
    c.graupel_sizes = c.has_graupel ? graupel_of(c.graupel) : no_graupel;
    c.latent_heat = vaporisation(x.celsius());
}

} // namespace

void find_contents(const std::array<const Point *, points_at_once> &points, int n, Counted counted,
                   std::array<Contents, points_at_once> &contents) {
    Together t;
    for (int m = 0; m < points_at_once; ++m) t.read(m, *points[std::min(m, n - 1)]);
    t.find_air();
    for (int m = 0; m < points_at_once; ++m) {
        const int of = std::min(m, n - 1);
        Contents &c = contents[of];
        if (m < n) find_simple(*points[m], t.density[m], counted, c);
        t.second[m] = c.snow / snow_mass;
        t.crystals[m] = steepness(c.ice, c.ice_sizes.number, ice_mass);
    }
    t.find_particles();
    for (int m = 0; m < n; ++m) t.write(m, contents[m]);
}

Contents::Contents(const Point &x, Counted counted) {
    std::array<const Point *, points_at_once> points{&x};
    std::array<Contents, points_at_once> all;
    find_contents(points, 1, counted, all);
    *this = all[0];
}

double Snow::in_distribution() const {
    static const double part = kap0 / lam0 + kap1 * std::tgamma(snow_mu + 1) * std::pow(lam1, -snow_mu - 1);
    if (!(second > 0)) return 0;
    const double inverse = second / third;
    return second * inverse * inverse * part;
}

} // namespace squall::thompson
