#include "physics/thompson/point.hpp"

#include "physics/thompson/aerosol.hpp"

namespace squall::thompson {
namespace {

double without_noise(double x) { return std::abs(x) < tiny ? 0 : x; }

} // namespace

Contents::Contents(const Point &x, Counted counted)
    : density(density_of(x.temperature, x.pressure, x.vapour)), has_cloud(x.cloud > least),
      has_rain(x.rain > least), has_ice(x.ice > least), has_snow(x.snow > least),
      has_graupel(x.graupel > least), droplet_number(!has_cloud               ? no_droplets
                                                     : counted == Counted::no ? droplets
                                                                              : x.droplet_number * density),
      water_friendly(bounded_aerosol(x.water_friendly * density, least_water_friendly)),
      ice_friendly(bounded_aerosol(x.ice_friendly * density, least_ice_friendly)) {
    cloud = has_cloud ? x.cloud * density : least;
    rain = has_rain ? x.rain * density : least;
    ice = has_ice ? x.ice * density : least;
    snow = has_snow ? x.snow * density : least;
    graupel = has_graupel ? x.graupel * density : least;
    // Where no number came with a content, drops are 1 mm and crystals 5 micrometres large.
    const double drops = x.rain_number * density, crystals = x.ice_number * density;
    rain_sizes =
        has_rain ? rain_of(rain, drops > least_number ? drops : number_for(rain, median / 1e-3, rain_mass))
                 : exponential_of(least, least_number, rain_mass);
    ice_sizes = has_ice ? ice_of(ice, crystals > least_number
                                          ? crystals
                                          : std::min(most_ice_number, number_for(ice, 4 / 5e-6, ice_mass)))
                        : exponential_of(least, least_number, ice_mass);
    graupel_sizes = has_graupel ? graupel_of(graupel) : exponential_of(least, least_number, graupel_mass);
    over_water = saturation_over_water(x.temperature, x.pressure);
    over_ice = x.celsius() <= 0 ? saturation_over_ice(x.temperature, x.pressure) : over_water;
    excess_water = without_noise(x.vapour / over_water - 1);
    excess_ice = without_noise(x.vapour / over_ice - 1);
    latent_heat = vaporisation(x.celsius());
    air = transfer_of(x.temperature, x.pressure, density);
}

Snow snow_of(const Contents &c, double celsius) {
    Snow s;
    if (!c.has_snow) return s;
    s.second = c.snow / snow_mass;
    s.number = snow_moment(0, celsius, s.second);
    s.first = snow_moment(1, celsius, s.second);
    s.third = snow_moment(3, celsius, s.second);
    s.swept = snow_moment(2 + snow_b, celsius, s.second);
    s.ventilated = snow_moment(1 + (1 + snow_b) / 2, celsius, s.second);
    s.diameter = s.third / s.second;
    return s;
}

double Snow::in_distribution() const {
    static const double g = std::tgamma(snow_mu + 1);
    if (!(second > 0)) return 0;
    const double inverse = second / third;
    return second * inverse * inverse * (kap0 / lam0 + kap1 * g * std::pow(lam1, -snow_mu - 1));
}

} // namespace squall::thompson
