#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <mpi.h>

#include "drive/world.hpp"
#include "runfile/read.hpp"
#include "tracers/linoz.hpp"
#include "tracers/releases.hpp"
#include "tracers/settling.hpp"
#include "tracers/sinks.hpp"
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

TEST(Sources, WhatHasNoEffectOrNoSourceIsRefused) {
    EXPECT_THROW(settings_of("scale = 0\n"), ConfigError);
    EXPECT_THROW(settings_of("scale = 0\nlifetime = \"1 d\"\n"), ConfigError);
    EXPECT_THROW(settings_of("emission = \"1 kg m-2 s-1\"\nemission_surface = \"land\"\n"), ConfigError);
    EXPECT_THROW(settings_of("washout = \"1e-4 s-1\"\n"), ConfigError);
    EXPECT_THROW(settings_of("emission_file = \"nowhere.nc\"\n"), ConfigError);
    const std::string release = "[tracer.q.release.a]\nmass = \"1 kg\"\nduration = \"1 h\"\n";
    EXPECT_THROW(settings_of(release), ConfigError); // nowhere
    EXPECT_THROW(settings_of(release + "longitude = [1, 2]\nlatitude = [1]\n"), ConfigError);
    EXPECT_THROW(settings_of(release + "region = [0, 10, 20, 10]\n"), ConfigError);
    EXPECT_NO_THROW(settings_of(release + "region = [0, 10, 10, 20]\n"));
}

/// 1e9 kg in 4 of the 12 steps of 2 h.
Settings releasing(const std::string &where) {
    return settings_of("scale = 0\n[tracer.q.release.a]\nmass = \"1e9 kg\"\nstart = \"4 h\"\nduration = "
                       "\"8 h\"\n" +
                       where);
}

TEST(Releases, BringTheirMassFromPointsLinesAndAreas) {
    for (const char *where :
         {"longitude = [15]\nlatitude = [40]\nbottom = \"3 km\"\ntop = \"3 km\"\n",
          "longitude = [-20, 150, 160]\nlatitude = [-60, 40, 90]\ntop = \"90 km\"\n",
          "region = [300, 420, -90, 30]\nbottom = \"2 km\"\ntop = \"5 km\"\nprofile = [1, 0, 5]\n",
          "region = [-180, 180, -90, 90]\n"}) {
        const Settings settings = releasing(where);
        EXPECT_EQ(mass_after(settings, 2), 0) << where;
        EXPECT_NEAR(mass_after(settings, 4) / 1e9, 0.5, 1e-12) << where;
        EXPECT_NEAR(mass_after(settings, 7) / 1e9, 1, 1e-12) << where;
    }
}

TEST(Releases, FollowTheirProfile) {
    Settings settings =
        releasing("longitude = [187.5]\nlatitude = [7.5]\nbottom = \"3000 m\"\ntop = \"6000 m\"\n"
                  "profile = [1, 3]\n");
    World world(settings, MPI_COMM_SELF);
    const ColumnAir air(world.block(), world.weather(), world.where(), 6);
    Block block = world.block();
    const Release release(settings.tracers[0].sources.releases[0], world.where());
    release.apply({block, world.where(), world.weather(), air, Scheme::second_order, 0, 6}, 4 * 3600.0,
                  8 * 3600.0);
    // layers of 1500 m or so, by height, with the top at 25494.4 Pa
    EXPECT_EQ(block.row(1, 1, 6)[12], 0);
    EXPECT_NEAR(block.row(1, 2, 6)[12] / 1e9, 0.25, 1e-3);
    EXPECT_NEAR(block.row(1, 3, 6)[12] / 1e9, 0.75, 1e-3);
    EXPECT_EQ(block.row(1, 2, 6)[11], 0);
}

TEST(Settling, StokesVelocitiesAreThoseOfTextbooks) {
    // Seinfeld and Pandis (2006), figure 9.6 and table 9.5: slip 1.164 for 1 micrometre, 2.85 for 0.1, at 298
    // K and 1 atm; 10 micrometres of 1 g/cm3 sink with 0.3 cm/s
    const double mu = 1.8e-5;
    const auto slip = [&](double d) {
        return settling_velocity(d, 1000, 298, 101325) / (d * d * 1000 * gravity / (18 * mu));
    };
    EXPECT_NEAR(slip(1e-6), 1.164, 0.03);
    EXPECT_NEAR(slip(1e-7), 2.85, 0.1);
    EXPECT_NEAR(settling_velocity(1e-5, 1000, 298, 101325), 3.0e-3, 0.1e-3);
    EXPECT_NEAR(settling_velocity(1e-5, 2500, 298, 101325) / settling_velocity(1e-5, 1000, 298, 101325), 2.5,
                1e-12);
}

