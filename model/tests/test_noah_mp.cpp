// Noah-MP on single columns. What it does on WRF's columns: `squall lab verify columns-wrf`.
#include <cmath>

#include <gtest/gtest.h>

#include "noah_mp_case.hpp"
#include "physics/noah_mp/ground_heat.hpp"
#include "physics/noah_mp/leaves.hpp"
#include "physics/noah_mp/saturation.hpp"
#include "physics/noah_mp/snow.hpp"
#include "physics/noah_mp/snow_layers.hpp"
#include "physics/noah_mp/stomata.hpp"
#include "physics/noah_mp/sunlight.hpp"

namespace squall {
namespace {

using namespace noah_mp;
using test::NoahMpCase;
using test::place;
using test::SurfaceCase;
using test::usgs_city, test::usgs_forest, test::usgs_grassland;

Air weather(double temperature, double sunlight, double rain, double dt = 600) {
    Air a{};
    a.dt = real(dt);
    a.temperature = real(temperature);
    a.pressure = 98000, a.surface_pressure = 98300;
    a.humidity = real(0.6) * specific_humidity(saturation(a.temperature).pressure, a.pressure);
    a.vapour_pressure = a.humidity * a.pressure / (real(0.622) + real(0.378) * a.humidity);
    a.density = (a.pressure - real(0.378) * a.vapour_pressure) / (noah_mp::gas_constant * a.temperature);
    a.wind = 4, a.height = 25;
    a.sunlight = real(sunlight), a.cosine = sunlight > 0 ? real(0.5) : real(0);
    a.longwave = real(5e-8) * a.temperature * a.temperature * a.temperature * a.temperature;
    a.snow = real(rain) * frozen_share(a.temperature);
    a.rain = real(rain) - a.snow;
    a.snow_density = fresh_snow_density(a.temperature);
    return a;
}

Column land(double temperature, double snow_water = 0, double snow_depth = 0) {
    Column c{};
    c.temperature.fill(real(temperature));
    c.moisture.fill(real(0.3));
    c.snow.water = real(snow_water), c.snow.depth = real(snow_depth);
    begin(noah::soil(6), false, real(temperature), c);
    return c;
}

/// All that [land] lets choose, chosen otherwise than by default.
LandOptions others() {
    return {LandOptions::Cover::leaf_area, LandOptions::Snowfall::freezing, LandOptions::Stress::potential,
            true, true};
}

/// [kg m-2]
double water_of(const Column &c) {
    double sum =
        double(c.snow.water) + double(c.canopy_liquid) + double(c.canopy_ice) + double(c.below.aquifer);
    for (std::size_t k = 0; k < 4; ++k) sum += 1000 * double(noah::thickness[k]) * double(c.moisture[k]);
    return sum;
}

/// Of what a step did [kg m-2 s-1].
double lost_water(const Fluxes &f) { return double(f.vapour) + double(f.runoff) + double(f.drainage); }

struct Weather {
    const char *name;
    int row;
    double temperature, sunlight, rain, snow_water, snow_depth;
    bool by_default = true;

