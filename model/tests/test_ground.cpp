// What boundary layers lie on, and tracers that initial files hold.
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
