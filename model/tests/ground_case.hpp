/// What an initial file says of the ground, to be spoilt at will, and how it is read.
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "fake_wrfinput.hpp"
#include "initial/initial.hpp"

namespace squall::testing_support {

class GroundOfInput : public testing::Test {
  protected:
    std::string path() const {
        std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
        std::ranges::replace(name, '/', '_'); // of a test with a parameter
        return testing::TempDir() + "ground_" + name;
    }
    void TearDown() override { std::filesystem::remove(path()); }

    Config config = [] {
        Config c;
        c.dynamics.coriolis = "file";
        c.physics.boundary_layer = "bulk";
        c.physics.land_wetness = 0.25;
        return c;
    }();

    InitialState read(const FakeInput &input, const Patch &patch = make_patch(0, 1, 1, 6, 5, 4, {})) {
        config.initial.file = input.write(path());
        return make_initial_state(config, patch);
    }
    /// Land in the west of column 3, its number there and that of water.
    static void add_mask(FakeInput &input, const std::string &name, double land, double water) {
        input.plane(name, [=](int, int, int i) { return i < 3 ? land : water; });
    }
    static void add_temperature(FakeInput &input, const std::string &name, double base) {
        input.plane(name, [=](int, int j, int i) { return base + j + 0.5 * i; });
    }
};

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
    /// What the file is refused with; "" where it is not.
    std::string refusal(const Patch &patch = make_patch(0, 1, 1, 6, 5, 4, {})) {
        try {
            read(input, patch);
        } catch (const std::runtime_error &error) {
            return error.what();
        }
        return "";
    }
    void expect_refused(const std::string &part, const Patch &patch = make_patch(0, 1, 1, 6, 5, 4, {})) {
        EXPECT_NE(refusal(patch).find(part), std::string::npos) << refusal(patch);
    }
};

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

} // namespace squall::testing_support
