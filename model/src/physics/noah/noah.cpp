#include "physics/noah/noah.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "physics/noah/land.hpp"
#include "physics/noah/snow.hpp"
#include "physics/saturation.hpp"

namespace squall {
namespace {

using namespace noah;

real specific(real mixing_ratio) { return mixing_ratio / (1 + mixing_ratio); }

int number_of(const real *row, int i) { return static_cast<int>(row[i] + real(0.5)); }

/// Between the greenness of winter and that of summer, as the year stands.
real as_green(const SurfaceColumns &c, int i, real green, Range2 of) {
    const real least = c.land_water.least_green[i], most = c.land_water.most_green[i];
    if (green >= most) return of.most;
    if (green <= least) return of.least;
    if (most <= least) return (of.least + of.most) / 2;
    const real share = std::clamp((green - least) / (most - least), real(0), real(1));
    return (1 - share) * of.least + share * of.most;
}

/// A city's ground, which has its own place in Noah: little that grows, and little water held.
void pave(Site &s) {
    s.green = real(0.05);
    s.vegetation.resistance = 400;
    s.soil.porosity = real(0.45);
    s.soil.reference = real(0.42);
    s.soil.wilting = real(0.40);
    s.soil.dry = real(0.40);
    s.soil.limit = real(0.90);
    s.soil.find_powers();
}

Site site(const SurfaceColumns &c, int i) {
    const LandWaterColumns &w = c.land_water;
    Site s{};
    s.vegetation = vegetation(number_of(w.vegetation, i));
    const int given = number_of(w.soil, i);
    s.soil = soil(given == water_soil ? clay_loam_for_water : given);
    s.frozen_resistance = real(0.15 * 0.412 / 0.468) * (s.soil.porosity / s.soil.reference);
    s.urban = s.vegetation.cover == Cover::urban;
    s.green = s.vegetation.cover == Cover::bare ? real(0) : w.green[i];
    if (s.urban) pave(s);
    s.leaf_area = as_green(c, i, s.green, s.vegetation.leaf_area);
    s.albedo = as_green(c, i, s.green, s.vegetation.albedo);
    s.emissivity = as_green(c, i, s.green, s.vegetation.emissivity);
    s.roughness = as_green(c, i, s.green, s.vegetation.roughness);
    s.deep_temperature = w.deep_temperature[i];
    s.snow_albedo = w.snow_albedo[i];
    return s;
}

Column column(const SurfaceColumns &c, int i) {
    const LandWaterColumns &w = c.land_water;
    Column g{};
    for (int k = 0; k < layers; ++k) {
        const auto layer = static_cast<std::size_t>(k);
        g.temperature[layer] = c.soil_temperature(i, k);
        g.moisture[layer] = w.moisture(i, k);
        g.liquid[layer] = w.liquid(i, k);
    }
    g.skin = c.skin_temperature[i];
    g.canopy = w.canopy_water[i] / water_density;
    g.snow = {w.snow_water[i] / water_density, w.snow_depth[i], w.snow_cover[i], w.snow_age[i]};
    if (g.snow.depth <= g.snow.water) g.snow.depth = 5 * g.snow.water; // no snow is denser than water
    g.albedo = w.albedo[i];
    g.emissivity = w.emissivity[i];
    g.roughness = c.roughness[i];
    return g;
}

void put_back(const SurfaceColumns &c, int i, const Column &g) {
    const LandWaterColumns &w = c.land_water;
    for (int k = 0; k < layers; ++k) {
        const auto layer = static_cast<std::size_t>(k);
        c.soil_temperature(i, k) = g.temperature[layer];
        w.moisture(i, k) = g.moisture[layer];
        w.liquid(i, k) = g.liquid[layer];
    }
    c.skin_temperature[i] = g.skin;
    w.canopy_water[i] = g.canopy * water_density;
    w.snow_water[i] = g.snow.water * water_density;
    w.snow_depth[i] = g.snow.depth;
    w.snow_cover[i] = g.snow.cover;
    w.snow_age[i] = g.snow.age;
    w.albedo[i] = g.albedo;
    w.emissivity[i] = g.emissivity;
    c.roughness[i] = g.roughness;
}

/// Over water; over ice where there is snow, by its cover where it melts.
void set_saturation(const SurfaceColumns &c, int i, Air &a) {
    const real t = a.temperature;
    const bool told = c.air_saturation && c.air_saturation[i] > 0;
    a.saturation = told ? c.air_saturation[i] : specific(saturation_over_water(t, c.pressure[i]));
    a.saturation_slope =
        a.saturation * real(17.67 * (273.15 - 29.65)) / ((t - real(29.65)) * (t - real(29.65)));
    if (c.land_water.snow_water[i] <= 0) return;
    constexpr real exponent = 6174; // latent heat of sublimation over the vapour's gas constant [K]
    const real e = real(611.2) * std::exp(exponent * (1 / freezing_point - 1 / t));
    const real over_ice = specific(real(0.622) * e / (a.pressure - e));
    const real slope = over_ice * exponent / (t * t);
    const real skin = c.skin_temperature[i], cover = c.land_water.snow_cover[i];
    const real share = skin > real(273.14) ? cover : real(1);
    a.saturation += share * (over_ice - a.saturation);
    a.saturation_slope += share * (slope - a.saturation_slope);
    // Snow that melts does not warm with the air.
    const bool lit =
        c.land_water.shortwave_down[i] > 10 || static_cast<Ice>(number_of(c.land_water.ice, i)) == Ice::sea;
    if (skin > 273 && cover > 0 && lit) a.saturation_slope *= 1 - cover;
}

Air air(const SurfaceColumns &c, int i) {
    const LandWaterColumns &w = c.land_water;
    Air a{};
    a.dt = c.dt;
    a.temperature = c.temperature[i];
    a.pressure = c.pressure[i];
    a.theta = a.temperature * std::pow(c.surface_pressure[i] / a.pressure, constants::kappa);
    a.humidity = specific(c.vapour[i]);
    set_saturation(c, i, a);
    a.conductance = c.conductance[i];
    a.richardson = c.richardson[i];
    a.sunlight = w.shortwave_down[i];
    a.absorbed = a.sunlight * (1 - w.albedo[i]) + c.longwave_down[i] * w.emissivity[i];
    a.precipitation = std::max(w.precipitation[i], real(0)) / c.dt;
    const bool snow = w.frozen_precipitation[i] > real(0.5) * w.precipitation[i];
    a.falling = a.precipitation <= 0                      ? Falling::nothing
                : snow                                    ? Falling::snow
                : c.skin_temperature[i] <= freezing_point ? Falling::freezing_rain
                                                          : Falling::rain;
    return a;
}

class Noah final : public LandScheme {
  public:
    void advance(const SurfaceColumns &c) override {
        for (int i = 0; i < c.n; ++i)
            if (c.land[i] > real(0.5)) noah::advance_column(c, i);
    }
};

} // namespace

void noah::advance_column(const SurfaceColumns &c, int i) {
    const LandWaterColumns &w = c.land_water;
    const Air above = air(c, i);
    const Site place = site(c, i);
    Column ground = column(c, i);
    const auto ice = static_cast<Ice>(number_of(w.ice, i));
    const Fluxes f =
        ice == Ice::none ? advance_land(place, ground, above) : advance_ice(ice, place, ground, above);
    put_back(c, i, ground);
    if (c.sublayer.bare_roughness)
        c.sublayer.bare_roughness[i] = ice == Ice::none ? place.roughness : ice_roughness;
    c.sensible_heat[i] = f.sensible;
    c.vapour_flux[i] = f.vapour;
    c.latent_heat[i] = f.latent;
    c.surface_vapour[i] = f.humidity / (1 - f.humidity);
    // As leaves give off both, from wet places only.
    if (c.availability[i] > 0) c.vapour_exchange_2m[i] /= c.availability[i];
    c.heat_exchange_2m[i] = c.vapour_exchange_2m[i];
    w.ground_heat[i] = -f.ground;
    w.surface_runoff[i] += f.runoff * c.dt;
    w.drainage[i] += f.drainage * c.dt;
}

LandEntry noah_scheme() {
    return {"four layers of soil with water and ice, vegetation and snow, Chen and Dudhia (2001)",
            {thickness.begin(), thickness.end()},
            [] { return std::make_unique<Noah>(); },
            true};
}

} // namespace squall
