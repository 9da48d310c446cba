#include "physics/thompson/growth.hpp"

#include "physics/thompson/aerosol.hpp"

#include <algorithm>
#include <cmath>

namespace squall::thompson {
namespace {

const double root_schmidt = std::cbrt(schmidt);
const double gamma_graupel_collects = std::tgamma(graupel_b + 3),
             gamma_graupel_falls = std::tgamma(graupel_b + 4);
const double gamma_graupel_ventilated = std::tgamma((graupel_b + 5) / 2);

double positive(double x) { return std::max(x, 0.0); }

/// All of a point that processes share.
struct Site {
    const Point &x;
    const Contents &c;
    const Snow &snow;
    const double wet_bulb, dt;
    const bool as_wrf, counted;
    const Tables &tables;
    double droplet_diameter = droplet_least; ///< median by volume [m]
    double rvs, vapour_factor;               ///< saturated density over ice, by_vapour there
    int cold;                                ///< whole degrees below freezing, of tables

    Site(const Point &point, const Contents &contents, const Step &step, const Tables &t)
        : x(point), c(contents), snow(contents.flakes), wet_bulb(step.wet_bulb), dt(step.dt),
          as_wrf(step.as_wrf), counted(step.counted == Counted::yes), tables(t),
          rvs(contents.density * contents.over_ice), vapour_factor(4 * pi * contents.by_vapour),
          cold(std::clamp(static_cast<int>(std::lround(-point.celsius())), 1, colds)) {
        if (!c.has_cloud) return;
        const Droplets d = droplets_of(c.cloud, c.droplet_number);
        droplet_diameter = std::clamp((median + d.nu) / d.lambda, droplet_least, rain_least);
    }

