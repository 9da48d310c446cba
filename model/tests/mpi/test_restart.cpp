// Frames of restarts, on several ranks: what they keep, to the last bit, whatever the decomposition.
#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "output/restart.hpp"
#include "output_test.hpp"
#include "physics/declared_state.hpp"

namespace squall {
namespace {

class RestartFrames : public test::OutputTest {};

TEST_F(RestartFrames, ARestartGivesTheSameBitsOnAnyDecomposition) {
    {
        auto c = make_case();
        io::Session session(MPI_COMM_WORLD);
        Restart restart(session, test::output_stream("restart"), c.config, c.patch, c.grid,
                        {largest_patch(c.patch)});
        restart.write(600, 100, {{&c.config, &c.patch, &c.state, &c.physics, &c.grid}});
    }
    for (const auto &[px, py] : {std::array{1, 1}, std::array{2, 1}, std::array{1, 3}, std::array{2, 2}}) {
        auto c = test::output_case(rank % (px * py), px, py, directory.string());
        const auto read = read_restart(file("restart_2000-02-28_12:10:00.nc"), c.config, c.patch, c.grid);
        EXPECT_EQ(read.step, 100);
        EXPECT_EQ(read.seconds, 600);
        int wrong = 0;
        for (int j = 0; j < c.patch.shape.ny; ++j)
            for (int i = 0; i < c.patch.shape.nx; ++i) {
                wrong += read.state.mu(i, j) != c.state.mu(i, j);
                for (auto a : {&State::u, &State::v, &State::w, &State::theta, &State::ph})
                    for (int k = 0; k < c.patch.shape.nz; ++k)
                        wrong += (read.state.*a)(i, k, j) != (c.state.*a)(i, k, j);
                wrong += read.state.w(i, test::out_nz, j) != c.state.w(i, test::out_nz, j);
            }
        if (c.patch.at_east())
            wrong += read.state.u(c.patch.shape.nx, 1, 0) != c.state.u(c.patch.shape.nx, 1, 0);
        if (c.patch.at_north())
            wrong += read.state.v(0, 1, c.patch.shape.ny) != c.state.v(0, 1, c.patch.shape.ny);
        EXPECT_EQ(wrong, 0) << px << " x " << py;
    }
}

TEST_F(RestartFrames, ARestartKeepsTheWaterOfLandToTheLastBit) {
    const auto with_land = [](test::OutputCase c) {
        c.config.physics.surface_layer = "revised-mm5";
        c.config.physics.boundary_layer = "ysu";
        c.config.physics.land = "noah-mp";
        c.config.land.leaf_area = "file", c.config.land.runoff = "groundwater";
        c.config.physics.cumulus = "tiedtke";
        c.physics.convection = convection_state_of(c.config, c.patch.shape);
        c.config.physics.radiation = "rrtmgp";
        c.physics.radiation = RadiationState(c.patch.shape);
        SurfaceState &s = c.physics.surface = surface_state_of(c.config, c.patch.shape);
        LandWaterState &w = s.land_water;
        int n = 60;
        CanopyState &leaves = s.canopy;
        for (Array2 *a : {&w.canopy_water,
                          &w.snow_water,
                          &w.snow_depth,
                          &w.snow_cover,
                          &w.snow_age,
                          &w.precipitation,
                          &w.frozen_precipitation,
                          &w.ground_heat,
                          &w.surface_runoff,
                          &w.drainage,
                          &c.physics.radiation.shortwave_down,
                          &leaves.snow_count,
                          &leaves.leaf_temperature,
                          &leaves.ground_temperature,
                          &leaves.vapour_pressure,
                          &leaves.liquid,
                          &leaves.ice,
                          &leaves.snow_albedo,
                          &leaves.snowfall,
                          &leaves.leaf_area,
                          &leaves.below.depth,
                          &leaves.below.water,
                          &leaves.below.water_above})
            test::fill(*a, ++n, c.patch);
        ConvectionState &v = c.physics.convection;
        for (Array3 *a : {&s.soil_temperature, &w.moisture, &w.liquid, &leaves.snow_temperature,
                          &leaves.snow_ice, &leaves.snow_liquid, &leaves.snow_thickness, &v.heating,
                          &v.vapour, &v.snow, &v.updraught, &v.u, &v.v})
            test::fill(*a, ++n, c.patch);
        for (Array2 *a : {&v.remaining, &v.rate, &v.accumulated}) test::fill(*a, ++n, c.patch);
        return c;
    };
    {
        auto c = with_land(make_case("wsm6"));
        io::Session session(MPI_COMM_WORLD);
        Restart restart(session, test::output_stream("restart"), c.config, c.patch, c.grid,
                        {largest_patch(c.patch)});
        restart.write(600, 100, {{&c.config, &c.patch, &c.state, &c.physics, &c.grid}});
    }
    const auto path = file("restart_2000-02-28_12:10:00.nc");
    for (const auto &[px, py] : {std::array{1, 1}, std::array{2, 2}}) {
        auto c = with_land(test::output_case(rank % (px * py), px, py, directory.string(), "wsm6"));
        const auto read = read_restart(path, c.config, c.patch, c.grid);
        const LandWaterState &was = c.physics.surface.land_water, &is = read.physics.surface.land_water;
        int wrong = 0;
        for (int j = 0; j < c.patch.shape.ny; ++j)
            for (int i = 0; i < c.patch.shape.nx; ++i) {
                for (const auto a :
                     {&LandWaterState::canopy_water, &LandWaterState::snow_water, &LandWaterState::snow_depth,
                      &LandWaterState::snow_cover, &LandWaterState::snow_age, &LandWaterState::precipitation,
                      &LandWaterState::frozen_precipitation, &LandWaterState::ground_heat,
                      &LandWaterState::surface_runoff, &LandWaterState::drainage})
                    wrong += (is.*a)(i, j) != (was.*a)(i, j);
                const CanopyState &leaves = c.physics.surface.canopy, &kept = read.physics.surface.canopy;
                for (const auto a : {&CanopyState::snow_count, &CanopyState::leaf_temperature,
                                     &CanopyState::ground_temperature, &CanopyState::vapour_pressure,
                                     &CanopyState::liquid, &CanopyState::ice, &CanopyState::snow_albedo,
                                     &CanopyState::snowfall, &CanopyState::leaf_area})
                    wrong += (kept.*a)(i, j) != (leaves.*a)(i, j);
                for (const auto a : {&AquiferState::depth, &AquiferState::water, &AquiferState::water_above})
                    wrong += (kept.below.*a)(i, j) != (leaves.below.*a)(i, j);
                for (const auto a : {&CanopyState::snow_temperature, &CanopyState::snow_ice,
                                     &CanopyState::snow_liquid, &CanopyState::snow_thickness})
                    for (int k = 0; k < CanopyState::snow_layers; ++k)
                        wrong += (kept.*a)(i, k, j) != (leaves.*a)(i, k, j);
                const ConvectionState &v = c.physics.convection, &u = read.physics.convection;
                for (const auto a :
                     {&ConvectionState::remaining, &ConvectionState::rate, &ConvectionState::accumulated})
                    wrong += (u.*a)(i, j) != (v.*a)(i, j);
                for (const auto a :
                     {&ConvectionState::heating, &ConvectionState::vapour, &ConvectionState::snow,
                      &ConvectionState::updraught, &ConvectionState::u, &ConvectionState::v})
                    wrong += (u.*a)(i, 1, j) != (v.*a)(i, 1, j);
                wrong +=
                    read.physics.surface.shortwave_down(i, j) != c.physics.radiation.shortwave_down(i, j);
                for (int k = 0; k < 4; ++k)
                    wrong += is.moisture(i, k, j) != was.moisture(i, k, j) ||
                             is.liquid(i, k, j) != was.liquid(i, k, j);
            }
        EXPECT_EQ(wrong, 0) << px << " x " << py;
        c.config.physics.land = "slab";
        EXPECT_THROW(read_restart(path, c.config, c.patch, c.grid), io::Error);
    }
}

TEST_F(RestartFrames, ARestartKeepsTheSurfaceToTheLastBit) {
    const auto with_surface = [](test::OutputCase c) {
        c.config.physics.surface_layer = "revised-mm5";
        c.config.physics.boundary_layer = "ysu";
        c.config.physics.land = "slab";
        c.config.physics.radiation = "rrtmgp";
        c.config.physics.ocean = "mixed-layer";
        c.physics.radiation = RadiationState(c.patch.shape);
        SurfaceState &s = c.physics.surface = surface_state_of(c.config, c.patch.shape);
        int n = 40;
        OceanState &o = s.ocean;
        for (Array2 *a : {&o.first_temperature, &o.depth, &o.u_transport, &o.v_transport})
            test::fill(*a, ++n, c.patch);
        for (Array2 *a : {&s.skin_temperature, &s.friction_velocity, &s.roughness, &s.temperature_scale,
                          &s.surface_vapour, &s.longwave_down, &s.latent_heat})
            test::fill(*a, ++n, c.patch);
        test::fill(s.soil_temperature, ++n, c.patch);
        c.physics.radiation.longwave_down.copy_from(s.longwave_down);
        return c;
    };
    {
        auto c = with_surface(make_case("wsm6"));
        io::Session session(MPI_COMM_WORLD);
        Restart restart(session, test::output_stream("restart"), c.config, c.patch, c.grid,
                        {largest_patch(c.patch)});
        restart.write(600, 100, {{&c.config, &c.patch, &c.state, &c.physics, &c.grid}});
    }
    const auto path = file("restart_2000-02-28_12:10:00.nc");
    for (const auto &[px, py] : {std::array{1, 1}, std::array{2, 2}}) {
        auto c = with_surface(test::output_case(rank % (px * py), px, py, directory.string(), "wsm6"));
        const SurfaceState &was = c.physics.surface;
        const auto read = read_restart(path, c.config, c.patch, c.grid);
        const SurfaceState &is = read.physics.surface;
        ASSERT_EQ(is.soil_layers, 5);
        int wrong = 0;
        for (int j = 0; j < c.patch.shape.ny; ++j)
            for (int i = 0; i < c.patch.shape.nx; ++i) {
                for (const auto a : {&SurfaceState::skin_temperature, &SurfaceState::friction_velocity,
                                     &SurfaceState::roughness, &SurfaceState::temperature_scale,
                                     &SurfaceState::surface_vapour, &SurfaceState::longwave_down,
                                     &SurfaceState::latent_heat})
                    wrong += (is.*a)(i, j) != (was.*a)(i, j);
                for (const auto a : {&OceanState::first_temperature, &OceanState::depth,
                                     &OceanState::u_transport, &OceanState::v_transport})
                    wrong += (is.ocean.*a)(i, j) != (was.ocean.*a)(i, j);
                for (int k = 0; k < 5; ++k)
                    wrong += is.soil_temperature(i, k, j) != was.soil_temperature(i, k, j);
            }
        EXPECT_EQ(wrong, 0) << px << " x " << py;
        c.config.physics.land = "none";
        EXPECT_THROW(read_restart(path, c.config, c.patch, c.grid), io::Error); // it holds soil
    }
}

TEST_F(RestartFrames, ARestartKeepsTurbulenceAndSublayerAndIsRefusedWhereTheyAreMissing) {
    constexpr std::array carried{&SublayerState::heat_conductance,
                                 &SublayerState::momentum_conductance,
                                 &SublayerState::u,
                                 &SublayerState::v,
                                 &SublayerState::theta,
                                 &SublayerState::humidity,
                                 &SublayerState::bare_roughness};
    constexpr std::array of_eddies{&EddyState::variance, &EddyState::length, &EddyState::cover,
                                   &EddyState::cloud_water, &EddyState::cloud_ice};
    const auto with_surface = [&](test::OutputCase c, const char *surface_layer, const char *mixing) {
        c.config.physics.surface_layer = surface_layer;
        c.config.physics.boundary_layer = mixing;
        SurfaceState &s = c.physics.surface = surface_state_of(c.config, c.patch.shape);
        int n = 60;
        if (s.has_sublayer())
            for (const auto member : carried) test::fill(s.sublayer.*member, ++n, c.patch);
        if (s.has_turbulence()) test::fill(s.turbulence, ++n, c.patch);
        if (s.has_eddies())
            for (const auto member : of_eddies) test::fill(s.eddies.*member, ++n, c.patch);
        return c;
    };
    const auto path = file("restart_2000-02-28_12:10:00.nc");
    const auto write = [&](const char *surface_layer, const char *mixing) {
        auto c = with_surface(make_case("wsm6"), surface_layer, mixing);
        io::Session session(MPI_COMM_WORLD);
        Restart restart(session, test::output_stream("restart"), c.config, c.patch, c.grid,
                        {largest_patch(c.patch)});
        restart.write(600, 100, {{&c.config, &c.patch, &c.state, &c.physics, &c.grid}});
    };
    write("eta", "myj");
    for (const auto &[px, py] : {std::array{1, 1}, std::array{2, 2}}) {
        auto c = with_surface(test::output_case(rank % (px * py), px, py, directory.string(), "wsm6"), "eta",
                              "myj");
        const auto read = read_restart(path, c.config, c.patch, c.grid);
        int wrong = 0;
        for (const auto member : carried)
            for (int j = 0; j < c.patch.shape.ny; ++j)
                for (int i = 0; i < c.patch.shape.nx; ++i)
                    wrong += (read.physics.surface.sublayer.*member)(i, j) !=
                             (c.physics.surface.sublayer.*member)(i, j);
        for (int k = 0; k < c.patch.shape.nz; ++k)
            for (int j = 0; j < c.patch.shape.ny; ++j)
                for (int i = 0; i < c.patch.shape.nx; ++i)
                    wrong +=
                        read.physics.surface.turbulence(i, k, j) != c.physics.surface.turbulence(i, k, j);
        EXPECT_EQ(wrong, 0) << px << " x " << py;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    write("eta", "mynn-edmf");
    {
        auto c = with_surface(make_case("wsm6"), "eta", "mynn-edmf");
        const auto read = read_restart(path, c.config, c.patch, c.grid);
        int wrong = 0;
        for (const auto member : of_eddies)
            for (int k = 0; k < c.patch.shape.nz; ++k)
                for (int j = 0; j < c.patch.shape.ny; ++j)
                    for (int i = 0; i < c.patch.shape.nx; ++i)
                        wrong += (read.physics.surface.eddies.*member)(i, k, j) !=
                                 (c.physics.surface.eddies.*member)(i, k, j);
        EXPECT_EQ(wrong, 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    write("eta", "myj");
    {
        auto c = with_surface(make_case("wsm6"), "eta", "mynn-edmf");
        EXPECT_THROW(read_restart(path, c.config, c.patch, c.grid), io::Error) << "no variance of water";
    }
    for (const auto &[surface_layer, mixing] : {std::array{"eta", "ysu"}, {"revised-mm5", "myj"}}) {
        MPI_Barrier(MPI_COMM_WORLD);
        write(surface_layer, mixing);
        auto c = with_surface(make_case("wsm6"), "eta", "myj");
        EXPECT_THROW(read_restart(path, c.config, c.patch, c.grid), io::Error) << mixing;
    }
}

TEST_F(RestartFrames, ARestartKeepsWaterAndWhatPhysicsKeepsToTheLastBit) {
    {
        auto c = make_case("wsm6");
        io::Session session(MPI_COMM_WORLD);
        Restart restart(session, test::output_stream("restart"), c.config, c.patch, c.grid,
                        {largest_patch(c.patch)});
        restart.write(600, 100, {{&c.config, &c.patch, &c.state, &c.physics, &c.grid}});
    }
    const auto path = file("restart_2000-02-28_12:10:00.nc");
    for (const auto &[px, py] : {std::array{1, 1}, std::array{2, 2}}) {
        auto c = test::output_case(rank % (px * py), px, py, directory.string(), "wsm6");
        const auto read = read_restart(path, c.config, c.patch, c.grid);
        ASSERT_EQ(read.state.scalars.size(), 6u);
        int wrong = 0;
        for (int j = 0; j < c.patch.shape.ny; ++j)
            for (int i = 0; i < c.patch.shape.nx; ++i) {
                for (auto a : {&PhysicsState::rain, &PhysicsState::snow, &PhysicsState::graupel})
                    wrong += (read.physics.*a)(i, j) != (c.physics.*a)(i, j);
                for (int k = 0; k < c.patch.shape.nz; ++k) {
                    wrong += read.physics.heating(i, k, j) != c.physics.heating(i, k, j);
                    wrong += read.state.theta(i, k, j) != c.state.theta(i, k, j);
                    for (std::size_t n = 0; n < 6; ++n)
                        wrong += read.state.scalars[n](i, k, j) != c.state.scalars[n](i, k, j);
                }
            }
        EXPECT_EQ(wrong, 0) << px << " x " << py;
    }
    const auto refusal = [&](auto change) -> std::string {
        auto other = make_case("wsm6");
        change(other.config);
        try {
            read_restart(path, other.config, other.patch, other.grid);
        } catch (const io::Error &e) {
            return e.what();
        }
        return "accepted";
    };
    EXPECT_NE(
        refusal([](Config &o) {
            o.physics.microphysics = "kessler";
        }).find("QVAPOR QCLOUD QRAIN QICE QSNOW QGRAUP, but those of the run file are QVAPOR QCLOUD QRAIN"),
        std::string::npos);
    EXPECT_NE(refusal([](Config &o) { o.dynamics.moist_theta = false; }).find("of moist air"),
              std::string::npos);
}

TEST_F(RestartFrames, ARestartOfAnotherDomainIsRefused) {
    auto c = make_case();
    io::Session session(MPI_COMM_WORLD);
    Restart restart(session, test::output_stream("restart"), c.config, c.patch, c.grid,
                    {largest_patch(c.patch)});
    restart.write(600, 100, {{&c.config, &c.patch, &c.state, &c.physics, &c.grid}});
    const auto refusal = [&](const test::OutputCase &other) -> std::string {
        try {
            read_restart(file("restart_2000-02-28_12:10:00.nc"), other.config, other.patch, other.grid);
        } catch (const io::Error &e) {
            return e.what();
        }
        return "accepted";
    };
    const auto changed = [&](auto change) {
        auto other = make_case();
        change(other);
        return refusal(other);
    };
    const auto has = [](const std::string &text, const char *part) {
        return text.find(part) != std::string::npos;
    };
    EXPECT_EQ(changed([](auto &) {}), "accepted");
    EXPECT_TRUE(has(changed([](auto &o) { o.patch.nx_domain = 14; }),
                    "west_east = 13, but the run file asks for 14"));
    EXPECT_EQ(changed([](auto &o) { o.config.run.time_step = 12; }), "accepted");
    EXPECT_TRUE(has(changed([](auto &o) { o.grid.dx = 1; }), "grid spacing west-east [m] is 2000"));
    EXPECT_TRUE(
        has(changed([](auto &o) { o.config.run.start = "2000-02-28"; }), "started at 2000-02-28T12:00:00"));
    EXPECT_TRUE(has(changed([](auto &o) { o.grid.vertical.znw[1] = real(0.91); }), "eta levels"));
}

} // namespace
} // namespace squall
