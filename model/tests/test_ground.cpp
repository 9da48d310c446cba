// What boundary layers lie on, and tracers that initial files hold.
#include <gtest/gtest.h>

#include "ground_case.hpp"

namespace squall {
namespace {

using testing_support::FakeInput;
using testing_support::GroundOfInput;
using testing_support::LandWaterOfInput;
using testing_support::SurfaceOfInput;

TEST_F(GroundOfInput, IsTheFilesSkinTemperatureAndItsLandIsDrier) {
    FakeInput input;
    add_temperature(input, "TSK", 280);
    add_temperature(input, "SST", 270);
    add_mask(input, "LANDMASK", 1, 0);
    const InitialState s = read(input);
    for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 6; ++i) {
            EXPECT_EQ(s.ground.temperature(i, j), real(280 + j + 0.5 * i));
            EXPECT_EQ(s.ground.wetness(i, j), i < 3 ? real(0.25) : real(1));
        }
}

TEST_F(GroundOfInput, OfFilesWithoutThatIsSeaSurfaceTemperatureAndXland) {
    FakeInput input;
    add_temperature(input, "SST", 290);
    add_mask(input, "XLAND", 1, 2);
    const InitialState s = read(input);
    EXPECT_EQ(s.ground.temperature(4, 2), real(294));
    EXPECT_EQ(s.ground.wetness(2, 2), real(0.25));
    EXPECT_EQ(s.ground.wetness(3, 2), real(1));
}

TEST_F(GroundOfInput, TemperatureOfTheRunFileHoldsEverywhere) {
    FakeInput input;
    add_temperature(input, "TSK", 280);
    config.physics.surface_temperature = 301;
    const InitialState s = read(input);
    EXPECT_EQ(s.ground.temperature(0, 0), real(301));
    EXPECT_EQ(s.ground.temperature(5, 4), real(301));
    EXPECT_EQ(s.ground.wetness(0, 0), real(1));
}

TEST_F(GroundOfInput, WithoutTemperatureTheFileIsRefused) {
    try {
        read(FakeInput());
        FAIL() << "accepted";
    } catch (const std::runtime_error &error) {
        EXPECT_NE(std::string(error.what()).find("no surface temperature (TSK or SST)"), std::string::npos)
            << error.what();
    }
}

TEST_F(SurfaceOfInput, FollowsFromLandUseSnowAndIce) {
    const InitialState s = read(input);
    const SurfaceState &surface = s.physics.surface;
    EXPECT_FLOAT_EQ(float(surface.roughness(0, 0)), 0.12F); // grassland in summer
    EXPECT_FLOAT_EQ(float(surface.roughness(0, 4)), 0.10F); // in the south it is winter
    EXPECT_FLOAT_EQ(float(s.ground.wetness(0, 0)), 0.15F);
    EXPECT_FLOAT_EQ(float(surface.albedo(0, 0)), 0.19F);
    EXPECT_FLOAT_EQ(float(surface.albedo(0, 2)), 0.19F * 3); // under snow
    EXPECT_FLOAT_EQ(float(surface.emissivity(5, 0)), 0.95F);
    EXPECT_FLOAT_EQ(float(s.ground.thermal_inertia(5, 0)), 0.04F);
    EXPECT_EQ(s.ground.land(0, 0), real(1));
    EXPECT_EQ(s.ground.land(2, 0), real(0));
    EXPECT_EQ(s.ground.land(3, 0), real(1));
    EXPECT_FLOAT_EQ(float(surface.albedo(3, 2)), 0.55F); // ice, not lightened once more
    EXPECT_EQ(surface.skin_temperature(4, 2), real(284));
}

TEST_F(SurfaceOfInput, SoilIsBroughtToTheLayersOfTheScheme) {
    config.physics.land = "slab";
    input.dimensions["soil_layers_stag"] = 4;
    input.variables["ZS"] = {{"soil_layers_stag"}, [](int, int, int k) { return 0.05 + 0.1 * k; }};
    input.volume(
        "TSLB", [](int k, int, int) { return 290.0 + k; }, "soil_layers_stag");
    input.plane("TMN", [](int, int, int) { return 285.0; });
    const InitialState s = read(input);
    const Array3 &soil = s.physics.surface.soil_temperature;
    ASSERT_EQ(s.physics.surface.soil_layers, 5);
    EXPECT_NEAR(soil(0, 0, 0), 280 + 0.1 * 10, 1e-3); // at 5 mm, a tenth of the way to 290 K at 5 cm
    EXPECT_NEAR(soil(0, 3, 0), 290.6, 1e-3);          // at 11 cm
    EXPECT_NEAR(soil(0, 4, 0), 291.8, 1e-3);          // at 23 cm
    EXPECT_EQ(soil(2, 4, 0), real(281));              // water
}

TEST_F(LandWaterOfInput, IsReadWithItsSoilVegetationAndSnow) {
    const InitialState s = read(input);
    const LandCover &cover = s.ground.cover;
    const LandWaterState &water = s.physics.surface.land_water;
    EXPECT_EQ(cover.vegetation(0, 0), real(6));  // grassland, the seventh row of USGS
    EXPECT_EQ(cover.vegetation(4, 0), real(13)); // forest
    EXPECT_EQ(cover.soil(0, 0), real(6));
    EXPECT_FLOAT_EQ(float(cover.green(0, 0)), 0.6F);
    EXPECT_FLOAT_EQ(float(cover.snow_albedo(0, 0)), 0.7F); // SNOALB is not there: the class's
    EXPECT_EQ(cover.ice(3, 0), real(2));                   // the sea's
    EXPECT_NEAR(water.moisture(0, 2, 0), 0.3, 1e-6);
    EXPECT_EQ(water.liquid(0, 2, 0), water.moisture(0, 2, 0));
    EXPECT_LT(water.liquid(0, 2, 3), water.moisture(0, 2, 3)); // frozen in part
    EXPECT_GT(water.liquid(0, 2, 3), real(0.02));
    EXPECT_EQ(water.snow_water(0, 2), real(40));
    EXPECT_FLOAT_EQ(float(water.snow_depth(0, 2)), 0.2F);
    EXPECT_NEAR(s.physics.surface.soil_temperature(3, 3, 0), 281.5 + (271.36 - 281.5) * 0.875, 1e-3);
}

TEST_F(LandWaterOfInput, BeginsWithLeavesAndLayersOfSnowWhereLandHasThem) {
    config.physics.land = "noah-mp";
    config.land.runoff = "groundwater";
    input.plane("LU_INDEX", [](int, int, int i) {
        return i < 2 ? 7.0 : i < 4 ? 16.0 : i == 4 ? 14.0 : 24.0;
    });
    const InitialState s = read(input);
    const SurfaceState &surface = s.physics.surface;
    const CanopyState &c = surface.canopy;
    EXPECT_EQ(c.snow_count(0, 0), 0);
    EXPECT_EQ(c.snow_count(0, 2), -2); // 40 kg m-2, 0.2 m deep
    EXPECT_EQ(c.snow_ice(0, 0, 2), 0);
    EXPECT_NEAR(c.snow_ice(0, 1, 2), 10, 1e-4);
    EXPECT_NEAR(c.snow_thickness(0, 2, 2), 0.15, 1e-6);
    EXPECT_EQ(c.leaf_temperature(0, 0), surface.skin_temperature(0, 0));
    EXPECT_EQ(c.leaf_temperature(0, 2), std::min(surface.skin_temperature(0, 2), real(273.15)));
    EXPECT_EQ(c.vapour_pressure(4, 1), 2000);
    EXPECT_EQ(c.snow_albedo(4, 1), real(0.65));
    EXPECT_LT(surface.land_water.liquid(0, 2, 3), surface.land_water.moisture(0, 2, 3)); // frozen in part
    EXPECT_EQ(surface.land_water.moisture(5, 0, 0), 1);                                  // a glacier
    EXPECT_EQ(surface.land_water.liquid(5, 0, 0), 0);
    EXPECT_EQ(surface.soil_temperature(5, 0, 0), real(263.15));
    EXPECT_EQ(surface.land_water.snow_water(5, 0), 10);
    EXPECT_EQ(c.leaf_temperature(2, 0), 0); // water
    EXPECT_EQ(c.below.depth(0, 0), real(2.5));
    EXPECT_EQ(c.below.water(0, 0), 4900);
}

TEST_F(GroundOfInput, IsNotReadWithoutABoundaryLayer) {
    config.physics.boundary_layer = "none";
    EXPECT_EQ(read(FakeInput()).ground.temperature.bytes(), 0u);
}

TEST_F(GroundOfInput, TracersStartAsTheFileSaysUnlessTheRunFileDoes) {
    config.physics.boundary_layer = "none";
    const auto declare = [&](const std::string &name, double initial, bool from_file) {
        TracerConfig &tracer = config.tracers.emplace_back();
        tracer.name = name;
        tracer.initial = initial;
        tracer.from_file = from_file;
    };
    declare("dust", 0, true);
    declare("other", 0, true);
    declare("salt", 0.5, false);
    FakeInput input;
    for (const char *name : {"dust", "salt"})
        input.volume(name, [](int k, int j, int i) { return 1 + k + 10 * j + 100 * i; });
    const InitialState s = read(input);
    ASSERT_EQ(s.state.scalars.size(), 3u);
    EXPECT_EQ(s.state.scalars[0](5, 3, 4), real(1 + 3 + 40 + 500));
    EXPECT_EQ(s.state.scalars[1](5, 3, 4), real(0));
    EXPECT_EQ(s.state.scalars[2](5, 3, 4), real(0.5));
}

} // namespace
} // namespace squall
