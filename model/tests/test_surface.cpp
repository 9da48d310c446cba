// Surface layer, slab and YSU on single columns. What they do on WRF's columns: `squall lab verify
// columns-wrf`.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "physics/revised_mm5/stability.hpp"
#include "surface_case.hpp"

namespace squall {
namespace {

using test::SurfaceCase;

void exchange(SurfaceCase &c, int times = 1, const char *name = "revised-mm5") {
    const auto scheme = surface_layer_scheme(name).make();
    for (int n = 0; n < times; ++n) scheme->exchange(c.surface());
}

TEST(Stability, CorrectionsAreThoseOfThePapers) {
    using namespace revised_mm5;
    EXPECT_EQ(psi_momentum(0), 0);
    EXPECT_EQ(psi_heat(0), 0);
    EXPECT_NEAR(psi_momentum(1), -6.1 * std::log(1 + std::pow(2.0, 0.4)), 1e-5);
    EXPECT_NEAR(psi_heat(1), -5.3 * std::log(1 + std::pow(2.0, 1 / 1.1)), 1e-5);
    // Near neutral as Paulson: 2 ln((1 + (1 - 16 z)^(1/2)) / 2).
    EXPECT_NEAR(psi_heat(real(-0.01)), 2 * std::log((1 + std::sqrt(1.16)) / 2), 2e-4);
    EXPECT_GT(psi_heat(-1), psi_momentum(-1));
}

TEST(Stability, IsTheRootThatHasTheRichardsonNumber) {
    using namespace revised_mm5;
    for (const double zeta : {-2.0, -0.3, 0.1, 1.0, 4.0}) {
        const double z = 25, z0 = 0.1, neutral = std::log((z + z0) / z0), at_ground = zeta * z0 / z;
        const double m = neutral - psi_momentum(real(zeta + at_ground)) + psi_momentum(real(at_ground));
        const double h = neutral - psi_heat(real(zeta + at_ground)) + psi_heat(real(at_ground));
        EXPECT_NEAR(stability_of(real(zeta * h / (m * m)), real(z), real(z0)), zeta,
                    0.01 + 0.01 * std::abs(zeta));
    }
}

TEST(RevisedMm5, NeutralAirHasTheLogarithmicProfile) {
    SurfaceCase c;
    // As warm as the ground, and as moist where it counts for buoyancy.
    c.set(SurfaceCase::surface_vapour, c.air.field(SurfaceCase::q)(0, 0));
    c.set(SurfaceCase::skin, c.air.field(SurfaceCase::theta)(0, 0));
    exchange(c, 20);
    const double speed = std::hypot(8.0, 3.0), drag = 0.4 / std::log(25.1 / 0.1);
    EXPECT_NEAR(c.at(SurfaceCase::ust), speed * drag, 2e-3);
    EXPECT_NEAR(c.at(SurfaceCase::u10), 8 * std::log(10.1 / 0.1) / std::log(25.1 / 0.1), 0.02);
    EXPECT_NEAR(c.at(SurfaceCase::heat), 0, 0.5);
}

TEST(RevisedMm5, HeatGoesFromWarmToColdAndStableAirHoldsItBack) {
    SurfaceCase warm, cold;
    warm.set(SurfaceCase::skin, 306);
    cold.set(SurfaceCase::skin, 294);
    exchange(warm, 5);
    exchange(cold, 5);
    EXPECT_GT(warm.at(SurfaceCase::heat), 100);
    EXPECT_LT(cold.at(SurfaceCase::heat), -5);
    EXPECT_GT(warm.at(SurfaceCase::heat_exchange), 1.5 * cold.at(SurfaceCase::heat_exchange));
    set_2m_values(warm.surface());
    set_2m_values(cold.surface());
    EXPECT_GT(warm.at(SurfaceCase::t2), 300);
    EXPECT_LT(warm.at(SurfaceCase::t2), 306);
    EXPECT_GT(cold.at(SurfaceCase::t2), 294);
    EXPECT_LT(cold.at(SurfaceCase::t2), 300);
}

TEST(RevisedMm5, SeaGetsRougherWithTheWindUpToABound) {
    SurfaceCase c;
    c.set(SurfaceCase::land, 0);
    c.set(SurfaceCase::roughness, 1e-4);
    c.set(SurfaceCase::availability, 1);
    exchange(c, 30);
    const double ust = c.at(SurfaceCase::ust);
    EXPECT_NEAR(c.at(SurfaceCase::roughness), 0.0185 * ust * ust / 9.81 + 0.11 * 1.5e-5 / ust, 1e-8);
    EXPECT_LT(ust, 0.4);
    c.set_all(SurfaceCase::u, 0, 60);
    exchange(c, 30);
    EXPECT_FLOAT_EQ(c.at(SurfaceCase::roughness), 2.85e-3F);
}

/// Water under this wind, with any sea of revised MM5.
SurfaceCase stormy_sea(double wind, const char *name) {
    SurfaceCase c;
    c.set(SurfaceCase::land, 0);
    c.set(SurfaceCase::roughness, 1e-4);
    c.set(SurfaceCase::availability, 1);
    c.set_all(SurfaceCase::u, 0, wind);
    exchange(c, 40, name);
    return c;
}

TEST(RevisedMm5, DragOfAStormySeaIsThatOfDonelan) { // as WRF's isftcflx = 1 has it
    for (const double wind : {10.0, 25.0, 40.0}) {
        const SurfaceCase c = stormy_sea(wind, "revised-mm5-donelan");
        const double ust = c.at(SurfaceCase::ust), strong = std::min(std::pow(ust / 1.06, 0.3), 1.0);
        const double weak = 0.011 * ust * ust / 9.81 + 1.59e-5;
        const double full = 10 * std::exp(-9.5 * std::pow(ust, -0.3333)) + 0.11 * 1.5e-5 / ust;
        const double roughness = std::min((1 - strong) * weak + strong * full, 2.85e-3);
        EXPECT_NEAR(c.at(SurfaceCase::roughness), roughness, 1e-5 * roughness) << wind;
    }
    // At 40 m/s rougher than Charnock's sea; both are bounded beyond.
    EXPECT_LT(stormy_sea(25, "revised-mm5-donelan").at(SurfaceCase::roughness),
              0.7 * stormy_sea(25, "revised-mm5").at(SurfaceCase::roughness));
}

TEST(RevisedMm5, HeatOfAStormySeaPassesARoughnessOfItsOwn) {
    // Neutral but for rounding: ln((z + z0)/z0) of 1e-4 m; of Garratt's for heat and for vapour.
    const auto profile = [](double z0) { return std::log((25 + z0) / z0); };
    const auto neutral = [](const char *name) {
        SurfaceCase c = stormy_sea(25, "revised-mm5");
        c.set(SurfaceCase::skin, c.air.field(SurfaceCase::theta)(0, 0) - real(1.0));
        exchange(c, 40, name);
        return c;
    };
    const SurfaceCase one = neutral("revised-mm5-donelan"), two = neutral("revised-mm5-garratt");
    EXPECT_NEAR(one.at(SurfaceCase::profile_h), profile(1e-4), 0.25);
    const double z0 = two.at(SurfaceCase::roughness), ust = two.at(SurfaceCase::ust);
    const double reynolds = ust * z0 / ((1.32 + 0.009 * (two.at(SurfaceCase::temperature) - 273.15)) * 1e-5);
    const auto of = [&](double number) {
        return z0 / std::exp(0.4 * (7.3 * std::pow(reynolds, 0.25) * std::sqrt(number) - 5));
    };
    EXPECT_NEAR(two.at(SurfaceCase::profile_h), profile(of(0.71)), 0.25);
    const double vapour = 0.4 * ust / two.at(SurfaceCase::conductance);
    EXPECT_NEAR(two.at(SurfaceCase::profile_h) - vapour, profile(of(0.71)) - profile(of(0.60)), 0.05);
}

TEST(Mm5, NeutralAirHasTheLogarithmicProfile) {
    SurfaceCase c;
    c.set(SurfaceCase::surface_vapour, c.air.field(SurfaceCase::q)(0, 0));
    c.set(SurfaceCase::skin, c.air.field(SurfaceCase::theta)(0, 0));
    exchange(c, 20, "mm5");
    EXPECT_NEAR(c.at(SurfaceCase::ust), std::hypot(8.0, 3.0) * 0.4 / std::log(25 / 0.1), 5e-3);
    EXPECT_NEAR(c.at(SurfaceCase::u10), 8 * std::log(10 / 0.1) / std::log(25 / 0.1), 0.05);
}

TEST(Mm5, StabilityIsOfFourClasses) { // by hand from the formulae of Zhang and Anthes
    const double neutral = std::log(25 / 0.1);
    SurfaceCase damped, night, day;
    for (SurfaceCase *c : {&damped, &night, &day})
        c->set(SurfaceCase::surface_vapour, c->air.field(SurfaceCase::q)(0, 0));
    damped.set(SurfaceCase::skin, 298);
    exchange(damped, 20, "mm5");
    const double r = damped.at(SurfaceCase::richardson);
    ASSERT_GT(r, 0.005);
    ASSERT_LT(r, 0.2);
    EXPECT_NEAR(damped.at(SurfaceCase::profile_m), neutral + 5 * r * neutral / (1.1 - 5 * r), 1e-4);
    EXPECT_FLOAT_EQ(damped.at(SurfaceCase::profile_h), damped.at(SurfaceCase::profile_m));
    night.set(SurfaceCase::skin, 280);
    night.set_all(SurfaceCase::u, 0, 2);
    exchange(night, 20, "mm5");
    ASSERT_GT(night.at(SurfaceCase::richardson), 0.2);
    EXPECT_NEAR(night.at(SurfaceCase::profile_m), neutral + 10, 1e-4);
    day.set(SurfaceCase::skin, 308);
    exchange(day, 40, "mm5"); // until T* and u* are those of the step before
    const double ust = day.at(SurfaceCase::ust), theta = day.air.field(SurfaceCase::theta)(0, 0);
    const double zeta = 0.4 * 9.81 / theta * 25 * day.at(SurfaceCase::scale) / (ust * ust);
    ASSERT_LT(zeta, -0.1);
    EXPECT_NEAR(day.at(SurfaceCase::profile_h), neutral - 2 * std::log((1 + std::sqrt(1 - 16 * zeta)) / 2),
                2e-3);
    const double x = std::pow(1 - 16 * zeta, 0.25);
    const double paulson =
        2 * std::log((1 + x) / 2) + std::log((1 + x * x) / 2) - 2 * std::atan(x) + std::atan(1.0) * 2;
    EXPECT_NEAR(day.at(SurfaceCase::profile_m), neutral - paulson, 2e-3);
    EXPECT_GT(day.at(SurfaceCase::heat), 100);
}

TEST(Slab, SoilTakesUpWhatTheSurfaceDoesNotGiveBack) {
    SurfaceCase c(1, 40, 50, 30);
    c.set(SurfaceCase::skin, 290);
    exchange(c);
    const auto energy = [&] {
        double sum = 0, thickness = 0.01;
        for (int k = 0; k < 4; ++k, thickness *= 2)
            sum += 5.9114e7 * 0.04 * thickness * c.soil.field(0)(0, k);
        return sum;
    };
    const double before = energy();
    land_scheme("slab").make()->advance(c.surface());
    const double radiation = 400 + 0.95 * (350 - 5.67051e-8 * std::pow(290.0, 4));
    const double given = c.at(SurfaceCase::heat) + 2.5e6 * c.at(SurfaceCase::vapour);
    EXPECT_NEAR(energy() - before, 30 * (radiation - given), 0.02 * 30 * radiation); // rounding of 290 K
    EXPECT_GT(c.at(SurfaceCase::skin), 290);
    EXPECT_EQ(c.soil.field(0)(0, 4), real(290));
}

TEST(Slab, SnowKeepsTheGroundFromThawing) {
    SurfaceCase c(2, 40, 50, 360);
    c.set(SurfaceCase::skin, 273);
    c.set(SurfaceCase::shortwave, 900);
    for (int i = 0; i < 2; ++i) c.soil.field(0)(i, 0) = 273;
    c.rows[SurfaceCase::snow][1] = 1;
    exchange(c);
    land_scheme("slab").make()->advance(c.surface());
    EXPECT_GT(c.at(SurfaceCase::skin, 0), 273.3);
    EXPECT_EQ(c.at(SurfaceCase::skin, 1), real(273.16));
}

TEST(Slab, GivesOffNoRadiationInARunWithoutIt) {
    SurfaceCase c;
    for (const auto row : {SurfaceCase::shortwave, SurfaceCase::longwave, SurfaceCase::heat_exchange,
                           SurfaceCase::vapour_exchange})
        c.set(row, 0);
    c.set(SurfaceCase::skin, 290); // as the soil
    SurfaceColumns s = c.surface();
    s.radiates = false;
    land_scheme("slab").make()->advance(s);
    EXPECT_EQ(c.at(SurfaceCase::skin), real(290));
    land_scheme("slab").make()->advance(c.surface());
    EXPECT_LT(c.at(SurfaceCase::skin), real(289.9));
}

TEST(Slab, LeavesWaterAlone) {
    SurfaceCase c;
    c.set(SurfaceCase::land, 0);
    exchange(c);
    const real heat = c.at(SurfaceCase::heat);
    land_scheme("slab").make()->advance(c.surface());
    EXPECT_EQ(c.at(SurfaceCase::skin), real(300));
    EXPECT_EQ(c.at(SurfaceCase::heat), heat);
}

void mix(SurfaceCase &c) {
    const SurfaceColumns s = c.surface();
    boundary_layer_scheme("ysu").make(c.nz)->mix(c.columns(s));
}

TEST(Ysu, TheColumnGainsWhatTheSurfaceGives) {
    for (const double skin : {308.0, 292.0}) {
        SurfaceCase c;
        c.set(SurfaceCase::skin, skin);
        exchange(c, 5);
        mix(c);
        const double heat = 60 * c.at(SurfaceCase::heat) / 1004.5, vapour = 60 * c.at(SurfaceCase::vapour);
        EXPECT_NEAR(c.integral(SurfaceCase::dtheta), heat, 1e-3 * std::abs(heat) + 1e-3);
        EXPECT_NEAR(c.of_dry_air(SurfaceCase::dq), vapour, 1e-3 * std::abs(vapour) + 1e-7);
        // The drag, on the wind after the step.
        const double rho = 1e5 / (287 * c.at(SurfaceCase::temperature) * (1 + 0.608 * 0.0079));
        const double speed = std::hypot(8.0, 3.0), gusts = c.at(SurfaceCase::speed) / speed;
        const double stress = rho * std::pow(c.at(SurfaceCase::ust), 2) / (gusts * gusts);
        const double after = 8 + 2 * c.air.field(SurfaceCase::du)(0, 0);
        EXPECT_NEAR(c.integral(SurfaceCase::du), -60 * stress * after / speed, 0.02 * 60 * stress);
    }
}

TEST(Ysu, CondensateKeepsItsMassOfDryAir) {
    SurfaceCase c;
    c.set(SurfaceCase::skin, 308);
    for (int k = 0; k < c.nz; ++k) c.set_all(SurfaceCase::cloud, k, k > 5 && k < 12 ? 1e-3 : 0);
    exchange(c, 5);
    mix(c);
    double moved = 0;
    for (int k = 0; k < c.nz; ++k)
        moved += double(c.air.field(SurfaceCase::density)(0, k)) * c.dz *
                 std::abs(c.air.field(SurfaceCase::dcloud)(0, k));
    EXPECT_GT(moved, 1e-3);
    EXPECT_NEAR(c.of_dry_air(SurfaceCase::dcloud) / moved, 0, 1e-5);
}

TEST(Ysu, HeatedAirMixesUpToWhereItIsAsWarmAndEntrains) {
    SurfaceCase c;
    c.set(SurfaceCase::skin, 315);
    for (int k = 0; k < 20; ++k) c.set_all(SurfaceCase::theta, k, 303); // mixed up to 1 km, 304 K above
    exchange(c, 5);
    mix(c);
    EXPECT_NEAR(c.at(SurfaceCase::height), 1000, 100);
    EXPECT_GT(c.air.field(SurfaceCase::dtheta)(0, 0), 0);
    EXPECT_GT(c.air.field(SurfaceCase::dtheta)(0, 15), 0);
    const auto dtheta = c.air.field(SurfaceCase::dtheta);
    real coldest = 0;
    for (int k = 18; k < 24; ++k) coldest = std::min(coldest, dtheta(0, k));
    EXPECT_LT(coldest, -1e-4); // what enters cools the layer it leaves
    for (int k = 30; k < 40; ++k) EXPECT_NEAR(dtheta(0, k), 0, 1e-3);
}

TEST(Ysu, StableAirMixesLittleAndLow) {
    SurfaceCase c;
    c.set(SurfaceCase::skin, 290);
    exchange(c, 5);
    mix(c);
    EXPECT_LT(c.at(SurfaceCase::height), 600);
    EXPECT_LT(c.air.field(SurfaceCase::dtheta)(0, 0), 0);
    EXPECT_NEAR(c.air.field(SurfaceCase::dtheta)(0, 25), 0, 2e-3);
}

TEST(Ysu, AColumnDoesNotDependOnItsNeighbours) {
    SurfaceCase one, many(32);
    for (auto *c : {&one, &many}) c->set(SurfaceCase::skin, 308);
    for (int i = 0; i < 32; ++i)
        if (i != 17) many.rows[SurfaceCase::skin][static_cast<std::size_t>(i)] = real(285 + i);
    exchange(one, 3);
    exchange(many, 3);
    mix(one);
    mix(many);
    EXPECT_EQ(one.at(SurfaceCase::ust), many.at(SurfaceCase::ust, 17));
    EXPECT_EQ(one.at(SurfaceCase::height), many.at(SurfaceCase::height, 17));
    for (int k = 0; k < one.nz; ++k)
        for (const auto field : {SurfaceCase::du, SurfaceCase::dv, SurfaceCase::dtheta, SurfaceCase::dq})
            ASSERT_EQ(one.air.field(field)(0, k), many.air.field(field)(17, k)) << "layer " << k;
}

} // namespace
} // namespace squall
