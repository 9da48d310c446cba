// Radiation's parts against closed forms; against reference fluxes and WRF: squall lab verify radiation.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>

#include <gtest/gtest.h>

#include "physics/radiation/cloud_mask.hpp"
#include "physics/radiation/clouds.hpp"
#include "physics/radiation/longwave.hpp"
#include "physics/radiation/shortwave.hpp"
#include "physics/radiation/standard_air.hpp"
#include "physics/radiation/sun.hpp"
#include "physics/radiation/tables.hpp"
#include "physics/radiation/two_stream.hpp"
#include "radiation_case.hpp"

namespace squall::radiation {
namespace {

TEST(TwoStream, LosesNothingWithoutAbsorption) {
    for (const double depth : {1e-6, 1e-3, 0.1, 1.0, 10.0, 100.0})
        for (const double cosine : {0.01, 0.3, 0.5, 0.7, 1.0})
            for (const double asymmetry : {0.0, 0.5, 0.85}) {
                const LayerOfLight l = two_stream(0, real(depth), real(asymmetry), real(cosine));
                EXPECT_NEAR(double(l.reflected + l.transmitted), 1, 2e-5);
                EXPECT_NEAR(double(l.beam_reflected + l.beam_diffuse + l.beam), 1, 2e-4);
            }
}

TEST(TwoStream, ThickCloudReflectsAsTheKnownFormOfNoAbsorption) {
    const double asymmetry = 0.85,
                 depth = 20; // R = gamma tau / (1 + gamma tau), Meador and Weaver 1980, eq. 28
    const double gamma = 0.75 * (1 - asymmetry);
    EXPECT_NEAR(double(two_stream(0, real(depth), real(asymmetry), real(0.5)).reflected),
                gamma * depth / (1 + gamma * depth), 1e-5);
}

/// The same equations as they are printed, in double precision.
struct Printed {
    double reflected, transmitted, beam_reflected, beam_diffuse;
};
Printed as_printed(double depth, double albedo, double asymmetry, double cosine) {
    const double g1 = (8 - albedo * (5 + 3 * asymmetry)) / 4, g2 = 3 * albedo * (1 - asymmetry) / 4;
    const double g3 = (2 - 3 * cosine * asymmetry) / 4, g4 = 1 - g3;
    const double a1 = g1 * g4 + g2 * g3, a2 = g1 * g3 + g2 * g4, k = std::sqrt(g1 * g1 - g2 * g2);
    const double km = k * cosine, up = std::exp(k * depth), down = std::exp(-k * depth);
    const double beam = std::exp(-depth / cosine), common = (k + g1) * up + (k - g1) * down;
    const double of_beam = albedo / ((1 - km * km) * common);
    return {g2 * (up - down) / common, 2 * k / common,
            of_beam * ((1 - km) * (a2 + k * g3) * up - (1 + km) * (a2 - k * g3) * down -
                       2 * k * (g3 - a2 * cosine) * beam),
            -of_beam * ((1 + km) * (a1 + k * g4) * beam * up - (1 - km) * (a1 - k * g4) * beam * down -
                        2 * k * (g4 + a1 * cosine))};
}

TEST(TwoStream, InSinglePrecisionIsWhatItsPublicationPrints) {
    for (const double depth : {1e-6, 1e-4, 1e-2, 0.3, 3.0, 20.0})
        for (const double albedo : {1e-3, 0.5, 0.9, 0.999})
            for (const double asymmetry : {0.0, 0.4, 0.85})
                for (const double cosine : {0.05, 0.3, 0.55, 0.97}) {
                    const LayerOfLight l = two_stream(real(depth * (1 - albedo)), real(depth * albedo),
                                                      real(asymmetry), real(cosine));
                    const Printed p = as_printed(depth, albedo, asymmetry, cosine);
                    const double lost = 1 - std::exp(-depth / cosine), error = 1e-5 * std::min(lost, 0.3);
                    const double up = std::clamp(p.beam_reflected, 0.0, lost); // never more than there is
                    EXPECT_NEAR(double(l.reflected), p.reflected, error);
                    EXPECT_NEAR(double(l.transmitted), p.transmitted, 3e-6);
                    EXPECT_NEAR(double(l.beam_reflected), up, error)
                        << depth << ' ' << albedo << ' ' << asymmetry << ' ' << cosine;
                    EXPECT_NEAR(double(l.beam_diffuse), std::clamp(p.beam_diffuse, 0.0, lost - up), error)
                        << depth << ' ' << albedo << ' ' << asymmetry << ' ' << cosine;
                }
}

TEST(Attenuation, IsExactInThinLayersAndThickOnes) {
    for (double depth = 1e-12; depth < 200; depth *= 1.37)
        EXPECT_NEAR(double(lost_in(real(depth))) / -std::expm1(-double(real(depth))), 1, 2e-7) << depth;
    EXPECT_EQ(lost_in(real(0)), 0);
}

TEST(TwoStream, WithoutScatteringOnlyAbsorbs) {
    const LayerOfLight l = two_stream(real(0.7), 0, 0, real(0.6));
    EXPECT_EQ(l.reflected, 0);
    EXPECT_NEAR(l.transmitted, std::exp(-2 * 0.7), 2e-7); // diffusivity 2
    EXPECT_EQ(l.beam_reflected, 0);
    EXPECT_EQ(l.beam_diffuse, 0);
    EXPECT_NEAR(l.beam, std::exp(-0.7 / 0.6), 2e-7);
}

TEST(TwoStream, IsSmoothWhereItsDenominatorVanishes) {
    const double albedo = 0.6, cosine = 0.7; // find the asymmetry at which k mu = 1 lies within the range
    const auto k_mu = [&](double g) {
        const double g1 = (8 - albedo * (5 + 3 * g)) / 4, g2 = 3 * albedo * (1 - g) / 4;
        return std::sqrt((g1 - g2) * (g1 + g2)) * cosine;
    };
    double low = -1, high = 1;
    for (int n = 0; n < 60; ++n) (k_mu((low + high) / 2) > 1 ? low : high) = (low + high) / 2;
    const auto at = [&](double g) {
        return double(
            two_stream(real(0.5 * (1 - albedo)), real(0.5 * albedo), real(g), real(cosine)).beam_reflected);
    };
    EXPECT_NEAR(at(low), 0.5 * (at(low - 0.01) + at(low + 0.01)), 1e-4);
}

double covered(const CloudMask &mask, int layer) {
    double sum = 0;
    for (int g = 0; g < mask.points; ++g) sum += double(mask.row(layer)[g]);
    return sum / mask.points;
}

TEST(CloudMask, CoversWhatItShouldOverlappingMostWithinACloud) {
    Column c = plain_column(6, 280);
    for (const int k : {1, 2, 4}) c.layers[std::size_t(k)].cover = 0.4;
    const int points = 20000;
    CloudMask mask;
    set_cloud_mask(c, points, {17, 3, 0}, mask);
    for (const int k : {1, 2, 4}) EXPECT_NEAR(covered(mask, k), 0.4, 0.02);
    int same = 0, both = 0;
    for (int g = 0; g < points; ++g) {
        same += mask.row(1)[g] == mask.row(2)[g];
        both += mask.row(1)[g] > 0 && mask.row(4)[g] > 0;
    }
    EXPECT_EQ(same, points);
    EXPECT_NEAR(double(both) / points, 0.16, 0.01); // apart: at random
}

TEST(CloudMask, IsAFunctionOfPlaceAndTime) {
    Column c = plain_column(5, 280);
    for (Layer &layer : c.layers) layer.cover = 0.5;
    const auto drawn = [&](Seed seed) {
        CloudMask mask;
        set_cloud_mask(c, 128, seed, mask);
        return mask.cloudy;
    };
    EXPECT_EQ(drawn({5, 7, 0}), drawn({5, 7, 0}));
    EXPECT_NE(drawn({5, 7, 0}), drawn({6, 7, 0}));
    EXPECT_NE(drawn({5, 7, 0}), drawn({5, 8, 0}));
    EXPECT_NE(drawn({5, 7, 0}), drawn({5, 7, 1}));
}

TEST(Clouds, CoverALayerAsItIsMoistAndWet) {
    EXPECT_EQ(cloud_cover(0, 1.1, 0.01), 0);
    EXPECT_EQ(cloud_cover(1e-5, 1, 0.01), 1);
    EXPECT_NEAR(cloud_cover(1e-4, 0.8, 0.01), 0.1792, 2e-4); // equation 1 by hand
    EXPECT_GT(cloud_cover(2e-4, 0.8, 0.01), cloud_cover(1e-4, 0.8, 0.01));
    EXPECT_GT(cloud_cover(1e-4, 0.9, 0.01), cloud_cover(1e-4, 0.8, 0.01));
}

TEST(Clouds, AreOfSizesByTheirContent) {
    EXPECT_NEAR(drop_radius(3e-4, false), 9.64, 0.01); // by hand
    EXPECT_LT(drop_radius(3e-4, true), drop_radius(3e-4, false));
    EXPECT_NEAR(crystal_radius(5e-5, 243.15), 69.5, 0.1); // by hand
    EXPECT_GT(crystal_radius(1e-4, 253.15), crystal_radius(1e-6, 213.15));
    EXPECT_GE(crystal_radius(1e-9, 180), 5);
    EXPECT_GT(flake_radius(5e-4, 263.15), flake_radius(5e-5, 263.15));
}

TEST(StandardAir, HasTheTemperaturesOfItsPublication) {
    EXPECT_NEAR(standard_temperature(101325), 288.15, 1e-6);
    EXPECT_NEAR(standard_temperature(22632.06), 216.65, 1e-3);
    EXPECT_NEAR(standard_height(5474.889), 20000, 1);
    EXPECT_NEAR(standard_temperature(868.0187), 228.65, 1e-3);
    EXPECT_NEAR(standard_height(110.9063), 47000, 2);
}

TEST(StandardAir, AboveATopItJoinsAndEndsNearSpace) {
    Column c = plain_column(4, 230);
    c.layers[3].ratios[h2o] = real(1e-3);
    const int above = layers_above(c.pressure.back());
    c.resize(4 + above);
    add_air_above(c, 4);
    EXPECT_EQ(c.pressure.back(), 1);
    for (std::size_t k = 0; k < c.layers.size(); ++k) EXPECT_LT(c.pressure[k + 1], c.pressure[k]);
    EXPECT_NEAR(c.temperature[5], 230, 15);
    EXPECT_NEAR(c.layers.back().temperature, standard_temperature(c.layers.back().pressure), 1e-9);
    EXPECT_LE(c.layers[4].ratios[h2o], real(5e-6));
}

TEST(StandardAir, OzoneAddsUpToTheColumnOfItsPublication) {
    // Van Heuklon 1979, by hand: 235 + (150 + 40 sin 50.31 + 20 sin 90) sin^2 64 = 397.2 DU.
    const Season season{50, 10, 80};
    Column c = plain_column(30, 250);
    const int above = layers_above(c.pressure.back());
    c.resize(30 + above);
    add_air_above(c, 30);
    set_ozone(c, season, 0);
    double molecules = 0;
    for (std::size_t k = 0; k < c.layers.size(); ++k)
        molecules += double(c.layers[k].ratios[o3]) * (c.pressure[k] - c.pressure[k + 1]);
    molecules *= 6.02214076e23 * 1e-4 / 9.81 / 0.0289644;
    EXPECT_NEAR(molecules / 2.6868e16, 397.2, 0.5);
    EXPECT_NEAR(molecules, ozone_above(season, 1e5), 1e-3 * molecules);
}

TEST(StandardAir, WellMixedGasesFollowTheYear) {
    EXPECT_NEAR(double(well_mixed(2005)[co2]), 379.9e-6, 1e-9);
    EXPECT_NEAR(double(well_mixed(2012.5)[co2]), 394.25e-6, 1e-8);
    EXPECT_EQ(well_mixed(1950)[ch4], well_mixed(1980)[ch4]);
    EXPECT_EQ(well_mixed(2100)[n2o], well_mixed(2023)[n2o]);
}

TEST(Sun, StandsHighestAtNoonAndByTheSeason) {
    const double degree = std::numbers::pi / 180;
    EXPECT_NEAR(sun_at(171.5, false).declination, 23.44 * degree, 0.1 * degree);
    EXPECT_NEAR(sun_at(354.5, false).declination, -23.44 * degree, 0.1 * degree);
    const Sun noon = sun_at(171.5, false); // 21 June 12 UTC; the sun is 1.7 minutes late
    EXPECT_NEAR(noon.hour_at_zero, -1.7 / 4 * degree, 0.1 * degree);
    EXPECT_NEAR(noon.cosine(40, 0), std::cos((40 - 23.44) * degree), 2e-3);
    EXPECT_LT(noon.cosine(40, 180), 0);
    EXPECT_NEAR(sun_at(2, false).irradiance / sun_at(184, false).irradiance, 1.07, 0.005);
}

TEST(Tables, ThatAreMissingAreAskedForWithTheCommand) {
    try {
        Tables::read("/nowhere", Resolution::coarse);
        FAIL();
    } catch (const std::runtime_error &e) {
        EXPECT_NE(std::string(e.what()).find("squall fetch radiation"), std::string::npos);
        EXPECT_NE(std::string(e.what()).find("physics.radiation = \"broadband\""), std::string::npos);
        EXPECT_NE(std::string(e.what()).find("/nowhere/rrtmgp-gas-lw-g128.nc"), std::string::npos);
    }
}

TEST(Tables, ThatAreNoTablesAreRefusedByName) {
    const auto folder = std::filesystem::temp_directory_path() / "squall-no-tables";
    std::filesystem::create_directories(folder);
    for (const char *name :
         {"rrtmgp-gas-lw-g128.nc", "rrtmgp-gas-sw-g112.nc", "cloudysky_lw.nc", "cloudysky_sw.nc"})
        std::ofstream(folder / name) << "none";
    try {
        Tables::read(folder.string(), Resolution::coarse);
        FAIL();
    } catch (const std::runtime_error &e) {
        EXPECT_NE(std::string(e.what()).find("--anew"), std::string::npos) << e.what();
    }
    std::filesystem::remove_all(folder);
}

TEST_F(WithTables, ThermalRadianceOfAllBandsIsThatOfABlackBody) {
    const GasTables &t = tables_here()->longwave;
    std::vector<real> bands(t.bands.size());
    for (const double temperature : {200.0, 250.0, 300.0}) {
        set_planck(t, temperature, bands.data());
        double sum = 0;
        for (const real x : bands) sum += double(x);
        EXPECT_NEAR(std::numbers::pi * sum / (5.670374e-8 * std::pow(temperature, 4)), 1, 2e-3);
    }
}

TEST_F(WithTables, BlackCloudOverAnIsothermalColumnHasTheFluxOfItsTemperature) {
    Column c = plain_column(20, 280);
    c.ground.temperature = 280;
    for (Layer &layer : c.layers) layer.ratios[h2o] = real(5e-3);
    c.layers[1].cover = 1;
    c.layers[1].cloud[liquid] = {2000, 10};
    Longwave longwave(tables_here()->longwave, tables_here()->clouds_longwave);
    CloudMask mask;
    Fluxes fluxes;
    set_cloud_mask(c, tables_here()->longwave.points, {}, mask);
    solve(longwave, c, mask, fluxes);
    const double black = 5.670374e-8 * std::pow(280.0, 4);
    EXPECT_NEAR(fluxes.down[0], black, 0.004 * black);
    for (std::size_t k = 0; k <= 2; ++k) EXPECT_NEAR(fluxes.up[k], black, 0.004 * black);
}

TEST_F(WithTables, GreyCloudMayLeaveOutItsCrystals) {
    Longwave solver(tables_here()->longwave, tables_here()->clouds_longwave, LongwaveClouds::grey);
    Column c = plain_column(10, 250);
    c.ground.temperature = 300;
    Fluxes clear, icy, without;
    solve(solver, c, {}, clear);
    c.layers[5].cover = 1;
    c.layers[5].cloud[ice] = {20, 30};
    solve(solver, c, {}, icy);
    c.longwave_ice = false;
    solve(solver, c, {}, without);
    EXPECT_EQ(without.up, clear.up);
    // 20 g m-2 let through exp(-1.66 1.47) = 0.087 of what the ground has more than the layer.
    EXPECT_LT(icy.up.back(), 0.3 * 5.67e-8 * std::pow(300, 4) + 0.7 * 5.67e-8 * std::pow(250, 4));
    EXPECT_GT(clear.up.back(), icy.up.back() + 50);
    c.layers[5].cloud[snow] = {20, 30}; // flakes stay
    solve(solver, c, {}, without);
    EXPECT_LT(without.up.back(), clear.up.back());
}

TEST_F(WithTables, CloudShadesTheGroundAndReflects) {
    Column c = plain_column(20, 270);
    c.sun = {0.6, 1361};
    c.ground.albedo = 0.1;
    Shortwave shortwave(tables_here()->shortwave, tables_here()->clouds_shortwave);
    CloudMask mask;
    Fluxes clear, cloudy;
    set_cloud_mask(c, tables_here()->shortwave.points, {}, mask);
    solve(shortwave, c, mask, clear);
    c.layers[5].cover = 1;
    c.layers[5].cloud[liquid] = {100, 10};
    set_cloud_mask(c, tables_here()->shortwave.points, {}, mask);
    solve(shortwave, c, mask, cloudy);
    EXPECT_NEAR(clear.down.back(), 0.6 * 1361, 1e-2);
    EXPECT_GT(cloudy.up.back(), clear.up.back() + 150);
    EXPECT_LT(cloudy.down[0], 0.6 * clear.down[0]);
    EXPECT_LT(cloudy.direct[0], 0.01 * clear.direct[0]);
    // What does not come back is absorbed: never negative.
    for (std::size_t k = 0; k < c.layers.size(); ++k)
        EXPECT_GE(cloudy.down[k + 1] - cloudy.up[k + 1] - cloudy.down[k] + cloudy.up[k], -1e-3);
}

TEST_F(WithTables, NightHasNoSunlight) {
    Column c = plain_column(10, 270);
    c.sun = {-0.1, 1361};
    Shortwave shortwave(tables_here()->shortwave, tables_here()->clouds_shortwave);
    Fluxes fluxes;
    solve(shortwave, c, {}, fluxes);
    EXPECT_TRUE(std::ranges::all_of(fluxes.down, [](double x) { return x == 0; }));
    EXPECT_TRUE(std::ranges::all_of(fluxes.up, [](double x) { return x == 0; }));
}

} // namespace
} // namespace squall::radiation
