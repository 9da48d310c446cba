// The skin of the sea: numbers of Zeng and Beljaars (2005) and of Fairall et al. (1996).
#include <gtest/gtest.h>

#include "physics/sea_skin.hpp"
#include "surface_case.hpp"

namespace squall {
namespace {

using test::SurfaceCase;

/// Water of 300 K under air that takes up 20 W m-2 of heat and 120 of vapour.
struct Sea : SurfaceCase {
    std::vector<real> below{300}, warming{0};

    Sea(double sun, double friction, real step = 60) : SurfaceCase(1, 40, 50, step) {
        set(land, 0);
        set(skin, 300);
        set(shortwave, sun);
        set(longwave, 400);
        set(SurfaceCase::emissivity, 0.98);
        set(heat, 20);
        set(vapour, 120 / 2.5e6);
        set(ust, friction);
    }
    void advance(int steps) {
        for (int step = 0; step < steps; ++step) {
            SurfaceColumns c = surface();
            c.sea_temperature = below.data();
            c.sea_warming = warming.data();
            advance_sea_skin(c);
        }
    }
    double departure() const { return double(at(skin)) - 300; }
};

TEST(SeaSkin, IsAFewTenthsColderThanTheWaterAtNight) {
    Sea breeze(0, 0.2);
    breeze.advance(10);
    EXPECT_EQ(breeze.warming[0], 0);
    // It gives off 198 W m-2 through 0.86 mm.
    EXPECT_NEAR(breeze.departure(), -0.283, 0.005);
    Sea gale(0, 1);
    gale.advance(10);
    EXPECT_LT(std::abs(gale.departure()), 0.5 * std::abs(breeze.departure()));
}

TEST(SeaSkin, TheSunWarmsACalmSeaByDegreesAndARoughOneHardly) {
    Sea calm(800, 0.03), rough(800, 0.4);
    calm.advance(4 * 60);
    rough.advance(4 * 60);
    EXPECT_NEAR(calm.warming[0], 1.5, 0.05);     // 310 W m-2 in 3 m for 4 hours, unmixed
    EXPECT_NEAR(rough.warming[0], 0.064, 0.005); // what they bring in 620 s, in which it is mixed away
    EXPECT_GT(calm.departure(), 0.7);
}

TEST(SeaSkin, WarmthGoesInTheEveningAndIsNeverNegative) {
    Sea sea(800, 0.08);
    sea.advance(4 * 60);
    const real noon = sea.warming[0];
    sea.set(SurfaceCase::shortwave, 0);
    sea.advance(2 * 60);
    EXPECT_LT(sea.warming[0], real(0.6) * noon);
    sea.advance(24 * 60);
    EXPECT_GE(sea.warming[0], 0);
    EXPECT_LT(sea.warming[0], real(0.05));
}

TEST(SeaSkin, HardlyDependsOnTheStep) {
    Sea fine(600, 0.1, 30), coarse(600, 0.1, 300);
    fine.advance(8 * 120);
    coarse.advance(8 * 12);
    EXPECT_NEAR(coarse.warming[0], fine.warming[0], 0.02 * fine.warming[0]);
}

TEST(SeaSkin, LandIsLeftAlone) {
    Sea shore(800, 0.1);
    shore.set(SurfaceCase::land, 1);
    shore.advance(10);
    EXPECT_EQ(shore.departure(), 0);
    EXPECT_EQ(shore.warming[0], 0);
}

} // namespace
} // namespace squall
