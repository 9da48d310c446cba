#include "physics/noah_mp/noah_mp.hpp"

#include <algorithm>
#include <cmath>

#include "physics/noah/land.hpp"
#include "physics/noah/noah.hpp"
#include "physics/noah_mp/land.hpp"
#include "physics/noah_mp/start.hpp"

namespace squall {
namespace {

using namespace noah_mp;

int number_of(const real *row, int i) { return static_cast<int>(row[i] + real(0.5)); }

Site site(const SurfaceColumns &c, int i) {
    const LandWaterColumns &w = c.land_water;
    Site s{};
    const int row = number_of(w.vegetation, i), given = number_of(w.soil, i);
    s.vegetation = vegetation(row);
    s.soil = noah::soil(given == noah::water_soil ? noah::clay_loam_for_water : given);
    const noah::Cover cover = noah::vegetation(row).cover;
    s.urban = cover == noah::Cover::urban;
    s.bare = cover == noah::Cover::bare || cover == noah::Cover::ice;
    if (s.urban) { // little that grows, and little water held
        s.soil.porosity = real(0.45);
        s.soil.reference = real(0.42);
        s.soil.wilting = s.soil.dry = real(0.40);
    }
    s.most_green = w.most_green[i];
    s.green = w.green[i];
    s.leaf_area = c.canopy.leaf_area ? c.canopy.leaf_area[i] : real(-1);
    s.options = c.canopy.options;
    s.deep_temperature = w.deep_temperature[i];
    s.year = c.canopy.latitude[i] < 0 ? std::fmod(c.canopy.year + real(0.5), real(1)) : c.canopy.year;
    return s;
}

Air air(const SurfaceColumns &c, int i) {
    Air a{};
    a.dt = c.dt;
    a.temperature = c.temperature[i];
    a.pressure = c.pressure[i];
    a.surface_pressure = c.surface_pressure[i];
    a.humidity = c.vapour[i] / (1 + c.vapour[i]);
    a.vapour_pressure = a.humidity * a.pressure / (real(0.622) + real(0.378) * a.humidity);
    a.density = (a.pressure - real(0.378) * a.vapour_pressure) / (noah_mp::gas_constant * a.temperature);
    a.wind = std::sqrt(c.u[i] * c.u[i] + c.v[i] * c.v[i]);
    a.height = c.depth[i] / 2;
    a.cosine = c.canopy.sun[i];
    a.sunlight = a.cosine > 0 ? c.land_water.shortwave_down[i] : real(0);
    a.longwave = c.longwave_down[i];
    const real falling = std::max(c.land_water.precipitation[i], real(0)) / c.dt;
    a.snow = falling * frozen_share(a.temperature, c.canopy.options.snowfall);
    a.rain = falling - a.snow;
    a.snow_density = fresh_snow_density(a.temperature);
    return a;
}

Column column(const SurfaceColumns &c, int i) {
    const LandWaterColumns &w = c.land_water;
    Column g{};
    get(c.canopy, i, g);
    for (int k = 0; k < static_cast<int>(soil_layers); ++k) {
        const auto layer = static_cast<std::size_t>(k);
        g.temperature[layer] = c.soil_temperature(i, k);
        g.moisture[layer] = w.moisture(i, k);
        g.liquid[layer] = w.liquid(i, k);
    }
    g.snow.water = w.snow_water[i];
    g.snow.depth = w.snow_depth[i];
    return g;
}

void put_back(const SurfaceColumns &c, int i, const Column &g) {
    const LandWaterColumns &w = c.land_water;
    put(c.canopy, i, g);
    for (int k = 0; k < static_cast<int>(soil_layers); ++k) {
        const auto layer = static_cast<std::size_t>(k);
        c.soil_temperature(i, k) = g.temperature[layer];
        w.moisture(i, k) = g.moisture[layer];
        w.liquid(i, k) = g.liquid[layer];
    }
    w.snow_water[i] = g.snow.water;
    w.snow_depth[i] = g.snow.depth;
    w.canopy_water[i] = g.canopy_liquid + g.canopy_ice;
}

void tell(const SurfaceColumns &c, int i, const Fluxes &f) {
    const LandWaterColumns &w = c.land_water;
    c.skin_temperature[i] = f.radiative_temperature;
    c.sensible_heat[i] = f.sensible;
    c.vapour_flux[i] = f.vapour;
    c.latent_heat[i] = f.latent;
    c.roughness[i] = f.roughness;
    if (c.sublayer.bare_roughness) c.sublayer.bare_roughness[i] = f.roughness;
    // WRF's surface layer takes what is specific humidity for a mixing ratio.
    c.surface_vapour[i] = c.as_wrf ? f.surface_humidity : f.surface_humidity / (1 - f.surface_humidity);
    c.temperature_2m[i] = f.temperature_2m;
    const real vapour = f.humidity_2m / (1 - f.humidity_2m);
    c.vapour_2m[i] = std::min(vapour, real(1.05) * c.vapour[i]); // WRF's bound
    c.heat_exchange_2m[i] = c.vapour_exchange_2m[i] = -1;
    if (f.albedo >= 0) w.albedo[i] = f.albedo;
    w.emissivity[i] = f.emissivity;
    w.snow_cover[i] = f.snow_cover;
    w.ground_heat[i] = -f.ground;
    w.surface_runoff[i] += f.runoff * c.dt;
    w.drainage[i] += f.drainage * c.dt;
}

class NoahMp final : public LandScheme {
  public:
    void advance(const SurfaceColumns &c) override {
        for (int i = 0; i < c.n; ++i)
            if (c.land[i] > real(0.5)) advance_column(c, i);
    }

  private:
    static void advance_column(const SurfaceColumns &c, int i) {
        const auto ice = static_cast<noah::Ice>(number_of(c.land_water.ice, i));
        if (ice == noah::Ice::sea) return noah::advance_column(c, i); // as in WRF
        Column ground = column(c, i);
        const auto advance = ice == noah::Ice::glacier ? advance_glacier : advance_land;
        const Fluxes f = advance(site(c, i), air(c, i), c.as_wrf, ground);
        put_back(c, i, ground);
        tell(c, i, f);
    }
};

} // namespace

LandEntry noah_mp_scheme() {
    return {
        "four layers of soil, leaves apart from the ground and up to three layers of snow, Niu et al. (2011)",
        {noah::thickness.begin(), noah::thickness.end()},
        [] { return std::make_unique<NoahMp>(); },
        true,
        true};
}

} // namespace squall
