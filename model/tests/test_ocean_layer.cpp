// An ocean's mixed layer: solutions of Pollard, Rhines and Thompson (1973).
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "physics/ocean_layer.hpp"
#include "surface_case.hpp"

namespace squall {
namespace {

using test::SurfaceCase;

constexpr double lapse = 0.14, f = 1e-4;

/// Water of 300 K, a layer of 50 m, under wind along x.
struct Ocean : SurfaceCase {
    PhysicsConfig config;
    std::vector<real> first{300}, rotation{real(f)}, depth{50}, u{0}, v{0};

    Ocean(double friction, real step) : SurfaceCase(1, 40, 50, step) {
        set(land, 0);
        set(skin, 300);
        set(SurfaceCase::emissivity, 1);
        set(shortwave, 0);
        set(longwave, 5.67051e-8 * std::pow(300.0, 4)); // in balance
        set(ust, friction);
        set_all(SurfaceCase::u, 0, 10);
        set_all(SurfaceCase::v, 0, 0);
        config.ocean_lapse_rate = lapse;
    }
    void advance(int steps) {
        const OceanLayer ocean(config);
        for (int step = 0; step < steps; ++step) {
            SurfaceColumns c = surface();
            c.ocean = {first.data(), rotation.data(), depth.data(), u.data(), v.data()};
            ocean.advance(c);
        }
    }
    double cooling() const { return 300 - double(at(skin)); }
};

constexpr double half_day = std::numbers::pi / f; // half an inertial period, in which depth grows

TEST(OceanLayer, WindDeepensItForHalfAnInertialPeriodAndNoLonger) {
    Ocean storm(2, 60);
    storm.depth[0] = 0;
    storm.config.ocean_layer_depth = 0;
    const int steps = static_cast<int>(half_day / 60);
    storm.advance(steps);
    // u + iv = tau / (i f) (1 - exp(-i f t)): twice tau / f at its fastest; h^4 = 2 (2 tau / f)^2 / N^2
    // there.
    const double tau = 1e-3 * 1 * 1, fastest = 2 * tau / f;
    const double expansion = (26.85 - storm.cooling()) * 1e-5;
    const double expected = std::pow(2 * fastest * fastest / (9.81 * expansion * lapse), 0.25);
    EXPECT_NEAR(double(storm.depth[0]), expected, 0.02 * expected);
    const real deepest = storm.depth[0];
    storm.advance(steps);
    EXPECT_NEAR(double(storm.depth[0]), double(deepest), 1e-3 * expected);
    // The layer has the mean temperature of the water that is in it now.
    EXPECT_NEAR(storm.cooling(), 0.5 * lapse * double(deepest), 0.03);
}

TEST(OceanLayer, CurrentsTurnWithTheEarthWithoutWind) {
    Ocean calm(0, 300);
    calm.u[0] = 20;
    calm.advance(static_cast<int>(2 * half_day / 300));
    EXPECT_NEAR(double(calm.u[0]), 20, 0.3);
    EXPECT_NEAR(double(calm.v[0]), 0, 0.7);
    EXPECT_LT(std::hypot(double(calm.u[0]), double(calm.v[0])), 20.3);
}

TEST(OceanLayer, TakesUpHeatOverItsDepth) {
    Ocean sunny(0, 1800); // in which it warms by more than its temperature is rounded
    sunny.set(SurfaceCase::shortwave, 500);
    sunny.advance(6 * 2);
    EXPECT_NEAR(-sunny.cooling(), 500 * 6 * 3600.0 / (1000 * 4200 * 50.0), 5e-4); // 0.051 K
    EXPECT_EQ(sunny.depth[0], 50);
}

TEST(OceanLayer, IsNotColderThan5KBelowItsStartAndLeavesLandAlone) {
    Ocean storm(20, 300);
    storm.set(SurfaceCase::longwave, 0);
    storm.advance(2000);
    EXPECT_EQ(storm.cooling(), 5);
    Ocean land(2, 300);
    land.set(SurfaceCase::land, 1);
    land.advance(20);
    EXPECT_EQ(land.cooling(), 0);
    EXPECT_EQ(land.depth[0], 50);
}

TEST(OceanLayer, ReturnsToItsStartInTheTimeThatIsAsked) {
    Ocean calm(0, 60);
    calm.config.ocean_relaxation_time = 3600;
    calm.u[0] = 10;
    calm.rotation[0] = 0;
    calm.depth[0] = 80;
    calm.set(SurfaceCase::skin, 299);
    calm.first[0] = 299;
    calm.advance(60);
    EXPECT_NEAR(double(calm.u[0]), 10 * std::exp(-1.0), 0.05);
    EXPECT_NEAR(double(calm.depth[0]), 50 + 30 * std::exp(-1.0), 0.5);
}

/// One step of WRF 4.7.1 over the Celebes Sea, by night and by day: the layer before and after.
TEST(OceanLayer, AStepIsWrfs) {
    struct Step {
        double first, rotation, wind_u, wind_v, ust, heat, latent, sun, thermal; ///< what it is under
        double before[4], after[4];                                              ///< T, h, U, V
    };
    for (const Step &w : {Step{302.698944,
                               -1.59356277e-05,
                               9.92421818,
                               -2.18289518,
                               0.378520787,
                               19.5747585,
                               266.740692,
                               0,
                               432.455475,
                               {302.665802, 50.2479057, 0.753534615, -0.0348858051},
                               {302.665527, 50.2500458, 0.759931684, -0.0340910703}},
                          Step{301.742004,
                               -1.18521857e-05,
                               3.3088398,
                               -2.5372529,
                               0.148916602,
                               5.44401789,
                               93.565979,
                               811.7995,
                               413.59668,
                               {301.729309, 50.2509117, 0.540866792, -0.0472032465},
                               {301.729889, 50.2509117, 0.541759372, -0.0466547012}}}) {
        Ocean here(w.ust, 180);
        here.set(SurfaceCase::emissivity, 0.98);
        here.set(SurfaceCase::heat, w.heat);
        here.set(SurfaceCase::latent, w.latent);
        here.set(SurfaceCase::shortwave, w.sun);
        here.set(SurfaceCase::longwave, w.thermal);
        here.set_all(SurfaceCase::u, 0, w.wind_u);
        here.set_all(SurfaceCase::v, 0, w.wind_v);
        here.first[0] = real(w.first), here.rotation[0] = real(w.rotation);
        here.set(SurfaceCase::skin, w.before[0]);
        here.depth[0] = real(w.before[1]), here.u[0] = real(w.before[2]), here.v[0] = real(w.before[3]);
        here.advance(1);
        EXPECT_NEAR(double(here.at(SurfaceCase::skin)), w.after[0], 7e-5); // two of the last places
        EXPECT_NEAR(double(here.depth[0]), w.after[1], 2e-5);
        EXPECT_NEAR(double(here.u[0]), w.after[2], 1e-6);
        EXPECT_NEAR(double(here.v[0]), w.after[3], 1e-6);
    }
}

} // namespace
} // namespace squall
