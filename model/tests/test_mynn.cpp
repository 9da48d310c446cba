// The boundary layer of Mellor, Yamada, Nakanishi and Niino.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "physics/mynn/closure.hpp"
#include "turbulent_case.hpp"

namespace squall {
namespace {

using mynn::level_2;
using mynn::level_2_5;
using mynn::Stability;
using test::make_hydrostatic;
using test::SurfaceCase;
using test::Turbulent;
using F = SurfaceCase::Field;

TEST(MynnClosure, HasItsPublishedConstants) {
    EXPECT_NEAR(mynn::a1, 1.18, 1e-3);
    EXPECT_NEAR(mynn::a2, 0.665, 1e-3);
    EXPECT_NEAR(mynn::c1, 0.137, 1e-3);
}

TEST(MynnClosure, NeutralTurbulenceIsThatOfTheLogarithmicLayer) {
    const Stability neutral = level_2(0);
    EXPECT_NEAR(neutral.momentum, 1 / std::cbrt(24.0), 1e-4); // q = B1^(1/3) u* where K = u* L
    EXPECT_NEAR(neutral.momentum / neutral.heat, 0.74, 1e-3);
}

TEST(MynnClosure, BalancedTurbulenceEndsAtTheCriticalRichardsonNumber) {
    EXPECT_EQ(level_2(1).heat, 0);
    const Stability last = level_2(real(0.9));
    EXPECT_GT(last.heat, 0);
    EXPECT_NEAR(0.9 * last.heat / last.momentum, 0.2984, 5e-3); // flux Richardson number: g1 / (g1 + g2)
    EXPECT_NEAR(level_2(-1000).heat, 3 * mynn::a2 * (mynn::gamma_1 + mynn::gamma_2), 0.01);
}

TEST(MynnClosure, Level25InBalanceIsLevel2) {
    for (const double ri : {-50.0, -1.0, -0.1, 0.0, 0.1, 0.3, 0.7}) {
        const Stability two = level_2(real(ri));
        // q^2 = B1 L^2 (S_M shear - S_H N^2), for a shear of 1
        const double gm = 1 / (mynn::b1 * (two.momentum - two.heat * ri));
        const Stability same = level_2_5(real(gm), real(-gm * ri), 1);
        EXPECT_NEAR(same.momentum, two.momentum, 2e-4 * two.momentum) << "Ri " << ri;
        EXPECT_NEAR(same.heat, two.heat, 2e-4 * two.heat) << "Ri " << ri;
    }
}

TEST(MynnClosure, GrowingTurbulenceMixesLessThanBalancedByTheRatioOfTheirVelocities) {
    const real shear = real(1e-3), n2 = real(-1e-4), length = 50;
    const Stability two = level_2(n2 / shear);
    const real q = std::sqrt(mynn::b1 * length * length * (two.momentum * shear - two.heat * n2));
    for (const real part : {real(0.1), real(0.5), real(0.9)}) {
        const Stability s = mynn::stability(shear, n2, length, part * q);
        EXPECT_NEAR(s.momentum / two.momentum, part, 1e-3);
        EXPECT_NEAR(s.heat / two.heat, part, 1e-3);
    }
}

TEST(Mynn, WaterOfTheColumnChangesByTheSurfacesFlux) {
    SurfaceCase made;
    made.set(SurfaceCase::skin, 308);
    for (int k = 8; k < 14; ++k) made.set_all(F::cloud, k, 3e-4);
    Turbulent t(std::move(made));
    t.find_fluxes();
    for (int n = 0; n < 5; ++n) t.take_step();
    t.mix();
    const double vapour = t.integral([&](int k) { return t.at(F::dq, k); });
    EXPECT_NEAR(vapour, 60 * t.c.at(SurfaceCase::vapour), 2e-4 * vapour);
    const double moved = t.integral([&](int k) { return std::abs(t.at(F::dcloud, k)); });
    EXPECT_GT(moved, 1e-3);
    EXPECT_NEAR(t.integral([&](int k) { return t.at(F::dcloud, k); }), 0, 1e-4 * moved);
}

TEST(Mynn, NeutralTurbulenceSettlesWhereTheLogarithmicLayersDoes) {
    SurfaceCase made(1, 60, 20, 20);
    make_hydrostatic(made, 0);
    made.set(SurfaceCase::heat, 0);
    made.set(SurfaceCase::vapour, 0);
    made.set(SurfaceCase::ust, 0.4);
    for (int k = 0; k < made.nz; ++k) { // its wind, kept
        made.set_all(F::u, k, 0.4 / 0.4 * std::log((k + 0.5) * 20 / 0.1));
        made.set_all(F::v, k, 0);
    }
    made.set(SurfaceCase::speed, std::log(10 / 0.1));
    Turbulent t(std::move(made));
    for (int n = 0; n < 200; ++n) {
        t.mix();
        for (int k = 0; k < t.c.nz; ++k) t.c.air.field(F::qke)(0, k) += t.c.air.field(F::dqke)(0, k);
    }
    EXPECT_NEAR(t.at(F::qke, 0) / 0.16, std::pow(24, 2.0 / 3), 0.1 * std::pow(24, 2.0 / 3));
}

TEST(Mynn, AHeatedLayerGrowsAsMixedLayersDo) {
    constexpr double lapse = 0.004, flux = 0.2; // K m-1; K m s-1
    SurfaceCase made(1, 80, 25, 60);
    make_hydrostatic(made, lapse);
    made.set(SurfaceCase::heat,
             flux * 1004.5 * double(made.air.field(F::density)(0, 0)) * made.air.field(F::exner)(0, 0));
    made.set(SurfaceCase::vapour, 0);
    made.set(SurfaceCase::ust, 0.1);
    made.set(SurfaceCase::speed, 1);
    for (int k = 0; k < made.nz; ++k) made.set_all(F::u, k, 1), made.set_all(F::v, k, 0);
    Turbulent t(std::move(made));
    constexpr int hours = 4;
    for (int n = 0; n < hours * 60; ++n) t.take_step();
    // The heat flux falls linearly to that of entrainment: -0.1 to -0.3 of the ground's in large eddies.
    double passing = flux, least = 0;
    int top = 0;
    for (int k = 0; k < t.c.nz; ++k) {
        const double warmed = t.at(F::dtheta, k) * t.at(F::exner, k) * t.at(F::density, k) * 25 / 60;
        passing -= warmed / (t.at(F::exner, 0) * t.at(F::density, 0));
        if (passing < least) least = passing, top = k + 1;
    }
    EXPECT_LT(least / flux, -0.07);
    EXPECT_GT(least / flux, -0.3);
    // With it the layer grows as h^2 = 2 (1 + 2 A) flux t / lapse.
    const double height = 25 * top;
    EXPECT_NEAR(height * height * lapse / (2 * flux * hours * 3600), 1 - 2 * least / flux, 0.1);
    EXPECT_GT(t.c.at(SurfaceCase::height), height);
    EXPECT_LT(t.c.at(SurfaceCase::height), height + 1.25 / lapse); // air is warmer by 1.25 K there
    // Well mixed, superadiabatic next to the ground, and stirred as w* = (g / theta flux h)^(1/3) says.
    const int middle = int(0.5 * height / 25), upper = int(0.7 * height / 25);
    EXPECT_NEAR(t.at(F::theta, upper), t.at(F::theta, middle), 0.25);
    EXPECT_GT(t.at(F::theta, 0), t.at(F::theta, middle));
    const double scale = std::cbrt(9.81 / 305 * flux * height);
    EXPECT_NEAR(0.5 * t.at(F::qke, int(0.3 * height / 25)) / (scale * scale), 0.4, 0.15);
    EXPECT_LT(t.at(F::qke, int(1.45 * height / 25)), 0.05);
}

TEST(Mynn, StableProfilesHaveNoSteps) {
    SurfaceCase made(1, 60, 6.25, 20);
    make_hydrostatic(made, 0.01);
    made.set(SurfaceCase::heat, -14);
    made.set(SurfaceCase::vapour, 0);
    made.set(SurfaceCase::ust, 0.27);
    for (int k = 0; k < made.nz; ++k) made.set_all(F::u, k, 8), made.set_all(F::v, k, 0);
    made.set(SurfaceCase::speed, 3);
    Turbulent t(std::move(made));
    for (int n = 0; n < 540; ++n) t.take_step();
    int turns = 0; // of the gradient, from growing to falling or back, within the layer
    const auto bend = [&](int k) { return t.at(F::u, k + 1) - 2 * t.at(F::u, k) + t.at(F::u, k - 1); };
    for (int k = 2; k < 25; ++k) turns += bend(k) * bend(k + 1) < 0;
    EXPECT_LE(turns, 3);
}

TEST(Mynn, EddiesWithCloudMixMoreThanClearOnes) {
    const auto exchanged = [](double humidity) { // between layers whose lapse is that of cloud
        SurfaceCase made(1, 40, 50, 60);
        make_hydrostatic(made, 0.0035);
        for (int k = 0; k < made.nz; ++k) {
            const double t = made.air.field(F::theta)(0, k) * made.air.field(F::exner)(0, k);
            const double e = 611.2 * std::exp(17.67 * (t - 273.15) / (t - 29.65));
            made.set_all(F::q, k,
                         humidity * 0.622 * e / (double(made.air.field(F::full_pressure)(0, k)) - e));
            made.set_all(F::u, k, 0.3 * k);
            made.set_all(F::qke, k, 1);
        }
        for (const auto row : {SurfaceCase::heat, SurfaceCase::vapour}) made.set(row, 0);
        made.set(SurfaceCase::speed, 8);
        Turbulent t(std::move(made));
        t.mix();
        return std::abs(t.integral([&](int k) { return k < 20 ? t.at(F::du, k) : 0; }));
    };
    EXPECT_GT(exchanged(1.02), 1.2 * exchanged(0.5));
}

TEST(Mynn, EnergyIsNeverNegativeAtAnyTimeStep) {
    for (const double dt : {1.0, 60.0, 3600.0}) {
        SurfaceCase made(1, 40, 50, real(dt));
        made.set(SurfaceCase::skin, 280); // far colder than the air
        for (int k = 0; k < made.nz; ++k) made.set_all(F::qke, k, k % 3 == 0 ? 5 : 0);
        Turbulent t(std::move(made));
        t.find_fluxes();
        for (int n = 0; n < 3; ++n) {
            t.take_step();
            for (int k = 0; k < t.c.nz; ++k) ASSERT_GE(t.at(F::qke, k), 0) << dt << " s, layer " << k;
        }
    }
}

TEST(Mynn, AColumnDoesNotDependOnItsNeighbours) {
    SurfaceCase alone, others(32);
    alone.set(SurfaceCase::skin, 308);
    for (int i = 0; i < 32; ++i)
        others.rows[SurfaceCase::skin][static_cast<std::size_t>(i)] = real(i == 17 ? 308 : 285 + i);
    Turbulent one(std::move(alone)), many(std::move(others));
    for (auto *t : {&one, &many}) {
        t->find_fluxes();
        for (int n = 0; n < 3; ++n) t->take_step();
    }
    EXPECT_EQ(one.c.at(SurfaceCase::height), many.c.at(SurfaceCase::height, 17));
    for (int k = 0; k < one.c.nz; ++k)
        for (const F f : {F::u, F::v, F::theta, F::q, F::qke})
            ASSERT_EQ(one.at(f, k), many.at(f, k, 17)) << "layer " << k;
}

} // namespace
} // namespace squall