/// A column of air at rest, 8 layers, in which a cloud sinks: its mean height, and its mass.
struct Cloud {
    double height = 0, mass = 0, least = 1e300;
};
Cloud cloud_after(int count, double length, bool positive) {
    const Settings settings = settings_of(
        "shape = \"dcmip-1-2\"\nparticle_diameter = \"3e-5 m\"\nparticle_density = \"2000 kg m-3\"\n");
    World world(settings, MPI_COMM_SELF);
    Block block = world.block();
    const ColumnAir air(block, world.weather(), world.where(), 3);
    const Settling settling(settings.tracers[0].sources, positive);
    for (int n = 0; n < count; ++n)
        settling.apply({block, world.where(), world.weather(), air, Scheme::second_order, 0, 3}, 0, length);
    Cloud cloud;
    for (int k = 0; k < 8; ++k) {
        const double mass = block.row(1, k, 3)[5];
        // the middle of the mass, by the slope within the layer
        cloud.height += mass * air.middle(5, k) + block.row(4, k, 3)[5] * air.thickness(5, k) / 6;
        cloud.mass += mass;
        cloud.least = std::min(cloud.least, mass);
    }
    cloud.height /= cloud.mass;
    return cloud;
}

TEST(Settling, ACloudSinksByItsVelocityAndReachesTheGround) {
    const Cloud before = cloud_after(0, 600, false), after = cloud_after(20, 600, false);
    const double velocity = settling_velocity(3e-5, 2000, 300, 7e4); // 5 cm/s: 640 m in 12000 s
    EXPECT_NEAR((before.height - after.height) / (velocity * 12000), 1, 0.01);
    EXPECT_NEAR(after.mass / before.mass, 1, 2e-3); // hardly any is on the ground yet
    EXPECT_GE(cloud_after(20, 600, true).least, 0);
    const Cloud parts = cloud_after(1, 1e5, true); // many layers in one call, which is divided
    EXPECT_LT(parts.mass / before.mass, 0.05);
    EXPECT_GE(parts.least, 0);
}

Settings with_weather(const std::string &tracer) {
    return settings_of(tracer + "[weather]\nkind = \"zonal\"\n");
}

TEST(Washout, RainRemovesByItsRateBelowCloudsAndInThem) {
    const Settings settings =
        with_weather("washout = \"1e-4 s-1\"\nrainout = \"5e-4 s-1\"\nwashout_exponent = 0.8\n");
    World world(settings, MPI_COMM_SELF);
    Weather weather = world.weather();
    std::ranges::fill(weather.rain, 3.0 / 3600);                                // 3 mm/h
    for (int i = 0; i < 24; ++i) weather.humidity[weather.cell(i, 3, 2)] = 0.1; // a cloud in layer 3
    Block block = world.block();
    const ColumnAir air(block, weather, world.where(), 2);
    const Washout washout(settings.tracers[0].sources);
    for (int n = 0; n < 3; ++n)
        washout.apply({block, world.where(), weather, air, Scheme::second_order, 0, 2}, 0, 1200);
    const auto left = [&](int k) { return block.row(1, k, 2)[4] / block.row(0, k, 2)[4]; };
    EXPECT_NEAR(left(1), std::exp(-1e-4 * std::pow(3, 0.8) * 3600), 1e-12);
    EXPECT_NEAR(left(3), std::exp(-5e-4 * std::pow(3, 0.8) * 3600), 1e-12);
    EXPECT_NEAR(left(4), 1, 1e-12); // above the cloud
}

TEST(Deposition, LandAndSeaHaveVelocitiesOfTheirOwn) {
    const Settings settings =
        with_weather("deposition_velocity = \"0.02 m/s\"\ndeposition_velocity_sea = \"0.001 m/s\"\n");
    World world(settings, MPI_COMM_SELF);
    Weather weather = world.weather();
    set_zonal_weather(world.where(), 0, weather);
    Block block = world.block();
    const ColumnAir air(block, weather, world.where(), 5);
    DryDeposition(settings.tracers[0].sources)
        .apply({block, world.where(), weather, air, Scheme::second_order, 0, 5}, 0, 3600);
    const auto left = [&](int i) { return block.row(1, 0, 5)[i] / block.row(0, 0, 5)[i]; };
    EXPECT_NEAR(left(3), std::exp(-0.02 * 3600 / air.thickness(3, 0)), 1e-12);
    EXPECT_NEAR(left(20), std::exp(-0.001 * 3600 / air.thickness(20, 0)), 1e-12);
}

TEST(Linoz, TheBalanceIsThatOfTheLinearEquation) {
    const LinozPoint p{5e-6, 220, 150, 2e-13, -1e-7, -3e-15, -1e-15};
    const LinozBalance b = balance_of(p, 230, 180);
    // there, production and loss are equal
    EXPECT_NEAR(p.production + p.by_ozone * (b.ozone - p.ozone) + p.by_temperature * 10 + p.by_column * 30, 0,
                1e-25);
    EXPECT_NEAR(b.lifetime, 1e7, 1e-3);
}

} // namespace
} // namespace squall::transport
