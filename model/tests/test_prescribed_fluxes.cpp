// A surface layer that is given its fluxes, and a boundary layer that only takes them.
#include <cmath>

#include <gtest/gtest.h>

#include "grid/large_scale_forcing.hpp"
#include "turbulent_case.hpp"

namespace squall {
namespace {

using test::SurfaceCase;
using test::Turbulent;
using F = SurfaceCase::Field;

SurfaceCase exchanged(double heat, double vapour, double roughness, double ust) {
    SurfaceCase c(1, 40, 20, 10);
    c.set(SurfaceCase::heat, heat);
    c.set(SurfaceCase::vapour, vapour);
    c.set(SurfaceCase::roughness, roughness);
    c.set(SurfaceCase::ust, ust);
    surface_layer_scheme("prescribed-fluxes").make()->exchange(c.surface());
    return c;
}

const double wind = std::hypot(8.0, 3.0);

TEST(PrescribedFluxes, WithoutAnyTheWindIsLogarithmic) {
    const SurfaceCase c = exchanged(0, 0, 0.1, 0);
    EXPECT_NEAR(c.at(SurfaceCase::ust), 0.4 * wind / std::log(10.1 / 0.1), 1e-5);
    EXPECT_NEAR(c.at(SurfaceCase::u10), 8 * std::log(10.1 / 0.1) / std::log(10.1 / 0.1), 1e-5);
    EXPECT_EQ(c.at(SurfaceCase::richardson), 0);
}

TEST(PrescribedFluxes, StayAndTheSkinIsWhatTheyNeed) {
    for (const double heat : {250.0, -30.0}) {
        const SurfaceCase c = exchanged(heat, 4e-5, 0.1, 0);
        EXPECT_EQ(c.at(SurfaceCase::heat), real(heat));
        EXPECT_EQ(c.at(SurfaceCase::vapour), real(4e-5));
        const double theta_air = double(c.at(SurfaceCase::temperature)) *
                                 std::pow(1e5 / double(c.at(SurfaceCase::pressure)), 2.0 / 7);
        const double warmer = double(c.at(SurfaceCase::skin)) - theta_air; // the ground is at 1000 hPa
        EXPECT_NEAR(double(c.at(SurfaceCase::heat_exchange)) * warmer, heat, 0.01 * std::abs(heat));
        EXPECT_EQ(c.at(SurfaceCase::richardson) > 0, heat < 0);
    }
}

TEST(PrescribedFluxes, HeatMakesFrictionAndColdWeakensIt) {
    const double neutral = exchanged(0, 0, 0.1, 0).at(SurfaceCase::ust);
    EXPECT_GT(exchanged(250, 0, 0.1, 0).at(SurfaceCase::ust), 1.05 * neutral);
    EXPECT_LT(exchanged(-200, 0, 0.1, 0).at(SurfaceCase::ust), 0.95 * neutral);
}

/// Monin-Obukhov similarity of Paulson (1970) up to 0.1 is what the scheme's functions are near neutrality:
/// the friction velocity that it finds, found again by the profile.
TEST(PrescribedFluxes, TheFrictionVelocityFitsTheProfile) {
    const SurfaceCase c = exchanged(-10, 0, 0.1, 0);
    const double ust = c.at(SurfaceCase::ust), m = c.at(SurfaceCase::profile_m);
    EXPECT_NEAR(ust, 0.4 * wind / m, 1e-4);
}

TEST(PrescribedFluxes, AFrictionVelocityCanBeGivenInPlaceOfARoughness) {
    const SurfaceCase c = exchanged(15, 4.6e-5, 0, 0.25);
    EXPECT_EQ(c.at(SurfaceCase::ust), real(0.25));
    EXPECT_EQ(c.at(SurfaceCase::roughness), 0); // stays the sign of it
    EXPECT_NEAR(0.4 * double(c.at(SurfaceCase::speed)) / double(c.at(SurfaceCase::profile_m)), 0.25, 2e-3);
}

TEST(PrescribedFluxes, InStableAirWithoutWindFrictionEndsAboveNothing) {
    SurfaceCase c(1, 40, 20, 10);
    c.set_all(F::u, 0, 0.1);
    c.set_all(F::v, 0, 0);
    c.set(SurfaceCase::heat, -60);
    surface_layer_scheme("prescribed-fluxes").make()->exchange(c.surface());
    EXPECT_GE(c.at(SurfaceCase::ust), real(0.01));
    EXPECT_TRUE(std::isfinite(c.at(SurfaceCase::skin)));
    EXPECT_GT(c.at(SurfaceCase::skin), 240);
}

TEST(ResolvedEddies, GetTheFluxesInTheLowestLayerAndNothingElse) {
    Turbulent t(exchanged(100, 4e-5, 0.1, 0), "resolved");
    t.mix();
    const double mass = t.at(F::density, 0) * t.c.dz, dt = double(t.c.dt);
    EXPECT_NEAR(t.at(F::dtheta, 0), 100 * dt / (mass * 1004.5 * t.at(F::exner, 0)), 1e-6);
    EXPECT_NEAR(t.at(F::dq, 0), 4e-5 * dt / mass, 1e-10);
    const double ust = t.c.at(SurfaceCase::ust), speed = t.c.at(SurfaceCase::speed);
    const double drag = dt * ust * ust * wind / (speed * speed * t.c.dz);
    EXPECT_NEAR(t.at(F::du, 0), -8 * drag / (1 + drag), 1e-6);
    EXPECT_NEAR(t.at(F::dv, 0), 3 * drag / (1 + drag), 1e-6);
    for (int k = 1; k < t.c.nz; ++k)
        for (const F change : {F::du, F::dv, F::dtheta, F::dq}) EXPECT_EQ(t.at(change, k), 0);
}

TEST(SurfaceSeries, IsLinearBetweenTimesAndHoldsBeyondThem) {
    const SurfaceSeries s{
        .seconds = {0, 3600, 7200}, .temperature = {}, .sensible_heat = {10, 30, 0}, .latent_heat = {}};
    EXPECT_DOUBLE_EQ(s.at(s.sensible_heat, -5), 10);
    EXPECT_DOUBLE_EQ(s.at(s.sensible_heat, 900), 15);
    EXPECT_DOUBLE_EQ(s.at(s.sensible_heat, 3600), 30);
    EXPECT_DOUBLE_EQ(s.at(s.sensible_heat, 5400), 15);
    EXPECT_DOUBLE_EQ(s.at(s.sensible_heat, 1e6), 0);
}

} // namespace
} // namespace squall
