/// Columns over land with soil moisture and snow, for tests of Noah.
#pragma once

#include <array>

#include "physics/noah/land.hpp"
#include "physics/noah/snow.hpp"
#include "physics/noah/soil_heat.hpp"
#include "physics/noah/soil_water.hpp"
#include "surface_case.hpp"

namespace squall::test {

/// A SurfaceCase over grassland on loam, half of it green, its soil of 290 K with a moisture of 0.3.
struct NoahCase : SurfaceCase {
    enum LandRow {
        vegetation,
        soil_class,
        green,
        least_green,
        most_green,
        deep,
        snow_albedo,
        ice,
        sunlight,
        precipitation,
        frozen,
        albedo,
        emissivity_now,
        canopy,
        snow_water,
        snow_depth,
        snow_cover,
        snow_age,
        ground_heat,
        runoff,
        drainage,
        land_rows
    };
    enum Soil { moisture, liquid, soil_fields };

    std::vector<std::vector<real>> land_water;
    ColumnStorage water{soil_fields, 4};

    explicit NoahCase(int columns = 1, real step = 60)
        : SurfaceCase(columns, 40, 50, step),
          land_water(land_rows, std::vector<real>(static_cast<std::size_t>(columns))) {
        const std::array<std::pair<LandRow, double>, 11> values{{{vegetation, 6},
                                                                 {soil_class, 6},
                                                                 {green, 0.5},
                                                                 {least_green, 0.1},
                                                                 {most_green, 0.8},
                                                                 {deep, 285},
                                                                 {snow_albedo, 0.7},
                                                                 {sunlight, 500},
                                                                 {albedo, 0.2},
                                                                 {emissivity_now, 0.95},
                                                                 {canopy, 0.1}}};
        for (const auto &[row, value] : values) set_land(row, value);
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < n; ++i) water.field(moisture)(i, k) = water.field(liquid)(i, k) = real(0.3);
    }

    void set_land(LandRow row, double value) {
        land_water[row].assign(static_cast<std::size_t>(n), real(value));
    }
    real of_land(LandRow row, int i = 0) const { return land_water[row][static_cast<std::size_t>(i)]; }

    SurfaceColumns surface() {
        SurfaceColumns c = SurfaceCase::surface();
        const auto of = [&](LandRow r) { return land_water[r].data(); };
        c.land_water = {.vegetation = of(vegetation),
                        .soil = of(soil_class),
                        .green = of(green),
                        .least_green = of(least_green),
                        .most_green = of(most_green),
                        .deep_temperature = of(deep),
                        .snow_albedo = of(snow_albedo),
                        .ice = of(ice),
                        .shortwave_down = of(sunlight),
                        .precipitation = of(precipitation),
                        .frozen_precipitation = of(frozen),
                        .albedo = of(albedo),
                        .emissivity = of(emissivity_now),
                        .canopy_water = of(canopy),
                        .snow_water = of(snow_water),
                        .snow_depth = of(snow_depth),
                        .snow_cover = of(snow_cover),
                        .snow_age = of(snow_age),
                        .ground_heat = of(ground_heat),
                        .surface_runoff = of(runoff),
                        .drainage = of(drainage),
                        .moisture = water.field(moisture),
                        .liquid = water.field(liquid)};
        return c;
    }

    /// Surface layer and land, one step after the other.
    void advance(int steps = 1) {
        const auto above = surface_layer_scheme("revised-mm5").make();
        const auto below = land_scheme("noah").make();
        for (int s = 0; s < steps; ++s) {
            above->exchange(surface());
            below->advance(surface());
        }
    }

    /// Water of soil, leaves and snow of column i [kg m-2].
    double water_of(int i = 0) {
        double sum = of_land(canopy, i) + of_land(snow_water, i);
        for (int k = 0; k < 4; ++k)
            sum += 1000 * double(noah::thickness[static_cast<std::size_t>(k)]) *
                   double(water.field(moisture)(i, k));
        return sum;
    }
};

} // namespace squall::test
