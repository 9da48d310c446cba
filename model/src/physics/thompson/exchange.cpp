#include <algorithm>
#include <cmath>

#include "physics/thompson/growth.hpp"

namespace squall::thompson {
namespace {

/// Cuts rates by the same factor where their sum (negative: a loss) passes what there may be of it.
template <class... Rates> void cut(double sum, double most, Rates &...rates) {
    if (sum < 0 ? sum >= most : sum <= most) return;
    const double factor = most / sum;
    ((rates *= factor), ...);
}

double all_deposited(const Growth &g) {
    return g.nucleation + g.haze_freezing + g.ice_growth + g.ice_growth_to_snow + g.snow_growth +
           g.graupel_growth;
}

double with_sign(double size, double of) { return of < 0 ? -size : size; }

} // namespace

void bound(Growth &g, const Point &x, const Contents &c, const Step &step) {
    const double dt = step.dt;
    const double vapour = all_deposited(g);
    if (std::abs(vapour) > tiny)
        cut(vapour, (x.vapour - c.over_ice) * c.density / dt * 0.999, g.nucleation, g.haze_freezing,
            g.ice_growth, g.crystals_growing, g.ice_growth_to_snow, g.snow_growth, g.graupel_growth);
    const auto keep = [dt](double sum, double there, auto &...rates) {
        if (sum < 0) cut(sum, -there / dt, rates...);
    };
    if (c.has_cloud)
        keep(-(g.autoconversion + g.cloud_freezing + g.to_rain + g.to_snow + g.to_rimed_snow + g.to_graupel),
             c.cloud, g.autoconversion, g.cloud_freezing, g.to_rain, g.to_snow, g.to_rimed_snow,
             g.to_graupel);
    if (c.has_ice)
        keep(g.ice_growth - g.ice_to_snow - g.collected_ice - g.ice_in_rain, c.ice, g.ice_growth,
             g.ice_to_snow, g.collected_ice, g.ice_in_rain);
    if (c.has_rain)
        keep(g.rain_by_snow + g.rain_by_graupel - g.rain_to_graupel - g.rain_to_ice - g.rain_on_ice, c.rain,
             g.rain_to_graupel, g.rain_to_ice, g.rain_on_ice, g.rain_by_snow, g.rain_by_graupel);
    if (c.has_snow)
        keep(g.snow_growth - g.splinters_of_snow - g.snow_melting + g.snow_by_rain, c.snow, g.snow_growth,
             g.splinters_of_snow, g.snow_melting, g.snow_by_rain);
    if (c.has_graupel)
        keep(g.graupel_growth - g.splinters_of_graupel - g.graupel_melting + g.graupel_by_rain, c.graupel,
             g.graupel_growth, g.splinters_of_graupel, g.graupel_melting, g.graupel_by_rain);

    // What one loses the other gains, whatever was cut.
    g.splinters = g.splinters_of_snow + g.splinters_of_graupel;
    const double with_graupel = std::min(std::abs(g.rain_by_graupel), std::abs(g.graupel_by_rain));
    g.rain_by_graupel = with_sign(with_graupel, g.rain_by_graupel);
    g.graupel_by_rain = -g.rain_by_graupel;
    if (step.wet_bulb > t0) {
        const double with_snow = std::min(std::abs(g.rain_by_snow), std::abs(g.snow_by_rain));
        g.rain_by_snow = with_sign(with_snow, g.rain_by_snow);
        g.snow_by_rain = -g.rain_by_snow;
    } else if (!step.as_wrf) {
        g.graupel_by_both = -g.rain_by_snow - g.snow_by_rain;
        g.graupel_of_ice = g.ice_in_rain + g.rain_on_ice;
    }
}

void apply(const Growth &g, Point &x, const Contents &c, const Step &over) {
    const double step = over.dt / c.density, cp = per_heat_capacity(x.vapour);
    const double deposited = all_deposited(g);
    const double frozen = g.cloud_freezing + g.rain_to_ice + g.rain_to_graupel + g.to_snow + g.to_rimed_snow +
                          g.to_graupel + g.graupel_by_both + g.snow_by_rain + g.rain_on_ice +
                          g.graupel_by_rain;
    const double melted = g.snow_melting + g.graupel_melting;
    if (x.temperature < t0)
        x.temperature += cp * step * (l_sub * deposited + (l_sub - c.latent_heat) * frozen);
    else if (over.as_wrf) // counts nothing for cloud that snow and graupel collect as they melt
        x.temperature +=
            cp * step * (l_sub * deposited - l_fus * (melted + g.rain_by_graupel + g.rain_by_snow));
    else
        x.temperature += cp * step * ((c.latent_heat + l_fus) * deposited + l_fus * (frozen - melted));
    const double from_cloud = g.autoconversion + g.to_rain;
    const double rimed = g.to_snow + g.to_rimed_snow + g.to_graupel;
    x.vapour -= step * deposited;
    x.cloud -= step * (from_cloud + g.cloud_freezing + rimed);
    x.droplet_number -= step * (g.autoconverted_droplets + g.droplets_to_rain + g.droplets_freezing +
                                g.droplets_to_snow + g.droplets_to_graupel);
    x.rain += step * (from_cloud + g.snow_melting + g.graupel_melting + g.rain_by_snow + g.rain_by_graupel -
                      g.rain_to_graupel - g.rain_to_ice - g.rain_on_ice);
    x.rain_number += step * (g.autoconverted_drops + g.drops_of_snow + g.drops_of_graupel -
                             (g.drops_to_graupel + g.drops_merging + g.drops_on_graupel + g.drops_on_snow +
                              g.drops_on_ice + g.drops_to_ice));
    x.ice += step * (g.nucleation + g.haze_freezing + g.splinters + g.cloud_freezing + g.rain_to_ice +
                     g.ice_growth - g.ice_to_snow - g.collected_ice - g.ice_in_rain);
    x.ice_number +=
        step * (g.nuclei + g.haze_frozen + g.splinter_number + g.droplets_freezing + g.drops_to_ice +
                g.crystals_growing - g.crystals_to_snow - g.collected_crystals - g.crystals_in_rain);
    x.water_friendly -= step * (g.water_friendly_swept + g.haze_frozen);
    x.ice_friendly -= step * (g.ice_friendly_swept + g.nuclei);
    x.snow += step * (g.ice_to_snow + g.snow_growth + g.collected_ice + g.to_snow + g.snow_by_rain +
                      g.ice_growth_to_snow - g.splinters_of_snow - g.snow_melting);
    x.graupel +=
        step * (g.to_rimed_snow + g.rain_to_graupel + g.graupel_growth + g.graupel_by_rain + g.to_graupel +
                g.graupel_of_ice + g.graupel_by_both - g.splinters_of_graupel - g.graupel_melting);
}

} // namespace squall::thompson
