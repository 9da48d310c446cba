// What boundary layers lie on, and tracers that initial files hold.
#include <array>
#include <filesystem>

#include <gtest/gtest.h>

#include "fake_wrfinput.hpp"
#include "initial/initial.hpp"

namespace squall {
namespace {

using testing_support::FakeInput;

class GroundOfInput : public testing::Test {
  protected:
    std::string path() const {
        const auto *test = testing::UnitTest::GetInstance()->current_test_info();
        return testing::TempDir() + "ground_" + test->name();
    }
    void TearDown() override { std::filesystem::remove(path()); }

    Config config = [] {
        Config c;
        c.dynamics.coriolis = "file";
        c.physics.boundary_layer = "bulk";
        c.physics.land_wetness = 0.25;
        return c;
    }();

    InitialState read(const FakeInput &input) {
        config.initial.file = input.write(path());
        return make_initial_state(config, make_patch(0, 1, 1, 6, 5, 4, {}));
    }
    /// Land in the west of column 3, its number there and that of water.
    static void add_mask(FakeInput &input, const std::string &name, double land, double water) {
        input.plane(name, [=](int, int, int i) { return i < 3 ? land : water; });
    }
    static void add_temperature(FakeInput &input, const std::string &name, double base) {
        input.plane(name, [=](int, int j, int i) { return base + j + 0.5 * i; });
    }
};

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

/// Grassland of USGS in the west of column 2, open water in column 2, ice over water in column 3, forest in
/// the east.
class SurfaceOfInput : public GroundOfInput {
  protected:
    FakeInput input;

    SurfaceOfInput() {
        config.physics.microphysics = "vapour";
        config.physics.surface_layer = "revised-mm5";
        config.physics.boundary_layer = "ysu";
        config.run.start = "2001-07-03T04:05:06";
        input.texts["MMINLU"] = "USGS";
        input.volume("QVAPOR", [](int, int, int) { return 0.005; });
        input.plane("LU_INDEX", [](int, int, int i) { return i < 2 ? 7.0 : i < 4 ? 16.0 : 14.0; });
        input.plane("SEAICE", [](int, int, int i) { return i == 3 ? 1.0 : 0.0; });
        input.plane("SNOWC", [](int, int j, int) { return j == 2 ? 1.0 : 0.0; });
        input.plane("XLAT", [](int, int j, int) { return j == 4 ? -10.0 : 10.0; });
        add_temperature(input, "TSK", 280);
        add_mask(input, "LANDMASK", 1, 0);
    }
    void expect_refused(const std::string &part) {
        try {
            read(input);
            FAIL() << "accepted";
        } catch (const std::runtime_error &error) {
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        }
    }
};

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

/// As SurfaceOfInput, with what Noah wants besides.
class LandWaterOfInput : public SurfaceOfInput {
  protected:
    LandWaterOfInput() {
        config.physics.land = "noah";
        input.dimensions["soil_layers_stag"] = 4;
        input.variables["ZS"] = {{"soil_layers_stag"}, [](int, int, int k) {
                                     return std::array{0.05, 0.25, 0.7, 1.5}[static_cast<std::size_t>(k)];
                                 }};
        // Soil that is frozen in row 3.
        input.volume(
            "TSLB", [](int k, int j, int) { return j == 3 ? 268.0 : 290.0 + k; }, "soil_layers_stag");
        input.volume(
            "SMOIS", [](int k, int, int) { return 0.2 + 0.05 * k; }, "soil_layers_stag");
        input.plane("TMN", [](int, int, int) { return 285.0; });
        input.plane("ISLTYP", [](int, int, int i) { return i == 2 || i == 3 ? 14.0 : 6.0; });
        input.plane("VEGFRA", [](int, int, int) { return 60.0; });
        input.plane("SHDMIN", [](int, int, int) { return 10.0; });
        input.plane("SHDMAX", [](int, int, int) { return 80.0; });
        input.plane("SNOW", [](int, int j, int) { return j == 2 ? 40.0 : 0.0; });
        input.plane("SNOWH", [](int, int j, int) { return j == 2 ? 0.2 : 0.0; });
    }
};

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

TEST_F(LandWaterOfInput, WithoutSoilMoistureOrWithImpossibleSoilIsRefused) {
    input.plane("ISLTYP", [](int, int, int) { return 0.0; });
    expect_refused("ISLTYP 0 on land at 0-based (0, 0)");
    input.plane("ISLTYP", [](int, int, int) { return 6.0; });
    input.volume(
        "SMOIS", [](int, int, int) { return 7.0; }, "soil_layers_stag");
    expect_refused("a soil moisture SMOIS of 7 m3 m-3 on land");
    input.variables.erase("SMOIS");
    expect_refused("holds no soil moisture");
}

TEST_F(SurfaceOfInput, WithoutLandUseOrWithUnknownClassesIsRefused) {
    input.texts["MMINLU"] = "SIB";
    expect_refused("has land use of classes MMINLU = \"SIB\"");
    input.texts["MMINLU"] = "USGS";
    input.plane("LU_INDEX", [](int, int, int) { return 40.0; });
    expect_refused("LU_INDEX is 40");
    input.variables.erase("LU_INDEX");
    expect_refused("holds no land use (LU_INDEX)");
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