    Site site() const {
        Site s = place(row);
        if (by_default) return s;
        s.options = others();
        s.leaf_area = 2;
        return s;
    }
};

class NoahMpColumn : public testing::TestWithParam<Weather> {};

TEST_P(NoahMpColumn, NeitherLosesNorMakesWater) {
    const Weather &w = GetParam();
    Column c = land(w.temperature, w.snow_water, w.snow_depth);
    const double before = water_of(c);
    double in = 0, out = 0;
    for (int n = 0; n < 144; ++n) {
        const Air a = weather(w.temperature + (n > 72 ? 3 : 0), n % 48 < 24 ? w.sunlight : 0, w.rain);
        const Fluxes f = advance_land(w.site(), a, false, c);
        in += 600 * (double(a.rain) + double(a.snow));
        out += 600 * lost_water(f);
    }
    EXPECT_NEAR(water_of(c) - before, in - out, 0.02)
        << "of " << before << " kg m-2, in " << in << ", out " << out;
    EXPECT_GT(std::abs(out), 0.05);
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_LE(c.moisture[k], real(0.4501)) << k; // full
        EXPECT_GE(c.liquid[k], 0);
    }
}

TEST_P(NoahMpColumn, SpendsTheEnergyThatItGets) {
    const Weather &w = GetParam();
    Column c = land(w.temperature, w.snow_water, w.snow_depth);
    for (int n = 0; n < 48; ++n) {
        const Air a = weather(w.temperature, n < 24 ? w.sunlight : 0, w.rain);
        const Fluxes f = advance_land(w.site(), a, false, c);
        const double left = double(f.sunlight) + double(f.rain_heat) - double(f.longwave) -
                            double(f.sensible) - double(f.latent) - double(f.ground) - double(f.storage);
        ASSERT_NEAR(left, 0, 0.01) << "step " << n; // as WRF demands of it
        const double reflected = f.albedo >= 0 ? double(f.albedo) * w.sunlight : 0;
        ASSERT_NEAR(double(f.sunlight) + reflected, double(a.sunlight), 0.01);
    }
}

INSTANTIATE_TEST_SUITE_P(In, NoahMpColumn,
                         testing::Values(Weather{"sun", usgs_grassland, 295, 700, 0, 0, 0},
                                         Weather{"rain", usgs_forest, 290, 200, 1e-3, 0, 0},
                                         Weather{"snowfall", usgs_forest, 268, 200, 4e-4, 0, 0},
                                         Weather{"melting", usgs_grassland, 275, 400, 1e-4, 60, 0.3},
                                         Weather{"city", usgs_city, 290, 500, 5e-4, 0, 0},
                                         Weather{"frost", usgs_grassland, 260, 100, 0, 100, 0.6},
                                         Weather{"groundwater", usgs_forest, 295, 500, 5e-4, 0, 0, false},
                                         Weather{"frozen_over_groundwater", usgs_grassland, 271, 200, 3e-4,
                                                 30, 0.2, false}),
                         [](const auto &test) { return std::string(test.param.name); });

TEST(NoahMpSnowfall, IsAllOrNothingBesideAThreshold) {
    using enum LandOptions::Snowfall;
    for (const auto &[rule, below] : {std::pair{bats, 275.36}, {freezing, 273.16}}) {
        EXPECT_EQ(frozen_share(real(below - 0.01), rule), 1);
        EXPECT_EQ(frozen_share(real(below + 0.01), rule), 0);
    }
    EXPECT_NEAR(frozen_share(real(274.66), jordan), 0.7, 1e-4);
}

TEST(NoahMpHeat, StaysInTheGroundButForWhatCrossesItsEnds) {
    const Site site = place(usgs_grassland);
    Column c = land(290);
    c.temperature = {real(295), real(288), real(286), real(285)};
    GroundLayers g = layers_of(site, c);
    const auto heat = [&] {
        double sum = 0;
        for (std::size_t k = 0; k < g.count; ++k)
            sum += double(g.thickness[k]) * double(g.capacity[k]) * double(g.temperature[k]);
        return sum;
    };
    const double before = heat();
    const real bottom = conduct(g, real(100), 0, real(284), 600);
    EXPECT_NEAR((heat() - before) / 600, 100 + double(bottom), 1.5); // of 1.5e9 J m-2 in single precision
    EXPECT_GT(g.temperature[0], real(295));
}

TEST(NoahMpSnow, BeginsWithLayersByItsDepth) {
    struct Expected {
        double depth;
        std::vector<double> layers;
    };
    for (const Expected &e : std::vector<Expected>{{0.02, {}},
                                                   {0.04, {0.04}},
                                                   {0.08, {0.04, 0.04}},
                                                   {0.2, {0.05, 0.15}},
                                                   {0.4, {0.05, 0.175, 0.175}},
                                                   {0.6, {0.05, 0.2, 0.35}}}) {
        const Snow s = layered_snow(real(200 * e.depth), real(e.depth), 260);
        ASSERT_EQ(s.count, e.layers.size()) << e.depth;
        for (std::size_t k = 0; k < s.count; ++k) {
            EXPECT_NEAR(s.layer[k].thickness, e.layers[k], 1e-6);
            EXPECT_NEAR(s.layer[k].ice, 200 * e.layers[k], 1e-4);
        }
    }
}

TEST(NoahMpSnow, LayersJoinAndPartWithTheirMassAndHeat) {
    Snow s = layered_snow(90, real(0.45), 260);
    s.layer[1].temperature = 265, s.layer[2].temperature = 270;
    s.layer[0].thickness = real(0.02); // too thin to stay
    const auto heat = [](const Snow &of) {
        double sum = 0;
        for (std::size_t k = 0; k < of.count; ++k)
            sum += double(of.layer[k].ice) * double(of.layer[k].temperature);
        return sum;
    };
    const double before = heat(s);
    real soil_ice = 0;
    EXPECT_EQ(join_layers(rules_of_land, s, soil_ice), 0);
    EXPECT_EQ(s.count, 2u);
    EXPECT_NEAR(heat(s), before, 0.05);
    part_layers(rules_of_land, s);
    EXPECT_EQ(s.count, 3u);
    sum_layers(s);
    EXPECT_NEAR(s.water, 90, 1e-4);
    EXPECT_NEAR(s.layer[0].thickness, 0.05, 1e-6);
    EXPECT_NEAR(heat(s), before, 0.05);
    EXPECT_EQ(soil_ice, 0);
}

TEST(NoahMpSnow, AWinterGathersThreeLayersAndSpringTakesThem) {
    Column c = land(268);
    for (int n = 0; n < 288; ++n) advance_land(place(usgs_grassland), weather(266, 0, 3e-4), false, c);
    ASSERT_EQ(c.snow.count, 3u);
    EXPECT_NEAR(c.snow.water, 288 * 600 * 3e-4, 8); // but for what evaporates
    EXPECT_NEAR(c.snow.layer[0].thickness, 0.05, 0.01);
    EXPECT_GT(c.snow.depth, real(0.3));
    EXPECT_GT(c.ground, real(250));
    EXPECT_LT(c.temperature[0], real(273.16));
    for (int n = 0; n < 1440; ++n) {
        const Fluxes f = advance_land(place(usgs_grassland), weather(281, 300, 0), false, c);
        for (std::size_t k = 0; k < c.snow.count; ++k)
            ASSERT_TRUE(c.snow.layer[k].ice <= 0 || c.snow.layer[k].temperature < real(273.161)) << n;
        ASSERT_GE(f.snow_cover, 0);
    }
    EXPECT_EQ(c.snow.water, 0);
    EXPECT_EQ(c.snow.count, 0u);
    EXPECT_GT(c.temperature[0], real(275));
}

TEST(NoahMpGlacier, KeepsItsIceAndAccountsForItsSnow) {
    Column c{};
    c.temperature.fill(265);
    c.snow.water = 100, c.snow.depth = real(0.5);
    begin(noah::soil(16), true, 268, c);
    EXPECT_EQ(c.temperature[0], real(263.15));
    EXPECT_EQ(c.snow.depth, real(1));
    EXPECT_EQ(c.liquid[0], 0);
    const double before = double(c.snow.water);
    double in = 0, out = 0;
    for (int n = 0; n < 144; ++n) {
        const Air a = weather(n < 72 ? 260 : 278, 300, 1e-4);
        const Fluxes f = advance_glacier(place(23), a, false, c);
        ASSERT_LE(c.ground, real(273.16));
        ASSERT_NEAR(double(f.sunlight) - double(f.longwave) - double(f.sensible) - double(f.latent) -
                        double(f.ground),
                    0, 0.01);
        in += 600e-4;
        out += 600 * lost_water(f);
    }
    EXPECT_NEAR(double(c.snow.water) - before, in - out, 0.02);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(c.moisture[k], 1);
}

TEST(NoahMpLeaves, AreThoseOfTheMonthAndOutOfTheSnow) {
    EXPECT_NEAR(leaves_of(place(usgs_grassland, 6.5 / 12), 0, 290).leaf, 3.5, 1e-3);  // the middle of July
    EXPECT_NEAR(leaves_of(place(usgs_grassland, 6.0 / 12), 0, 290).leaf, 3.25, 1e-3); // June and July
    EXPECT_NEAR(leaves_of(place(usgs_grassland, 0), 0, 290).leaf, 0.4, 1e-3);         // December and January
    EXPECT_EQ(leaves_of(place(usgs_city), 0, 290).area(), 0);
    const Leaves buried = leaves_of(place(usgs_grassland), real(0.5), 290);
    EXPECT_EQ(buried.area(), 0);
    EXPECT_EQ(buried.cover, 0);
    const Leaves trees = leaves_of(place(usgs_forest), real(0.5), 290);
    EXPECT_GT(trees.area(), 4);
    EXPECT_EQ(trees.cover, real(0.8));
}

/// As WRF 4.7.1's PHENOLOGY with dveg = 8.
TEST(NoahMpLeaves, OfAFileHaveStemsAndCoverByTheirArea) {
    struct Expected {
        double told, leaf, stem, cover;
    };
    Site site = place(usgs_forest);
    site.options.cover = LandOptions::Cover::leaf_area;
    for (const Expected &e : std::vector<Expected>{{0.04, 0, 0, 0},
                                                   {0.3, 0.3, 0.05, 0.166398644},
                                                   {2, 2, 0.2, 0.681457639},
                                                   {5, 5, 0.5, 0.942731261}}) {
        site.leaf_area = real(e.told);
        const Leaves l = leaves_of(site, 0, 290);
        EXPECT_NEAR(l.leaf, e.leaf, 1e-6);
        EXPECT_NEAR(l.stem, e.stem, 1e-6);
        EXPECT_NEAR(l.cover, e.cover, 1e-6);
    }
    site.options.cover = LandOptions::Cover::season;
    site.green = real(0.3);
    EXPECT_EQ(leaves_of(site, 0, 290).cover, real(0.3));
    site.green = 0;
    EXPECT_EQ(leaves_of(site, 0, 290).cover, real(0.05));
    EXPECT_EQ(leaves_of(place(usgs_city), 0, 290).cover, 0);
}

TEST(NoahMpLeaves, OpenInTheLightAndWithWater) {
    const Vegetation grass = vegetation(usgs_grassland);
    const real within = saturation(295).pressure;
    const auto resistance = [&](double light, double moist) {
        return stomatal_resistance(
            grass, {real(light), 295, within, real(0.7) * within, 295, 98000, real(moist), 20, true});
    };
    EXPECT_NEAR(resistance(0, 1), 98000 / (8.314 * 295) * 1e6 / 2000, 5); // shut
    EXPECT_LT(resistance(100, 1), 350);
    EXPECT_GT(resistance(100, 0.2), 2 * resistance(100, 1));
    EXPECT_GT(resistance(10, 1), resistance(100, 1));
}

TEST(NoahMpLeaves, LetLessLightDownWhereTheyAreMore) {
    Column c = land(290);
    const Air a = weather(290, 800, 0);
    const auto light = [&](int row, double year) {
        const Site s = place(row, year);
        return sunlight(leaves_of(s, 0, 290), s, a, 0, 0, 0, c);
    };
    const Sunlight summer = light(usgs_grassland, 6.5 / 12), winter = light(usgs_grassland, 0.5 / 12),
                   bare = light(usgs_city, 0.5);
    for (const Sunlight &s : {summer, winter, bare})
        EXPECT_NEAR(s.leaves + s.ground + s.reflected, 800, 0.01);
    EXPECT_GT(summer.leaves, winter.leaves);
    EXPECT_LT(summer.ground, winter.ground);
    EXPECT_EQ(bare.leaves, 0);
    EXPECT_NEAR(bare.reflected, 800 * (0.5 * 0.09 + 0.5 * 0.18), 0.1); // moist soil
    EXPECT_NEAR(summer.lit_area + summer.shaded_area, 3.5, 0.02);
}

TEST(NoahMpSnowAlbedo, AgesAndIsRenewed) {
    EXPECT_NEAR(aged_snow_albedo(real(0.8), 0, 3600), 0.55 + 0.25 * std::exp(-0.01), 1e-6);
    EXPECT_NEAR(aged_snow_albedo(real(0.6), real(1e-3), 1000), 0.84, 1e-6); // 1 kg m-2 hides what was there
}

TEST(NoahMp, FindsItsOwnValuesAtTwoMetres) {
    NoahMpCase c;
    c.advance(30);
    const real found = c.at(SurfaceCase::t2);
    EXPECT_GT(found, real(295));
    set_2m_values(c.surface());
    EXPECT_EQ(c.at(SurfaceCase::t2), found);
    EXPECT_LE(c.at(SurfaceCase::q2), real(1.05) * c.air.field(SurfaceCase::q)(0, 0));
    EXPECT_GT(c.at(SurfaceCase::latent), 50);
    EXPECT_NEAR(c.of_land(NoahMpCase::emissivity_now), 0.99, 0.02);
}

TEST(NoahMp, ASouthernJulyIsANorthernJanuary) {
    NoahMpCase july, south, january;
    south.set_canopy(NoahMpCase::latitude, -45);
    january.year = real(0.04);
    for (NoahMpCase *c : {&july, &south, &january}) c->advance(30);
    EXPECT_NEAR(south.at(SurfaceCase::latent), january.at(SurfaceCase::latent), 1e-2);
    EXPECT_NEAR(south.at(SurfaceCase::skin), january.at(SurfaceCase::skin), 1e-4);
    EXPECT_GT(july.of_land(NoahMpCase::emissivity_now),
              january.of_land(NoahMpCase::emissivity_now) + real(0.005));
}

TEST(NoahMp, LeavesWaterAloneAndTheIceOfTheSeaToNoah) {
    NoahMpCase c;
    c.set(SurfaceCase::land, 0);
    c.advance();
    EXPECT_EQ(c.at(SurfaceCase::skin), real(300));
    EXPECT_EQ(c.of_canopy(NoahMpCase::leaf), real(300));
    NoahMpCase sea;
    test::NoahCase as_noah;
    for (test::NoahCase *of : {static_cast<test::NoahCase *>(&sea), &as_noah}) {
        of->set_land(NoahMpCase::vegetation, 23);
        of->set_land(NoahMpCase::ice, static_cast<double>(noah::Ice::sea));
        of->set(SurfaceCase::skin, 268);
    }
    sea.advance(5);
    as_noah.advance(5);
    EXPECT_EQ(sea.at(SurfaceCase::skin), as_noah.at(SurfaceCase::skin));
    EXPECT_EQ(sea.at(SurfaceCase::heat), as_noah.at(SurfaceCase::heat));
}

TEST(NoahMp, AColumnDoesNotDependOnItsNeighbours) {
    NoahMpCase one, many(32);
    for (int i = 0; i < 32; ++i)
        if (i != 17) {
            const auto n = static_cast<std::size_t>(i);
            many.rows[SurfaceCase::skin][n] = real(260 + i);
            many.land_water[NoahMpCase::vegetation][n] = real(i % 27);
            many.land_water[NoahMpCase::snow_water][n] = real(50 * (i % 3));
            many.land_water[NoahMpCase::snow_depth][n] = real(0.3 * (i % 3));
        }
    many.begin();
    one.advance(3);
    many.advance(3);
    EXPECT_EQ(one.at(SurfaceCase::skin), many.at(SurfaceCase::skin, 17));
    EXPECT_EQ(one.at(SurfaceCase::vapour), many.at(SurfaceCase::vapour, 17));
    EXPECT_EQ(one.of_canopy(NoahMpCase::leaf), many.of_canopy(NoahMpCase::leaf, 17));
    EXPECT_EQ(many.of_canopy(NoahMpCase::snow_count, 20), real(-3));
    for (int k = 0; k < 4; ++k) {
        EXPECT_EQ(one.soil.field(0)(0, k), many.soil.field(0)(17, k));
        EXPECT_EQ(one.water.field(NoahMpCase::moisture)(0, k), many.water.field(NoahMpCase::moisture)(17, k));
    }
}

} // namespace
} // namespace squall
