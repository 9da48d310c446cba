// The boundary layer of Mellor, Yamada and Janjic. What it does on WRF's columns: `squall lab verify
// columns-wrf`.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "physics/myj/closure.hpp"
#include "turbulent_case.hpp"

namespace squall {
namespace {

using test::make_hydrostatic;
using test::SurfaceCase;
using test::Turbulent;
using F = SurfaceCase::Field;

constexpr real calm = real(1e-9); // G_H of neutral air

/// (l/q)^2 where production is dissipation.
double balanced(real shear, real stability) {
    return 1 / double(myj::larger_root(myj::equilibrium_4(shear, stability) * stability,
                                       myj::equilibrium_2(shear, stability)));
}

TEST(MyjClosure, NeutralTurbulenceIsThatOfTheLogarithmicLayer) {
    const real shear = real(1e-4);
    const double square = balanced(shear, calm);
    const myj::Stability s = myj::diffusivities(shear, calm, real(square));
    EXPECT_NEAR(s.momentum, 1 / std::cbrt(myj::b1), 2e-4); // q = B1^(1/3) u* where K = u* l
    EXPECT_NEAR(square * shear * s.momentum, 1 / myj::b1, 1e-4);
}

TEST(MyjClosure, TurbulenceEndsAtTheCriticalRichardsonNumberOf0505) {
    const real stability = real(0.01); // K/m
    const double frequency = stability * 9.81 / 273;
    EXPECT_TRUE(myj::laminar(real(frequency / 0.51), stability));
    EXPECT_FALSE(myj::laminar(real(frequency / 0.50), stability));
    EXPECT_EQ(myj::produce(real(frequency / 0.51), stability, 5, 60), 0);
}

TEST(MyjClosure, BalancedTurbulenceStaysAndOtherComesToIt) {
    for (const real stability : {real(-5e-3), real(-1e-4), real(2e-3)}) {
        const real shear = real(4e-4);
        const double balance = std::sqrt(balanced(shear, stability));
        EXPECT_NEAR(myj::produce(shear, stability, real(balance), 60), balance, 1e-3 * balance);
        for (const double part : {0.5, 2.0})
            EXPECT_NEAR(myj::produce(shear, stability, real(part * balance), 36000), balance, 1e-3 * balance);
    }
}

TEST(MyjClosure, WithoutProductionEnergyDissipatesAsQCubedOverB1L) {
    // d(l/q)/dt = 1/B1: with l of 50 m, q from 1 m/s
    EXPECT_NEAR(myj::produce(real(1e-9), calm, 50, 60) - 50, 60 / myj::b1, 0.1);
}

Turbulent heated(const std::string &surface_layer, bool as_wrf = false) {
    SurfaceCase made;
    made.as_wrf = as_wrf;
    made.set(SurfaceCase::skin, 308);
    for (int k = 4; k < 14; ++k) made.set_all(F::cloud, k, 3e-4);
    Turbulent t(std::move(made), "myj");
    for (int n = 0; n < 5; ++n) {
        t.find_fluxes(surface_layer);
        t.take_step();
    }
    t.mix();
    return t;
}

TEST(Myj, TheColumnChangesByTheSurfacesFluxes) {
    for (const std::string surface_layer : {"eta", "revised-mm5"}) {
        Turbulent t = heated(surface_layer);
        const double vapour = t.integral([&](int k) { return t.at(F::dq, k); });
        EXPECT_NEAR(vapour, 60 * t.c.at(SurfaceCase::vapour), 2e-5 * vapour);
        const double moved = t.integral([&](int k) { return std::abs(t.at(F::dcloud, k)); });
        EXPECT_GT(moved, 1e-4);
        EXPECT_NEAR(t.integral([&](int k) { return t.at(F::dcloud, k); }), 0, 1e-5 * moved);
        const double heat = t.integral([&](int k) { // of theta without that of condensate
            return t.at(F::dtheta, k) - 2.72e6 / 1004.5 / t.at(F::exner, k) * t.at(F::dcloud, k);
        });
        const double given = 60 * double(t.c.at(SurfaceCase::heat)) / 1004.5 / t.at(F::exner, 0);
        EXPECT_GT(given, 5);
        EXPECT_NEAR(heat, given, 2e-4 * given); // rounding of 300 K
    }
}

TEST(Myj, TheWindLosesTheStressOfTheSurfaceLayersConductance) {
    Turbulent t = heated("eta");
    const double drag = double(t.at(F::density, 0)) * t.c.at(SurfaceCase::momentum_conductance);
    const double lost = 60 * drag * (double(t.at(F::u, 0)) + t.at(F::du, 0));
    EXPECT_NEAR(t.integral([&](int k) { return t.at(F::du, k); }), -lost, 1e-4 * lost);
}

TEST(Myj, AsWrfTheFluxIsThatOfTheConductanceAfterTheStep) {
    Turbulent t = heated("eta", true);
    double gained = 0;
    const auto density = [&](int k) {
        const double p = 0.5 * (double(t.at(F::weight, k)) + t.at(F::weight, k + 1)), q = t.at(F::q, k);
        return p / (287 * double(t.at(F::theta, k)) * t.at(F::exner, k) *
                    (1 + (461.6 / 287 - 1) * q / (1 + q) - t.at(F::cloud, k)));
    };
    for (int k = 0; k < t.c.nz; ++k)
        gained += density(k) * t.c.dz *
                  (t.at(F::dtheta, k) - 2.72e6 / 1004.5 / t.at(F::exner, k) * t.at(F::dcloud, k));
    const double after = double(t.at(F::theta, 0)) + t.at(F::dtheta, 0); // no cloud there
    const double given = 60 * density(0) * t.c.at(SurfaceCase::heat_conductance) * (308 - after);
    EXPECT_NEAR(gained, given, 1e-3 * given);
    const double diagnosed = 60 * double(t.c.at(SurfaceCase::heat)) / 1004.5;
    EXPECT_GT(std::abs(gained - diagnosed), 5e-3 * diagnosed); // not what HFX says
}

TEST(Myj, AHeatedLayerGrowsAsMixedLayersDo) {
    constexpr double lapse = 0.004, flux = 0.2; // K m-1; K m s-1
    SurfaceCase made(1, 80, 25, 60);
    make_hydrostatic(made, lapse);
    made.set(SurfaceCase::heat,
             flux * 1004.5 * double(made.air.field(F::density)(0, 0)) * made.air.field(F::exner)(0, 0));
    made.set(SurfaceCase::vapour, 0);
    made.set(SurfaceCase::ust, 0.1);
    made.set(SurfaceCase::speed, 1);
    for (int k = 0; k < made.nz; ++k) made.set_all(F::u, k, 1), made.set_all(F::v, k, 0);
    Turbulent t(std::move(made), "myj");
    constexpr int hours = 4;
    for (int n = 0; n < hours * 60; ++n) t.take_step();
    double passing = flux, least = 0;
    int top = 0;
    for (int k = 0; k < t.c.nz; ++k) {
        passing -= t.at(F::dtheta, k) * t.at(F::density, k) * 25 / 60 / t.at(F::density, 0);
        if (passing < least) least = passing, top = k + 1;
    }
    EXPECT_LE(least / flux, 0);
    EXPECT_GT(least / flux, -0.3);
    // h^2 = 2 (1 + 2 A) flux t / lapse
    const double height = 25 * top;
    EXPECT_NEAR(height * height * lapse / (2 * flux * hours * 3600), 1 - 2 * least / flux, 0.15);
    EXPECT_NEAR(t.c.at(SurfaceCase::height), height, 150);
    const int middle = int(0.5 * height / 25), upper = int(0.7 * height / 25);
    EXPECT_NEAR(t.at(F::theta, upper), t.at(F::theta, middle), 0.35);
    EXPECT_GT(t.at(F::theta, 0), t.at(F::theta, middle));
    EXPECT_EQ(t.at(F::qke, t.c.nz - 1), myj::least_energy);
}

TEST(Myj, EnergyIsAtLeastWhatTurbulenceBeginsWithAtAnyTimeStep) {
    for (const double dt : {1.0, 60.0, 3600.0}) {
        SurfaceCase made(1, 40, 50, real(dt));
        made.set(SurfaceCase::skin, 280); // far colder than the air
        for (int k = 0; k < made.nz; ++k) made.set_all(F::qke, k, k % 3 == 0 ? 5 : 0);
        Turbulent t(std::move(made), "myj");
        for (int n = 0; n < 3; ++n) {
            t.find_fluxes("eta");
            t.take_step();
            for (int k = 0; k < t.c.nz; ++k)
                ASSERT_GE(t.at(F::qke, k), real(0.1999)) << dt << " s, layer " << k;
        }
    }
}

TEST(Myj, AColumnDoesNotDependOnItsNeighbours) {
    SurfaceCase alone, others(32);
    alone.set(SurfaceCase::skin, 308);
    for (int i = 0; i < 32; ++i)
        others.rows[SurfaceCase::skin][static_cast<std::size_t>(i)] = real(i == 17 ? 308 : 285 + i);
    Turbulent one(std::move(alone), "myj"), many(std::move(others), "myj");
    for (auto *t : {&one, &many})
        for (int n = 0; n < 3; ++n) {
            t->find_fluxes("eta");
            t->take_step();
        }
    EXPECT_EQ(one.c.at(SurfaceCase::height), many.c.at(SurfaceCase::height, 17));
    for (int k = 0; k < one.c.nz; ++k)
        for (const F f : {F::u, F::v, F::theta, F::q, F::qke})
            ASSERT_EQ(one.at(f, k), many.at(f, k, 17)) << "layer " << k;
}

} // namespace
} // namespace squall
