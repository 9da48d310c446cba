/// Columns over land with leaves and layers of snow, for tests of Noah-MP.
#pragma once

#include "noah_case.hpp"
#include "physics/noah_mp/land.hpp"
#include "physics/noah_mp/leaves.hpp"
#include "physics/noah_mp/start.hpp"

namespace squall::test {

/// Rows of the table of vegetation.
inline constexpr int usgs_grassland = 6, usgs_forest = 13, usgs_city = 0;

/// Loam under that vegetation.
inline noah_mp::Site place(int row, double year = 0.54) {
    noah_mp::Site s{};
    s.vegetation = noah_mp::vegetation(row);
    s.soil = noah::soil(6);
    s.urban = row == usgs_city;
    s.most_green = real(0.8);
    s.deep_temperature = 285;
    s.year = real(year);
    return s;
}

/// As NoahCase, under the sun of 45 N in the middle of July.
struct NoahMpCase : NoahCase {
    enum CanopyRow {
        latitude,
        sun,
        snow_count,
        leaf,
        ground,
        vapour_pressure,
        leaf_liquid,
        leaf_ice,
        old_albedo,
        snowfall,
        canopy_rows
    };
    enum SnowField { snow_temperature, snow_ice, snow_liquid, snow_thickness, snow_fields };

    std::vector<std::vector<real>> canopy_values;
    ColumnStorage layers_of_snow{snow_fields, 3};
    real year = real(0.54);

    explicit NoahMpCase(int columns = 1, real step = 60)
        : NoahCase(columns, step),
          canopy_values(canopy_rows, std::vector<real>(static_cast<std::size_t>(columns))) {
        set_canopy(latitude, 45);
        set_canopy(sun, 0.8);
        set_land(snow_depth, 0);
        begin();
    }

    void set_canopy(CanopyRow row, double value) {
        canopy_values[row].assign(static_cast<std::size_t>(n), real(value));
    }
    real of_canopy(CanopyRow row, int i = 0) const { return canopy_values[row][static_cast<std::size_t>(i)]; }

    CanopyColumns canopy_columns() {
        const auto of = [&](CanopyRow r) { return canopy_values[r].data(); };
        CanopyColumns c;
        c.latitude = of(latitude), c.sun = of(sun);
        c.year = year;
        c.snow_count = of(snow_count), c.leaf_temperature = of(leaf), c.ground_temperature = of(ground);
        c.vapour_pressure = of(vapour_pressure), c.liquid = of(leaf_liquid), c.ice = of(leaf_ice);
        c.snow_albedo = of(old_albedo), c.snowfall = of(snowfall);
        c.snow_temperature = layers_of_snow.field(snow_temperature);
        c.snow_ice = layers_of_snow.field(snow_ice), c.snow_liquid = layers_of_snow.field(snow_liquid);
        c.snow_thickness = layers_of_snow.field(snow_thickness);
        return c;
    }

    SurfaceColumns surface() {
        SurfaceColumns c = NoahCase::surface();
        c.canopy = canopy_columns();
        return c;
    }

    /// As a run begins, with what the rows say of soil and snow.
    void begin() {
        for (int i = 0; i < n; ++i) {
            noah_mp::Column c{};
            for (int k = 0; k < 4; ++k) {
                c.temperature[static_cast<std::size_t>(k)] = soil.field(0)(i, k);
                c.moisture[static_cast<std::size_t>(k)] = water.field(moisture)(i, k);
            }
            c.snow.water = of_land(snow_water, i), c.snow.depth = of_land(NoahCase::snow_depth, i);
            const bool glacier = of_land(ice, i) == real(noah::Ice::glacier);
            noah_mp::begin(noah::soil(static_cast<int>(of_land(soil_class, i))), glacier, at(skin, i), c);
            noah_mp::put(canopy_columns(), i, c);
            for (int k = 0; k < 4; ++k) {
                soil.field(0)(i, k) = c.temperature[static_cast<std::size_t>(k)];
                water.field(moisture)(i, k) = c.moisture[static_cast<std::size_t>(k)];
                water.field(liquid)(i, k) = c.liquid[static_cast<std::size_t>(k)];
            }
            land_water[snow_water][static_cast<std::size_t>(i)] = c.snow.water;
            land_water[NoahCase::snow_depth][static_cast<std::size_t>(i)] = c.snow.depth;
            land_water[canopy][static_cast<std::size_t>(i)] = 0;
        }
    }

    /// Surface layer and land, one step after the other.
    void advance(int steps = 1) {
        const auto above = surface_layer_scheme("revised-mm5").make();
        const auto below = land_scheme("noah-mp").make();
        for (int s = 0; s < steps; ++s) {
            above->exchange(surface());
            below->advance(surface());
        }
    }
};

struct LeafBudget {
    double gained, given, turned_over; ///< [W m-2]
};

/// Leaves and the ground under them and beside them: net radiation, and what the air, the ground and the
/// leaves themselves get of it in a step.
inline LeafBudget leaf_budget(double sunlight) {
    NoahMpCase c(1, 600);
    c.set_land(NoahCase::sunlight, sunlight);
    c.set_canopy(NoahMpCase::sun, sunlight > 0 ? 0.8 : 0);
    c.advance(20);
    noah_mp::Site site{};
    site.vegetation = noah_mp::vegetation(static_cast<int>(c.of_land(NoahCase::vegetation)));
    site.most_green = c.of_land(NoahCase::most_green);
    site.year = c.year;
    const noah_mp::Leaves leaves = noah_mp::leaves_of(site, 0, 300);
    const double former = c.of_canopy(NoahMpCase::leaf);
    const double capacity =
        0.02 * 4.188e6 * double(leaves.area()) + 4188 * double(c.of_canopy(NoahMpCase::leaf_liquid));
    c.advance();
    const double emissivity = c.of_land(NoahCase::emissivity_now), skin = c.at(SurfaceCase::skin);
    const double heat = c.at(SurfaceCase::heat), latent = c.at(SurfaceCase::latent);
    const double ground = c.of_land(NoahCase::ground_heat);
    const double warmer = double(c.of_canopy(NoahMpCase::leaf)) - former;
    LeafBudget b{};
    b.gained = double(leaves.cover) * capacity * warmer / double(c.dt);
    b.given = (sunlight > 0 ? sunlight * (1 - double(c.of_land(NoahCase::albedo))) : 0) +
              emissivity * (double(c.at(SurfaceCase::longwave)) - 5.67e-8 * std::pow(skin, 4)) - heat -
              latent + ground;
    b.turned_over = std::abs(heat) + std::abs(latent) + std::abs(ground);
    return b;
}

} // namespace squall::test
