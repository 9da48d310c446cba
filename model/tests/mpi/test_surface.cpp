// Surface layers, land, YSU, MYNN and MYJ in the dynamics: the same bits on any ranks and tiles, and through
// a restart.
#include <cmath>

#include <gtest/gtest.h>
#include <mpi.h>

#include "../tracer_case.hpp"
#include "initial/initial.hpp"
#include "patch_of.hpp"
#include "physics/canopy_columns.hpp"
#include "physics/noah_mp/start.hpp"
#include "solver/solver.hpp"

namespace squall {
namespace {

/// `schemes`: of land, with its other options too, or "myj" and forms of "mynn-edmf": Noah under these on
/// their surface layers.
Config surface_case(const std::string &schemes = "slab") {
    const bool noah = schemes != "slab", leaves = schemes.starts_with("noah-mp");
    const std::string surface_layer = schemes == "myj" ? "eta" : noah ? "mynn" : "revised-mm5";
    const std::string boundary_layer = schemes == "noah" || leaves ? "mynn" : noah ? schemes : "ysu";
    Config c = test::tracer_case("", "surface_layer = \"" + surface_layer + "\"\nboundary_layer = \"" +
                                         boundary_layer + "\"\nsurface_temperature = \"303 K\"\n");
    c.physics.microphysics = "wsm6";
    c.physics.cumulus = noah ? "kain-fritsch" : "tiedtke";
    c.physics.land = leaves ? "noah-mp" : noah ? "noah" : "slab"; // under a sun of the test's own
    if (schemes == "noah-mp over groundwater")
        c.land = {"file", "leaf-area", "potential", "groundwater", "koren", "freezing"};
    if (schemes == "mynn-edmf") c.physics.eddy_variance = "balanced", c.physics.plume_turbulence = true;
    if (!noah) c.physics.terrain_wind = "jimenez-dudhia", c.physics.ocean = "mixed-layer";
    return c;
}

/// Soils and plants of all kinds, moist from the rain that has just fallen.
void set_land_water(InitialState &s, int i, int j, int place) {
    LandCover &cover = s.ground.cover;
    cover.vegetation(i, j) = real(place % 15);
    cover.soil(i, j) = real(1 + place % 12);
    cover.green(i, j) = real(0.5);
    cover.most_green(i, j) = real(0.8);
    cover.deep_temperature(i, j) = real(288);
    cover.snow_albedo(i, j) = real(0.7);
    LandWaterState &water = s.physics.surface.land_water;
    for (int k = 0; k < s.physics.surface.soil_layers; ++k)
        water.moisture(i, k, j) = water.liquid(i, k, j) = real(0.2) + real(0.01) * real(place % 7);
    water.snow_water(i, j) = place % 4 == 0 ? real(20) : real(0);
    water.precipitation(i, j) = real(1);
}

/// Leaves as warm as the ground, and layers of snow where there is some.
void set_canopy(InitialState &s, int i, int j, int place) {
    LandWaterState &water = s.physics.surface.land_water;
    noah_mp::Column c{};
    c.temperature.fill(300);
    c.moisture.fill(water.moisture(i, 0, j));
    c.snow.water = water.snow_water(i, j);
    c.snow.depth = c.snow.water / 100;
    noah_mp::begin(noah::soil(6), false, real(300), c);
    noah_mp::put(columns_of(s.physics.surface.canopy, i, j), 0, c);
    if (Array2 &area = s.physics.surface.canopy.leaf_area; area.bytes() > 0)
        area(i, j) = real(0.3 * (place % 7));
    water.snow_depth(i, j) = c.snow.depth;
}

/// Land, here and there under snow, in every third cell; the sun is out.
InitialState with_land(const Config &c, const Patch &patch) {
    InitialState s = make_initial_state(c, patch);
    SurfaceState &surface = s.physics.surface;
    surface.shortwave_net.fill(500);
    surface.shortwave_down.fill(650);
    surface.longwave_down.fill(380);
    if (surface.has_canopy()) {
        s.physics.radiation = RadiationState(patch.shape);
        s.physics.radiation.cosine.fill(real(0.8));
    }
    s.grid.f.fill(real(1e-4));
    for (int j = 0; j < patch.shape.ny; ++j)
        for (int i = 0; i < patch.shape.nx; ++i) {
            const int place = patch.x0 + i + 2 * (patch.y0 + j);
            for (int k = 0; k < surface.soil_layers; ++k) surface.soil_temperature(i, k, j) = real(300 - k);
            if (c.physics.terrain_wind != "none") {
                s.ground.terrain_wind.hills(i, j) = real(100 * (1 + place % 5));
                s.grid.terrain(i, j) = real(15 * (place % 4)); // which nothing else looks at
            }
            if (place % 3 != 0) continue;
            s.ground.land(i, j) = 1;
            s.ground.wetness(i, j) = real(0.3);
            s.ground.thermal_inertia(i, j) = real(0.04);
            s.ground.snow_cover(i, j) = place % 4 == 0 ? real(1) : real(0);
            surface.roughness(i, j) = real(0.1) * real(1 + place % 5);
            surface.skin_temperature(i, j) = real(300);
            if (surface.has_land_water()) set_land_water(s, i, j, place);
            if (surface.has_canopy()) set_canopy(s, i, j, place);
        }
    return s;
}

struct SurfaceRun {
    Config config;
    Patch patch;
    Solver dynamics;

