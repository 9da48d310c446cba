// The surface layer of the Eta model. What it does on WRF's columns: `squall lab verify columns-wrf`.
#include <cmath>

#include <gtest/gtest.h>

#include "physics/eta/similarity.hpp"
#include "surface_case.hpp"

namespace squall {
namespace {

using S = test::SurfaceCase;

void exchange(S &c, int times = 1) {
    const auto scheme = surface_layer_scheme("eta").make();
    c.sublayer = true;
    for (int n = 0; n < times; ++n) scheme->exchange(c.surface());
}

/// As warm and as moist as the ground.
S neutral() {
    S c;
    c.set(S::surface_vapour, c.air.field(S::q)(0, 0));
    c.set(S::skin, c.air.field(S::theta)(0, 0));
    return c;
}

S sea(double wind, double skin) {
    S c;
    c.set(S::land, 0);
    c.set(S::availability, 1);
    c.set(S::skin, skin);
    c.set_all(S::u, 0, wind);
    c.set_all(S::v, 0, 0);
    return c;
}

TEST(EtaSimilarity, ProfilesAreThoseOfThePapers) {
    EXPECT_EQ(eta::psi_momentum(0), 0);
    EXPECT_NEAR(eta::psi_heat(1), 0.7 + 0.75 * 5.65 * std::exp(-0.35), 1e-5);
    EXPECT_NEAR(eta::psi_momentum(real(1e-3)), 5.2e-3, 2e-5);
    EXPECT_NEAR(eta::psi_heat(-1), -2 * std::log((std::sqrt(17.0) + 1) / 2), 1e-5);
    const double x = std::pow(17.0, 0.25);
    EXPECT_NEAR(
        eta::psi_momentum(-1),
        -2 * std::log((x + 1) / 2) - std::log((x * x + 1) / 2) + 2 * std::atan(x) - 2 * std::atan(1.0), 1e-5);
}

TEST(Eta, NeutralAirHasTheLogarithmicProfileAndZilitinkevichsForHeat) {
    S c = neutral();
    exchange(c, 8);
    const double ust = 0.4 * std::hypot(8.0, 3.0) / std::log(25.1 / 0.1);
    EXPECT_NEAR(c.at(S::ust), ust, 2e-4);
    EXPECT_NEAR(c.at(S::u10), 8 * std::log(10.1 / 0.1) / std::log(25.1 / 0.1), 2e-3);
    EXPECT_NEAR(c.at(S::heat), 0, 0.1);
    const double z0_heat = 0.1 * std::exp(-0.1 * 0.4 * 258.2 * std::sqrt(ust * 0.1));
    EXPECT_NEAR(c.at(S::conductance), 0.4 * ust / std::log(25.1 / z0_heat), 1e-5);
}

TEST(Eta, HeatOfSnowyGroundHasTheRoughnessOfTheGroundBelow) {
    S bare = neutral(), snowy = neutral();
    for (S *c : {&bare, &snowy}) c->set(S::roughness, 0.02);
    snowy.set(S::bare_roughness, 0.1);
    exchange(bare, 8);
    exchange(snowy, 8);
    EXPECT_EQ(bare.at(S::ust), snowy.at(S::ust));
    const double ust = snowy.at(S::ust), z0_heat = 0.1 * std::exp(-0.1 * 0.4 * 258.2 * std::sqrt(ust * 0.1));
    EXPECT_NEAR(snowy.at(S::conductance), 0.4 * ust / std::log(25.02 / z0_heat), 1e-5);
    EXPECT_GT(snowy.at(S::conductance), 1.03 * bare.at(S::conductance));
}

TEST(Eta, HeatGoesFromWarmToColdAndStableAirHoldsItBack) {
    S warm, cold;
    warm.set(S::skin, 306);
    cold.set(S::skin, 294);
    for (S *c : {&warm, &cold}) {
        c->set(S::surface_vapour, 0.008);
        exchange(*c, 5);
        set_2m_values(c->surface());
    }
    EXPECT_GT(warm.at(S::heat), 60);
    EXPECT_LT(cold.at(S::heat), -5);
    EXPECT_GT(warm.at(S::heat_exchange), 1.5 * cold.at(S::heat_exchange));
    EXPECT_GT(warm.at(S::t2), 300);
    EXPECT_LT(warm.at(S::t2), 306);
    EXPECT_GT(cold.at(S::t2), 294);
    EXPECT_LT(cold.at(S::t2), 300.2);
}

TEST(Eta, OneFluxGoesThroughSublayerAndAirAboveSmoothWater) {
    S c = sea(3, 303);
    exchange(c, 40);
    ASSERT_LT(c.at(S::ust), 0.225);
    const double viscosity = 1.5e-5, diffusivity = 2.1e-5, ust = c.at(S::ust);
    const double z0 = std::max(0.018 / 9.81 * ust * ust, 1.59e-5);
    const double root = std::pow(z0 * ust / viscosity, 0.25) / ust;
    const double momentum = 0.35 * 30 * viscosity * root, heat = 0.84 * diffusivity / viscosity * momentum;
    const double above = c.at(S::heat_conductance) * (double(c.at(S::theta0)) - c.air.field(S::theta)(0, 0));
    EXPECT_GT(above, 5e-3);
    EXPECT_NEAR(diffusivity / heat * (303 - double(c.at(S::theta0))), above, 0.01 * above);
    const double wind = c.at(S::u0), stress = c.at(S::momentum_conductance) * (3 - wind);
    EXPECT_NEAR(viscosity / momentum * wind, stress, 0.01 * stress);
    EXPECT_NEAR(c.at(S::momentum_conductance) * c.at(S::speed), ust * ust, 1e-5 * ust * ust);
    EXPECT_GT(c.at(S::speed), 1.1 * (3 - wind)); // with the gusts of convection
}

TEST(Eta, WaterOfAStormHasNoSublayer) {
    S c = sea(30, 303);
    exchange(c, 10);
    ASSERT_GT(c.at(S::ust), 0.7);
    EXPECT_EQ(c.at(S::u0), 0);
    EXPECT_EQ(c.at(S::theta0), real(303));
    EXPECT_NEAR(c.at(S::roughness), 0.018 / 9.81 * std::pow(c.at(S::ust), 2), 2e-5);
}

TEST(Eta, AsWrfFluxesHaveTheDensityOfDryAirAndTheSublayerIsNotBelow2m) {
    S own = sea(5, 303), wrf = own;
    wrf.as_wrf = true;
    for (S *c : {&own, &wrf}) {
        exchange(*c, 10);
        set_2m_values(c->surface());
    }
    const double q = own.air.field(S::q)(0, 0), moist = 1 + (461.6 / 287 - 1) * q / (1 + q);
    EXPECT_NEAR(wrf.at(S::heat) / own.at(S::heat), moist, 1e-5);
    EXPECT_NEAR(wrf.at(S::vapour) / own.at(S::vapour), moist, 1e-5);
    EXPECT_GT(wrf.at(S::t2) - own.at(S::t2), 0.3); // by what the sublayer takes off
    EXPECT_GT(own.at(S::t2), own.at(S::temperature));
    // What WRF tells land: Tetens, without the vapour's share of the pressure.
    const double t = wrf.at(S::temperature), e = 610.78 * std::exp(17.2693882 * (t - 273.16) / (t - 35.86));
    EXPECT_NEAR(wrf.at(S::air_saturation), 0.622 * e / wrf.at(S::pressure), 2e-5);
    EXPECT_EQ(own.at(S::air_saturation), 0);
}

TEST(Eta, WhereLandKeepsNoWaterTheGroundIsSaturatedAtFirst) {
    S c;
    exchange(c);
    EXPECT_NEAR(c.at(S::surface_vapour), 0.0227, 3e-4); // at 300 K and 1000 hPa
    EXPECT_GT(c.at(S::vapour), 0);
}

TEST(Eta, AColumnDoesNotDependOnItsNeighbours) {
    S one, many(32);
    one.set(S::skin, 308);
    for (int i = 0; i < 32; ++i) {
        const auto at = static_cast<std::size_t>(i);
        many.rows[S::skin][at] = real(i == 17 ? 308 : 285 + i);
        many.rows[S::land][at] = real(i % 2);
    }
    exchange(one, 3);
    exchange(many, 3);
    for (const auto row : {S::ust, S::heat, S::vapour, S::u10, S::heat_2m, S::heat_conductance, S::theta0})
        EXPECT_EQ(one.at(row), many.at(row, 17)) << row;
}

} // namespace
} // namespace squall
