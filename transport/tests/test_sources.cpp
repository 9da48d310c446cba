#include <cmath>

#include <gtest/gtest.h>
#include <mpi.h>

#include "drive/world.hpp"
#include "runfile/read.hpp"
#include "tracers/state.hpp"

namespace squall::transport {
namespace {

constexpr int steps = 12;
constexpr double step = 7200;

Settings settings_of(const std::string &tracer, const std::string &flow = "solid-body") {
    return parse_settings(R"([run]
duration = "4 d"
time_step = "2 h"
[grid]
nlon = 24
nlat = 12
[vertical]
nz = 8
[wind]
flow = ")" + flow + "\"\n[tracer.q]\n" +
                              tracer,
                          "test.toml", {});
}

double mass_after(const Settings &settings, int count) {
    World world(settings, MPI_COMM_WORLD);
    for (int n = 0; n < count; ++n) world.advance();
    return total_mass(world.block(), 1, MPI_COMM_WORLD);
}

TEST(Sources, ADecayingTracerFallsByItsLifetime) {
    const Settings settings = settings_of("lifetime = \"5.517 d\"\n", "dcmip-1-1");
    const double expected = std::exp(-steps * step / (5.517 * 86400));
    EXPECT_NEAR(mass_after(settings, steps) / mass_after(settings, 0), expected, 1e-13);
}

TEST(Sources, ABandEmitsWhatItsAreaDoes) {
    const Settings settings =
        settings_of("scale = 0\nemission = \"1e-9 kg m-2 s-1\"\nemission_south = -60\nemission_north = 70\n",
                    "dcmip-1-1");
    const double area = 2 * pi * radius * radius * (std::sin(70 * pi / 180) + std::sin(60 * pi / 180));
    EXPECT_NEAR(mass_after(settings, steps) / (1e-9 * area * steps * step), 1, 1e-12);
}

TEST(Sources, AnEruptionBringsItsMassInItsTime) {
    const std::string eruption =
        "scale = 0\neruption_mass = \"1.5e10 kg\"\neruption_longitude = -239.65\n"
        "eruption_latitude = 15.1\neruption_bottom = \"4 km\"\neruption_top = \"9 km\"\n"
        "eruption_start = \"3 h\"\neruption_duration = \"5 h\"\n";
    const Settings settings = settings_of(eruption);
    EXPECT_EQ(mass_after(settings, 1), 0);
    EXPECT_NEAR(mass_after(settings, 2) / 1.5e10, 0.2, 1e-12);
    EXPECT_NEAR(mass_after(settings, 4) / 1.5e10, 1, 1e-12);
    EXPECT_NEAR(mass_after(settings, steps) / 1.5e10, 1, 1e-12);
}

TEST(Sources, DepositionTakesFromTheLowestLayer) {
    const Settings settings = settings_of("deposition_velocity = \"0.01 m/s\"\n");
    // without vertical wind: an eighth of 12 km is the lowest layer's thickness, by height
    World world(settings, MPI_COMM_WORLD);
    for (int n = 0; n < steps; ++n) world.advance();
    const double thickness = height_of(world.where().levels().a[1]);
    const double low = world.block().row(1, 0, 0)[0] / world.block().row(0, 0, 0)[0],
                 high = world.block().row(1, 1, 0)[0] / world.block().row(0, 1, 0)[0];
    EXPECT_NEAR(low, std::exp(-0.01 * steps * step / thickness), 1e-12);
    EXPECT_NEAR(high, 1, 1e-12);
}

TEST(Sources, TheClockIsTheTimeSinceTheLowestLayer) {
    const Settings settings = settings_of("clock = true\n");
    World world(settings, MPI_COMM_WORLD);
    for (int n = 0; n < steps; ++n) world.advance();
    EXPECT_NEAR(world.block().row(1, 3, 1)[2] / world.block().row(0, 3, 1)[2], steps * step, 1e-7);
    EXPECT_EQ(world.block().row(1, 0, 1)[2], 0);
}

TEST(Sources, WhatCannotBeIsRefused) {
    EXPECT_THROW(settings_of("amount = \"mole\"\nemission = \"1 kg m-2 s-1\"\n"), ConfigError);
    EXPECT_THROW(settings_of("eruption_mass = \"1 kg\"\neruption_top = \"1 km\"\n"), ConfigError);
    EXPECT_THROW(settings_of("emission_north = -90\n"), ConfigError);
}

} // namespace
} // namespace squall::transport