    double rain_diameter() const { return c.rain_sizes.median_diameter(); }
    /// The step of 5 degrees of tables with snow, from 0.
    int snow_cold() const {
        return std::clamp(-(static_cast<int>((x.celsius() - 2.5) / 5) - 1), 1, snow_colds) - 1;
    }
    int rain_content() const { return contents.at(c.rain); }
    int rain_intercept() const {
        return c.rain > first_bound ? rain_intercepts.at(c.rain_sizes.n0) : rain_intercepts.size() - 1;
    }
    /// What growth by vapour of a plate or sphere is multiplied with (T04, equation A10).
    double vapour_drive() const { return vapour_factor * c.air.diffusivity * c.excess_ice * rvs; }
    double ventilation() const { return 0.28 * root_schmidt * c.air.ventilation; }
    double ventilated_snow() const {
        return 0.86 * snow.first + std::sqrt(snow_a) * ventilation() * snow.ventilated;
    }
    double ventilated_graupel(double n0) const {
        const double d = 1 / c.graupel_sizes.lambda;
        return n0 * (0.86 * d * d + std::sqrt(graupel_a) * gamma_graupel_ventilated * ventilation() *
                                        std::pow(d, (graupel_b + 5) / 2));
    }
    /// Volume that rain sweeps in a second, over its efficiency [s-1].
    double rain_sweep() const {
        return c.air.thinness * pi / 4 * rain_a * 6 * c.rain_sizes.n0 *
               std::pow(c.rain_sizes.lambda + rain_f, -4);
    }
    double snow_sweep() const { return c.air.thinness * pi / 4 * snow_a * snow.swept; }
    double graupel_sweep() const {
        const Exponential &e = c.graupel_sizes;
        return c.air.thinness * pi / 4 * graupel_a * gamma_graupel_collects * e.n0 *
               std::pow(e.lambda, -graupel_b - 3);
    }
    double most_deposition() const { return (x.vapour - c.over_ice) * c.density / dt * 0.999; }
};

/// Berry and Reinhardt (1974), with diameters of a gamma distribution [micrometres] (T08, appendix).
void autoconvert(const Site &s, Growth &g) {
    if (s.c.cloud <= 1e-5) return;
    const Droplets d = droplets_of(s.c.cloud, s.c.droplet_number);
    const double mean =
        std::max(droplet_least, std::cbrt(s.c.cloud / (rain_mass * s.c.droplet_number))) * 1e6;
    const double by_mass = std::cbrt((d.nu + 6.0) * (d.nu + 5) * (d.nu + 4)) / d.lambda * 1e6;
    const double mean3 = mean * mean * mean;
    const double broad = std::pow(positive(mean3 * by_mass * by_mass * by_mass - mean3 * mean3), 1.0 / 6);
    const double zeta = 0.027 * s.c.cloud * positive(6.25e-6 * mean * broad * broad * broad - 0.4);
    const double tau = 3.72 / (s.c.cloud * (positive(0.5 * broad - 7.5) + least));
    g.autoconversion = std::min(s.c.cloud / s.dt, zeta / tau);
    g.autoconverted_drops = g.autoconversion / (rain_mass * d.nu * 10 * rain_least * rain_least * rain_least);
    g.autoconverted_droplets =
        std::min(s.c.droplet_number / s.dt, g.autoconversion / (rain_mass * cube(s.droplet_diameter)));
}

/// Drops merge (Seifert 1994) and break up (Verlinde and Cotton 1993); they collect cloud.
void collect_warm(const Site &s, Growth &g) {
    if (!s.c.has_rain || s.rain_diameter() <= rain_least) return;
    g.drops_merging =
        (1 - std::exp(2300 * (s.rain_diameter() - 1950e-6))) * 2 * s.c.rain_sizes.number * s.c.rain;
    if (s.droplet_diameter <= droplet_least) return;
    const double sweep = s.tables.rain_efficiency(s.rain_diameter(), s.droplet_diameter) * s.rain_sweep();
    g.to_rain = std::min(s.c.cloud / s.dt, sweep * s.c.cloud);
    g.droplets_to_rain = std::min(s.c.droplet_number / s.dt, sweep * s.c.droplet_number);
}

double graupel_efficiency(const Site &s) {
    const Exponential &e = s.c.graupel_sizes;
    const double speed =
        s.c.air.thinness * graupel_a * gamma_graupel_falls / 6 * std::pow(e.lambda, -graupel_b);
    const double stokes =
        s.droplet_diameter * s.droplet_diameter * speed * rho_water / (9 * s.c.air.viscosity * 4 / e.lambda);
    const double of_stokes = stokes < 0.4 ? 0 : stokes > 10 ? 0.77 : 0.55 * std::log10(2.51 * stokes);
    return s.wet_bulb > t0 ? 0.1 * of_stokes : of_stokes;
}

/// Riming of snow and graupel.
void collect_cloud(const Site &s, Growth &g) {
    if (!s.c.has_cloud || s.droplet_diameter <= droplet_least) return;
    if (s.snow.diameter > snow_least) {
        const double sweep = s.tables.snow_efficiency(s.snow.diameter, s.droplet_diameter) * s.snow_sweep();
        g.to_snow = std::min(s.c.cloud / s.dt, sweep * s.c.cloud);
        g.droplets_to_snow = std::min(s.c.droplet_number / s.dt, sweep * s.c.droplet_number);
    }
    if (s.c.graupel < first_bound) return;
    const double sweep = graupel_efficiency(s) * s.graupel_sweep();
    g.to_graupel = sweep * s.c.cloud;
    g.droplets_to_graupel = std::min(s.c.droplet_number / s.dt, sweep * s.c.droplet_number);
}

void collide_with_snow(const Site &s, Growth &g) {
    if (s.c.rain < first_bound || s.c.snow < first_bound) return;
    const WithSnow &t =
        s.tables.with_snow(contents.at(s.c.snow), s.snow_cold(), s.rain_intercept(), s.rain_content());
    g.snow_by_rain = std::max(double(t.rain_light) - t.snow_heavy, -s.c.snow / s.dt);
    if (s.wet_bulb >= t0) {
        g.rain_by_snow = -g.snow_by_rain;
        return;
    }
    g.rain_by_snow = std::max(-(double(t.rain_heavy) + t.rain_light), -s.c.rain / s.dt);
    g.graupel_by_both = std::min(double(t.rain_heavy) + t.snow_heavy, (s.c.rain + s.c.snow) / s.dt);
    g.drops_on_snow = std::min(double(t.rain_number), s.c.rain_sizes.number / s.dt);
}

void collide_with_graupel(const Site &s, Growth &g) {
    if (s.c.rain < first_bound || s.c.graupel < first_bound) return;
    const int intercept = s.c.graupel > first_bound ? graupel_intercepts.at(s.c.graupel_sizes.n0)
                                                    : graupel_intercepts.size() - 1;
    const WithGraupel &t = s.tables.with_graupel(intercept, contents.at(s.c.graupel), s.rain_intercept(),
                                                 s.rain_content(), s.as_wrf);
    if (s.wet_bulb < t0) {
        g.graupel_by_rain = std::min(double(t.rain), s.c.rain / s.dt);
        g.drops_on_graupel = std::min(double(t.rain_number), s.c.rain_sizes.number / s.dt);
    } else {
        g.graupel_by_rain = -std::min(double(t.graupel), s.c.graupel / s.dt);
        g.drops_on_graupel = -1.5 * t.slow_number; // break up
    }
    g.rain_by_graupel = -g.graupel_by_rain;
}

/// Takes up aerosols on the way (TE14).
void sweep_aerosol(const Site &s, double sweep, const Collector &collector, Growth &g) {
    const Contents &c = s.c;
    const auto taken = [&](double number, double size) {
        return std::min(number / s.dt, number * sweep *
                                           collection_efficiency(collector, size, s.x.temperature, c.density,
                                                                 c.air.viscosity));
    };
    g.water_friendly_swept += taken(c.water_friendly, water_friendly_size);
    g.ice_friendly_swept += taken(c.ice_friendly, ice_friendly_size);
}

void scavenge(const Site &s, Growth &g) {
    const double drop = s.rain_diameter(), flake = s.snow.diameter, lump = 4 / s.c.graupel_sizes.lambda;
    if (s.c.has_rain && drop > rain_least) sweep_aerosol(s, s.rain_sweep(), {drop, drop_speed(drop)}, g);
    if (s.c.snow > first_bound)
        sweep_aerosol(s, s.snow_sweep(), {flake, snow_a * std::pow(flake, snow_b)}, g);
    if (s.c.graupel > first_bound)
        sweep_aerosol(s, s.graupel_sweep(), {lump, graupel_a * std::pow(lump, graupel_b)}, g);
}

/// Of nuclei in the table, what air saturated over water has.
int nuclei_of_drops(const Site &s) {
    return ice_numbers.at(ice_nuclei(s.x.celsius(), s.c.density, s.c.ice_friendly));
}

FrozenRain frozen_rain(const Site &s) {
    const int content = s.rain_content(), intercept = s.rain_intercept();
    return s.counted ? Freezing::shared().rain(content, intercept, s.cold, nuclei_of_drops(s))
                     : s.tables.frozen_rain(content, intercept, s.cold);
}

FrozenCloud frozen_cloud(const Site &s) {
    const int content = contents.at(s.c.cloud);
    return s.counted ? Freezing::shared().cloud(content, DropletNumbers::at(s.c.droplet_number), s.cold,
                                                nuclei_of_drops(s))
                     : s.tables.frozen_cloud(content, s.cold);
}

/// Freezing of drops (Bigg 1953).
void freeze(const Site &s, Growth &g) {
    const Contents &c = s.c;
    const bool whole = s.x.temperature < t_homogeneous;
    if (c.rain > first_bound) {
        const FrozenRain t = frozen_rain(s);
        g.rain_to_graupel = t.graupel / s.dt;
        g.rain_to_ice = t.ice / s.dt;
        g.drops_to_ice = t.ice_number / s.dt;
        g.drops_to_graupel = std::min(c.rain_sizes.number, double(t.graupel_number)) / s.dt;
    } else if (c.rain > least && whole) {
        g.rain_to_ice = c.rain / s.dt;
        g.drops_to_ice = c.rain_sizes.number / s.dt;
    }
    if (c.cloud > first_bound) {
        const FrozenCloud t = frozen_cloud(s);
        g.cloud_freezing = std::min(c.cloud, double(t.mass)) / s.dt;
        g.droplets_freezing =
            std::min({c.droplet_number / s.dt, g.cloud_freezing / (2 * new_crystal), t.number / s.dt});
    } else if (c.cloud > least && whole) {
        g.cloud_freezing = c.cloud / s.dt;
        g.droplets_freezing = c.droplet_number / s.dt;
    }
}

/// Deposition on nuclei (Cooper 1986, or those that are counted), freezing of haze.
void nucleate(const Site &s, Growth &g) {
    const Contents &c = s.c;
    const double frozen = c.ice_sizes.number + (g.drops_to_ice + g.droplets_freezing) * s.dt;
    if (c.excess_ice >= 0.25 || (c.excess_water > tiny && s.x.temperature < 253.15)) {
        const double nuclei = s.counted ? ice_nuclei(s.x.celsius(), c.density, c.ice_friendly)
                                        : std::min(250e3, 5 * std::exp(0.304 * (t0 - s.x.temperature)));
        g.nucleation = std::min(s.most_deposition(), new_crystal * positive(nuclei - frozen) / s.dt);
        g.nuclei = g.nucleation / new_crystal;
    }
    const double crystals = s.snow.in_distribution() + frozen + g.nuclei * s.dt;
    if (!s.counted || crystals > most_ice_number || s.x.temperature >= 238 || c.excess_ice < 0.4) return;
    const double haze = frozen_haze(s.x.temperature, 1 + c.excess_water, c.water_friendly, s.dt);
    g.haze_freezing = std::min(s.most_deposition(), haze_crystal * haze / s.dt);
    g.haze_frozen = g.haze_freezing / haze_crystal;
}

/// A rate of growth that neither takes more than the vapour over saturation nor more than there is.
double bounded_growth(double rate, double most, double there) {
    return rate < 0 ? std::max({rate, most, -there}) : std::min(rate, most);
}

/// Growth and evaporation of ice, snow and graupel by vapour (T04, equation A10).
void deposit(const Site &s, Growth &g) {
    const Contents &c = s.c;
    const double most = s.most_deposition(), drive = s.vapour_drive();
    if (c.has_ice) {
        const Exponential &e = c.ice_sizes;
        const double mean = std::max(std::cbrt(new_crystal / ice_mass), 4 / e.lambda);
        const double growth = bounded_growth(of_cube * drive * e.number / e.lambda, most, c.ice / s.dt);
        const LargeIce &t = s.tables.large_ice(ice_contents.at(c.ice), ice_numbers.at(e.number));
        g.ice_growth = growth < 0 ? growth : growth * t.small_share;
        g.ice_growth_to_snow = growth < 0 ? 0 : growth * (1 - t.small_share);
        if (growth < 0) g.crystals_growing = std::max(growth / (ice_mass * cube(mean)), -e.number / s.dt);
        if (c.ice >= ice_contents.value(ice_contents.size() - 1) || mean > 5 * snow_least) {
            g.ice_to_snow = 0.99 * c.ice / s.dt;
            g.crystals_to_snow = 0.95 * e.number / s.dt;
        } else if (mean >= 0.1 * snow_least) {
            g.ice_to_snow = std::min(0.99 * c.ice, double(t.mass)) / s.dt;
            g.crystals_to_snow = std::min(0.95 * e.number, double(t.number)) / s.dt;
        }
    }
    if (c.has_snow) {
        const double rounder = of_plate + (s.x.celsius() + 1.5) * (of_cube - of_plate) / -28.5;
        g.snow_growth = bounded_growth(std::clamp(rounder, of_plate, of_cube) * drive * s.ventilated_snow(),
                                       most, c.snow / s.dt);
    }
    if (c.has_graupel && c.excess_ice < -tiny)
        g.graupel_growth = bounded_growth(of_cube * drive * s.ventilated_graupel(c.graupel_sizes.n0), most,
                                          c.graupel / s.dt);
}

/// Ice is collected by snow and by rain, which it freezes.
void collect_ice(const Site &s, Growth &g) {
    const Contents &c = s.c;
    if (!c.has_ice) return;
    const double mean = std::max(std::cbrt(new_crystal / ice_mass), 4 / c.ice_sizes.lambda);
    const double crystal = ice_mass * cube(mean);
    if (c.snow >= first_bound) {
        g.collected_ice = s.snow_sweep() * snow_ice_efficiency * c.ice;
        g.collected_crystals = g.collected_ice / crystal;
    }
    if (c.rain < first_bound || s.rain_diameter() <= 4 * mean) return;
    const double sweep = rain_ice_efficiency * s.rain_sweep();
    g.ice_in_rain = sweep * c.ice;
    g.crystals_in_rain = g.ice_in_rain / crystal;
    g.drops_on_ice = std::min(c.rain_sizes.number / s.dt, sweep * c.ice_sizes.number);
    const double rain_swept = c.air.thinness * pi / 4 * rain_mass * rain_a * rain_ice_efficiency *
                              c.ice_sizes.number * c.rain_sizes.n0 * 720 *
                              std::pow(c.rain_sizes.lambda + rain_f, -7);
    g.rain_on_ice = std::min(c.rain / s.dt, rain_swept);
    g.graupel_of_ice = g.ice_in_rain + g.rain_on_ice;
}

/// Splinters of riming (Hallett and Mossop 1974).
void splinter(const Site &s, Growth &g) {
    const double t = s.x.celsius();
    if (g.to_graupel <= tiny || t <= -8) return;
    const double chance = t >= -5 && t < -3 ? 0.5 * (-3 - t) : t > -8 && t < -5 ? (8 + t) / 3 : 0;
    g.splinter_number = 3.5e8 * chance * g.to_graupel;
    g.splinters = new_crystal * g.splinter_number;
    g.splinters_of_snow = g.to_snow / (g.to_snow + g.to_graupel) * g.splinters;
    g.splinters_of_graupel = g.to_graupel / (g.to_snow + g.to_graupel) * g.splinters;
}

/// Snow that rimes faster than it grows by vapour is partly graupel (T08, section 2), unless its rime
/// is too light (Cober and List 1993).
void rime(const Site &s, Growth &g) {
    if (!(g.to_snow > 2 * g.snow_growth) || g.snow_growth <= tiny) return;
    const double ratio = std::min(30.0, g.to_snow / g.snow_growth);
    g.snow_speed_up = std::min(1.5, 1.1 + (ratio - 2) * 0.014);
    const double d = s.snow.diameter, speed = snow_a * std::pow(d, snow_b) * std::exp(-snow_f * d);
    const double impact =
        std::clamp(-(s.droplet_diameter * 0.5e6) * speed / std::min(-0.1, s.x.celsius()), 0.1, 10.0);
    const double density = (0.051 + 0.114 * impact - 0.0055 * impact * impact) * 1000;
    const double part = density < 150 ? 0 : std::min(0.95, 0.15 + (ratio - 2) * 0.028);
    g.to_rimed_snow = part * g.to_snow;
    g.to_snow *= 1 - part;
}

/// Melting by the heat that conduction brings and condensation sets free; else evaporation.
void melt(const Site &s, Growth &g) {
    const Contents &c = s.c;
    const double missing = positive(saturation_over_water(t0, s.x.pressure) - s.x.vapour);
    const double heat = s.x.celsius() * c.air.conductivity - l_vap0 * c.air.diffusivity * missing;
    const double warm = s.wet_bulb - t0;
    if (c.has_snow) {
        double rate = heat * 4 * pi * of_plate / l_fus * s.ventilated_snow();
        if (rate > 0) rate += c_liquid / l_fus * warm * (g.rain_by_snow + g.to_snow);
        g.snow_melting = std::clamp(rate, 0.0, c.snow / s.dt);
        if (g.snow_melting > 0)
            g.drops_of_snow = s.snow.number / c.snow * g.snow_melting * std::pow(10.0, -0.25 * warm);
        else if (c.excess_ice < 0)
            g.snow_growth = std::max(of_plate * s.vapour_drive() * s.ventilated_snow(), -c.snow / s.dt);
    }
    if (c.has_graupel) {
        const Exponential &e = c.graupel_sizes;
        const double n0 = c.graupel * e.number < 1e-4 ? 1e-4 / c.graupel * e.lambda : e.n0;
        const double rate = heat * 4 * pi * of_cube / l_fus * s.ventilated_graupel(n0);
        g.graupel_melting = std::clamp(rate, 0.0, c.graupel / s.dt);
        if (g.graupel_melting > 0)
            g.drops_of_graupel = g.graupel_melting * e.number / c.graupel * std::pow(10.0, -0.33 * warm);
        else if (c.excess_ice < 0)
            g.graupel_growth =
                std::max(of_cube * s.vapour_drive() * s.ventilated_graupel(e.n0), -c.graupel / s.dt);
    }
}

} // namespace

Growth growth_of(const Point &x, const Contents &c, const Step &step, const Tables &tables) {
    constexpr double long_step = 120; // [s]
    const Site s(x, c, step, tables);
    Growth g;
    autoconvert(s, g);
    collect_warm(s, g);
    collect_cloud(s, g);
    collide_with_snow(s, g);
    collide_with_graupel(s, g);
    if (s.counted) scavenge(s, g);
    if (x.temperature < t0) {
        freeze(s, g);
        nucleate(s, g);
        deposit(s, g);
        collect_ice(s, g);
        splinter(s, g);
        rime(s, g);
    } else {
        melt(s, g);
        if (step.dt > long_step) { // cloud above the melting point is rain's
            g.to_rain += g.to_snow + g.to_graupel;
            g.to_snow = g.to_graupel = 0;
        }
    }
    return g;
}

} // namespace squall::thompson