    SurfaceRun(const Config &c, MPI_Comm comm, int steps)
        : config(c), patch(test::patch_of(c, comm)), dynamics(config, patch, comm, with_land(config, patch)) {
        for (int n = 0; n < steps; ++n) {
            dynamics.set_time(n * config.run.time_step);
            dynamics.step();
        }
    }
};

/// Points of `part` that are not those of `whole`, which computes all of the domain.
int different(const SurfaceRun &part, const SurfaceRun &whole) {
    int count = 0;
    const auto each = [&](auto same) {
        for (int j = 0; j < part.patch.shape.ny; ++j)
            for (int i = 0; i < part.patch.shape.nx; ++i)
                count += !same(i, j, i + part.patch.x0, j + part.patch.y0);
    };
    const auto volumes = [&](const Array3 &a, const Array3 &b, int nk) {
        for (int k = 0; k < nk; ++k)
            each([&](int i, int j, int x, int y) { return a(i, k, j) == b(x, k, y); });
    };
    const State &a = part.dynamics.state(), &b = whole.dynamics.state();
    volumes(a.u, b.u, part.patch.shape.nz);
    volumes(a.v, b.v, part.patch.shape.nz);
    volumes(a.theta, b.theta, part.patch.shape.nz);
    for (std::size_t n = 0; n < a.scalars.size(); ++n)
        volumes(a.scalars[n], b.scalars[n], part.patch.shape.nz);
    const SurfaceState &p = part.dynamics.physics().surface, &w = whole.dynamics.physics().surface;
    volumes(p.soil_temperature, w.soil_temperature, p.soil_layers);
    const ConvectionState &c = part.dynamics.physics().convection, &d = whole.dynamics.physics().convection;
    for (const auto member : {&ConvectionState::heating, &ConvectionState::vapour, &ConvectionState::u,
                              &ConvectionState::updraught})
        if ((c.*member).bytes() > 0) volumes(c.*member, d.*member, part.patch.shape.nz);
    if (p.has_land_water()) {
        for (const auto member :
             {&ConvectionState::remaining, &ConvectionState::rate, &ConvectionState::accumulated})
            each([&](int i, int j, int x, int y) { return (c.*member)(i, j) == (d.*member)(x, y); });
        volumes(p.land_water.moisture, w.land_water.moisture, p.soil_layers);
        volumes(p.land_water.liquid, w.land_water.liquid, p.soil_layers);
        if (p.has_canopy()) {
            for (const auto member : {&CanopyState::snow_temperature, &CanopyState::snow_liquid})
                volumes(p.canopy.*member, w.canopy.*member, CanopyState::snow_layers);
            for (const auto member :
                 {&CanopyState::leaf_temperature, &CanopyState::vapour_pressure, &CanopyState::snow_count})
                each([&](int i, int j, int x, int y) {
                    return (p.canopy.*member)(i, j) == (w.canopy.*member)(x, y);
                });
        }
        if (p.canopy.has_aquifer())
            for (const auto member : {&AquiferState::depth, &AquiferState::water})
                each([&](int i, int j, int x, int y) {
                    return (p.canopy.below.*member)(i, j) == (w.canopy.below.*member)(x, y);
                });
        for (const auto member : {&LandWaterState::snow_water, &LandWaterState::canopy_water,
                                  &LandWaterState::precipitation, &LandWaterState::surface_runoff})
            each([&](int i, int j, int x, int y) {
                return (p.land_water.*member)(i, j) == (w.land_water.*member)(x, y);
            });
    }
    if (p.has_ocean())
        for (const auto member : {&OceanState::depth, &OceanState::u_transport, &OceanState::v_transport})
            each([&](int i, int j, int x, int y) {
                return (p.ocean.*member)(i, j) == (w.ocean.*member)(x, y);
            });
    if (p.has_turbulence()) volumes(p.turbulence, w.turbulence, part.patch.shape.nz);
    if (p.has_eddies())
        for (const auto member :
             {&EddyState::variance, &EddyState::length, &EddyState::cover, &EddyState::cloud_water})
            volumes(p.eddies.*member, w.eddies.*member, part.patch.shape.nz);
    if (p.has_sublayer())
        for (const auto member :
             {&SublayerState::heat_conductance, &SublayerState::momentum_conductance, &SublayerState::u,
              &SublayerState::theta, &SublayerState::humidity, &SublayerState::bare_roughness})
            each([&](int i, int j, int x, int y) {
                return (p.sublayer.*member)(i, j) == (w.sublayer.*member)(x, y);
            });
    for (const auto member :
         {&SurfaceState::skin_temperature, &SurfaceState::sensible_heat, &SurfaceState::vapour_flux,
          &SurfaceState::friction_velocity, &SurfaceState::roughness, &SurfaceState::surface_vapour,
          &SurfaceState::boundary_layer_height, &SurfaceState::temperature_2m, &SurfaceState::wind_u_10m})
        each([&](int i, int j, int x, int y) { return (p.*member)(i, j) == (w.*member)(x, y); });
    return count;
}

class SurfaceInTheModelOn : public testing::TestWithParam<const char *> {};

TEST_P(SurfaceInTheModelOn, TheBitsDoNotDependOnRanksOrTiles) {
    Config c = surface_case(GetParam());
    const SurfaceRun whole(c, MPI_COMM_SELF, 8);
    EXPECT_EQ(different(SurfaceRun(c, MPI_COMM_WORLD, 8), whole), 0);
    c.parallel.tile_x = 5;
    c.parallel.tile_y = 3;
    EXPECT_EQ(different(SurfaceRun(c, MPI_COMM_WORLD, 8), whole), 0);
    EXPECT_NE(different(SurfaceRun(c, MPI_COMM_SELF, 7), whole), 0);
}

INSTANTIATE_TEST_SUITE_P(Land, SurfaceInTheModelOn,
                         testing::Values("slab", "noah", "noah-mp", "noah-mp over groundwater", "myj",
                                         "mynn-edmf", "mynn-edmf-advected"));

TEST(SurfaceInTheModel, RainGoesIntoTheSoilAndSnowMelts) {
    const SurfaceRun start(surface_case("noah"), MPI_COMM_SELF, 0),
        after(surface_case("noah"), MPI_COMM_SELF, 10);
    const auto water = [](const SurfaceRun &run) -> const LandWaterState & {
        return run.dynamics.physics().surface.land_water;
    };
    EXPECT_LT(water(after).precipitation(3, 0), real(0.5)); // land took what had fallen
    EXPECT_GT(water(after).canopy_water(3, 0), 0);
    EXPECT_LT(water(after).snow_water(12, 0), water(start).snow_water(12, 0));
    EXPECT_GT(after.dynamics.physics().surface.skin_temperature(3, 0), real(300));
    EXPECT_GT(after.dynamics.physics().surface.latent_heat(3, 0), 0);
}

TEST(SurfaceInTheModel, LeavesGiveOffVapourAndSnowInLayersMelts) {
    const SurfaceRun start(surface_case("noah-mp"), MPI_COMM_SELF, 0),
        after(surface_case("noah-mp"), MPI_COMM_SELF, 10);
    const auto surface = [](const SurfaceRun &run) -> const SurfaceState & {
        return run.dynamics.physics().surface;
    };
    EXPECT_EQ(surface(start).canopy.snow_count(12, 0), -2);              // 0.2 m
    EXPECT_LT(surface(after).land_water.snow_water(12, 0), real(20.95)); // 20 and the rain on it
    EXPECT_GT(surface(after).canopy.snow_liquid(12, 2, 0), real(1e-4));
    EXPECT_LE(surface(after).canopy.snow_temperature(12, 2, 0), real(273.161));
    EXPECT_NEAR(surface(after).canopy.leaf_temperature(3, 0), 299, 2);
    EXPECT_GT(surface(after).latent_heat(3, 0), 0);
    EXPECT_LT(surface(after).albedo(3, 0), real(0.3));
}

TEST(SurfaceInTheModel, TheSunWarmsBareLandAndNothingElse) {
    const SurfaceRun start(surface_case(), MPI_COMM_SELF, 0), after(surface_case(), MPI_COMM_SELF, 10);
    const auto skin = [](const SurfaceRun &run, int i, int j) {
        return run.dynamics.physics().surface.skin_temperature(i, j);
    };
    EXPECT_NEAR(skin(after, 1, 0), skin(start, 1, 0), 0.001); // sea, of which a layer of 50 m is mixed
    EXPECT_GT(skin(after, 3, 0), real(300.1));                // land
    EXPECT_EQ(skin(after, 12, 0), real(273.16));              // under snow, which does not melt
    EXPECT_GT(after.dynamics.physics().surface.sensible_heat(3, 0), 0);
}

TEST(SurfaceInTheModel, WindDrivesTheOcean) {
    const SurfaceRun start(surface_case(), MPI_COMM_SELF, 0), after(surface_case(), MPI_COMM_SELF, 10);
    const OceanState &first = start.dynamics.physics().surface.ocean,
                     &then = after.dynamics.physics().surface.ocean;
    EXPECT_EQ(first.depth(1, 0), 50);
    EXPECT_EQ(first.first_temperature(1, 0), 303);
    EXPECT_GT(std::hypot(then.u_transport(1, 0), then.v_transport(1, 0)), 1e-5);
    EXPECT_EQ(then.u_transport(3, 0), 0); // land
}

TEST(SurfaceInTheModel, WithoutFluxesOfHeatItOnlyBrakesTheWind) {
    Config c = surface_case();
    c.physics.land = c.physics.ocean = "none";
    c.physics.heat_fluxes = false;
    const SurfaceRun start(c, MPI_COMM_SELF, 0), after(c, MPI_COMM_SELF, 10);
    const SurfaceState &first = start.dynamics.physics().surface, &then = after.dynamics.physics().surface;
    for (const int i : {1, 3}) { // sea and land
        for (const auto flux :
             {&SurfaceState::sensible_heat, &SurfaceState::vapour_flux, &SurfaceState::latent_heat})
            EXPECT_EQ((then.*flux)(i, 0), 0);
        EXPECT_EQ(then.skin_temperature(i, 0), first.skin_temperature(i, 0));
        EXPECT_EQ(then.roughness(i, 0), first.roughness(i, 0));
        EXPECT_GT(then.friction_velocity(i, 0), 0);
    }
}

TEST(SurfaceInTheModel, WhatItDiagnosesIsThereFromTheStart) {
    const SurfaceRun start(surface_case(), MPI_COMM_SELF, 0);
    const SurfaceState &s = start.dynamics.physics().surface;
    EXPECT_GT(s.temperature_2m(4, 4), 280);
    EXPECT_GT(s.vapour_2m(4, 4), 0.005);
    EXPECT_GT(std::abs(s.wind_u_10m(4, 4)) + std::abs(s.wind_v_10m(4, 4)), 0);
}

} // namespace
} // namespace squall
