// Mountains and hills within cells as initial files hold them, and the drag on a patch whose grid is turned.
#include <filesystem>

#include <gtest/gtest.h>

#include "core/constants.hpp"
#include "fake_wrfinput.hpp"
#include "ground_case.hpp"
#include "initial/initial.hpp"
#include "physics/gravity_wave_drag.hpp"

namespace squall {
namespace {

using testing_support::FakeInput;

class MountainsOfInput : public testing::Test {
  protected:
    MountainsOfInput() {
        config.dynamics.coriolis = "file";
        config.physics.gravity_wave_drag = "kim-arakawa";
        const auto place = [](double base, double scale) {
            return [=](int, int j, int i) { return base + scale * (j + 0.1 * i); };
        };
        input.plane("VAR", place(100, 10));
        input.plane("CON", place(3, 0.1));
        for (int n = 1; n <= 4; ++n) {
            input.plane("OA" + std::to_string(n), place(0.1 * n, 0.01));
            input.plane("OL" + std::to_string(n), place(0.05 * n, 0.01));
        }
    }
    std::string path() const {
        const auto *test = testing::UnitTest::GetInstance()->current_test_info();
        return testing::TempDir() + "mountains_" + test->name();
    }
    void TearDown() override { std::filesystem::remove(path()); }
    InitialState read() {
        config.initial.file = input.write(path());
        return make_initial_state(config, make_patch(0, 1, 1, 6, 5, 4, {}));
    }
    std::string refusal() {
        try {
            read();
        } catch (const std::runtime_error &e) {
            return e.what();
        }
        return "";
    }

    Config config;
    FakeInput input;
};

TEST_F(MountainsOfInput, AreTheFilesStatisticsAndTheSizeOfItsCells) {
    input.plane("MAPFAC_MX", [](int, int, int) { return 1.5; });
    const InitialState s = read();
    const SubgridOrography &o = s.ground.orography;
    EXPECT_EQ(o.deviation(2, 3), real(132));
    EXPECT_EQ(o.convexity(2, 3), real(3.32));
    EXPECT_EQ(o.asymmetry[3](0, 1), real(0.41));
    EXPECT_EQ(o.length[2](0, 1), real(0.16));
    EXPECT_NEAR(o.spacing(4, 4), std::sqrt(2000 * 3000 / 1.5), 0.1);
}

TEST_F(MountainsOfInput, ThatAreMissingAreNamedWithWhatToDo) {
    input.variables.erase("CON");
    input.variables.erase("OL3");
    const std::string said = refusal();
    for (const char *part : {"does not hold CON, OL3", "physics.gravity_wave_drag", "squall prepare",
                             "real.exe", "gravity_wave_drag = \"none\""})
        EXPECT_NE(said.find(part), std::string::npos) << said;
    config.physics.gravity_wave_drag = "none";
    EXPECT_EQ(read().ground.orography.deviation.bytes(), 0u);
}

TEST_F(MountainsOfInput, ThatCannotBeAreRefused) {
    input.plane("OA2", [](int, int j, int i) { return j == 1 && i == 2 ? 7.0 : 0.0; });
    EXPECT_NE(refusal().find("OA2"), std::string::npos);
}

/// What the wind along the file's x meets, with the grid's y `sina`, `cosa` from north.
TEST_F(MountainsOfInput, LieOnTheEarthHoweverTheGridIsTurned) {
    const auto along = [&](double u, double v, double sina, double cosa) {
        const auto is = [](double x) { return [=](int, int, int) { return x; }; };
        input.plane("SINALPHA", is(sina)), input.plane("COSALPHA", is(cosa));
        for (const char *name : {"MAPFAC_MX", "MAPFAC_MY"}) input.plane(name, is(1));
        for (const char *name : {"OL1", "OA1", "OA2", "OA3", "OA4"}) input.plane(name, is(0.2));
        input.plane("OL2", is(0.9));
        input.volume("U", is(u), "bottom_top", "south_north", "west_east_stag");
        input.volume("V", is(v), "bottom_top", "south_north_stag", "west_east");
        InitialState s = read();
        GravityWaveDrag drag(config, s.scalars, 4);
        Array3 none(Shape{6, 5, 4});
        drag.advance({0, 6, 0, 5, 0, 4}, GridView(s.grid), s.state, none.view(), none.view(),
                     s.ground.orography, s.physics.gravity_waves);
        return std::array<double, 2>{s.physics.gravity_waves.stress_u(3, 2),
                                     s.physics.gravity_waves.stress_v(3, 2)};
    };
    const auto straight = along(8, 0, 0, 1), northward = along(0, 8, 0, 1);
    EXPECT_GT(straight[0], 1.5 * northward[1]); // across the ridge, which runs from south to north
    EXPECT_GT(northward[1], 0);
    EXPECT_EQ(straight[1], 0);
    // Of a grid whose y points to the west, u is the northward wind, and v that from the east.
    const auto turned = along(8, 0, 1, 0);
    EXPECT_NEAR(turned[0] / northward[1], 1, 1e-5);
    EXPECT_NEAR(turned[1], 0, 1e-6);
    const auto westerly = along(0, -8, 1, 0);
    EXPECT_NEAR(-westerly[1] / straight[0], 1, 1e-5);
}

class HillsOfInput : public testing_support::SurfaceOfInput {};

TEST_F(HillsOfInput, AreThoseOfTheSchemeAndNamedWhereTheyLack) {
    config.physics.terrain_wind = "jimenez-dudhia";
    expect_refused("does not hold VAR_SSO, the subgrid orography that physics.terrain_wind = "
                   "\"jimenez-dudhia\" needs");
    config.physics.terrain_wind = "mass-ovens";
    expect_refused("does not hold VAR, ");
    input.plane("VAR_SSO", [](int, int j, int i) { return 100.0 * j + i; });
    input.plane("VAR", [](int, int j, int i) { return 10.0 * j + i; });
    EXPECT_EQ(read(input).ground.terrain_wind.hills(4, 3), real(34));
    config.physics.terrain_wind = "jimenez-dudhia";
    EXPECT_EQ(read(input).ground.terrain_wind.hills(4, 3), real(304));
    input.plane("VAR_SSO", [](int, int, int) { return -1.0; });
    expect_refused("VAR_SSO");
}

} // namespace
} // namespace squall
