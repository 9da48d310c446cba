// The older MM5 surface layer on single columns: published similarity, and WRF's answer.
#include <cmath>

#include <gtest/gtest.h>

#include "surface_case.hpp"

namespace squall {
namespace {

using test::SurfaceCase;

void exchange(SurfaceCase &c, int times) {
    const auto scheme = surface_layer_scheme("mm5").make();
    for (int n = 0; n < times; ++n) scheme->exchange(c.surface());
}

/// Wind and temperature scale profiles from the surface to the lowest layer, over land of 0.1 m of roughness.
double momentum(const SurfaceCase &c) { return c.at(SurfaceCase::profile_m); }
double heat(const SurfaceCase &c) { return c.at(SurfaceCase::profile_h); }

TEST(Mm5, NeutralAirHasTheLogarithmicProfile) {
    SurfaceCase c;
    c.set(SurfaceCase::surface_vapour, c.air.field(SurfaceCase::q)(0, 0));
    c.set(SurfaceCase::skin, c.air.field(SurfaceCase::theta)(0, 0));
    exchange(c, 20);
    EXPECT_NEAR(c.at(SurfaceCase::ust), 0.4 * std::hypot(8.0, 3.0) / std::log(25 / 0.1), 2e-3);
    EXPECT_NEAR(c.at(SurfaceCase::u10), 8 * std::log(10 / 0.1) / std::log(25 / 0.1), 0.02);
    EXPECT_NEAR(c.at(SurfaceCase::heat), 0, 0.5);
}

/// Webb (1970): phi = 1 + 5 zeta, so that psi = -5 zeta where Ri ln(z/z0) = zeta (1.1 - 5 Ri) in this scheme.
TEST(Mm5, StableAirFollowsWebbUpToTheCriticalRichardsonNumber) {
    for (const double skin : {297.0, 295.0, 292.0}) {
        SurfaceCase c;
        c.set(SurfaceCase::skin, skin);
        exchange(c, 3);
        const double ri = c.at(SurfaceCase::richardson), neutral = std::log(25 / 0.1);
        ASSERT_GT(ri, 0.005);
        ASSERT_LT(ri, 0.12);
        const double zeta = ri * neutral / (1.1 - 5 * ri);
        EXPECT_NEAR(momentum(c), neutral + 5 * zeta, 1e-4 * neutral) << skin;
        EXPECT_NEAR(heat(c), momentum(c), 1e-5) << skin;
    }
    SurfaceCase calm;
    calm.set(SurfaceCase::skin, 285);
    calm.set_all(SurfaceCase::u, 0, 1);
    calm.set_all(SurfaceCase::v, 0, 0);
    exchange(calm, 10);
    EXPECT_GT(calm.at(SurfaceCase::richardson), 0.2);
    EXPECT_NEAR(momentum(calm), std::log(25 / 0.1) + 10, 1e-4);
    EXPECT_FLOAT_EQ(float(calm.at(SurfaceCase::ust)), 0.1F); // the least over land
}

/// Dyer and Hicks (1970): phi_m = (1 - 16 zeta)^(-1/4), phi_h = phi_m^2, integrated here from z0 to z. The
/// corrections at z0, which the scheme leaves out, are the difference.
TEST(Mm5, UnstableAirFollowsDyerAndHicks) {
    SurfaceCase c;
    c.set(SurfaceCase::skin, 302);
    exchange(c, 60);
    const double ust = c.at(SurfaceCase::ust), scale = c.at(SurfaceCase::scale);
    const double per_metre = 0.4 * 9.81 / double(c.air.field(SurfaceCase::theta)(0, 0)) * scale / (ust * ust);
    ASSERT_LT(25 * per_metre, -0.05);
    double m = 0, h = 0;
    constexpr int parts = 20000;
    for (int n = 0; n < parts; ++n) { // over ln z
        const double z = 0.1 * std::exp((n + 0.5) / parts * std::log(250.0)),
                     phi = std::pow(1 - 16 * z * per_metre, -0.25);
        m += phi * std::log(250.0) / parts;
        h += phi * phi * std::log(250.0) / parts;
    }
    EXPECT_NEAR(momentum(c), m, 0.01);
    EXPECT_NEAR(heat(c), h, 0.01);
}

/// WRF 4.7.1's SFCLAY1D, compiled alone, after five calls from the same state.
struct OfWrf {
    const char *air;
    double skin, u, v, spacing;
    bool sea;
    double ust, heat, vapour, u10, heat_2m, momentum, heat_profile;
};

TEST(Mm5, IsWrfs) {
    for (const OfWrf &w : {
             OfWrf{"unstable", 306, 8, -3, 3000, false, 0.711510, 453.0849, 2.14515e-4, 6.9753, 0.101876,
                   4.8517, 4.3325},
             OfWrf{"stable", 294, 8, -3, 3000, false, 0.464543, -182.1712, 3.61027e-5, 5.8359, 0.059254,
                   7.2738, 7.2738},
             OfWrf{"damped", 290, 2, -1, 3000, false, 0.1, -30.4281, 2.85508e-6, 1.1088, 0.010538, 15.5215,
                   15.5215},
             OfWrf{"sea", 303, 8, -3, 3000, true, 0.316770, 33.6307, 2.16247e-4, 7.5378, 0.011368, 11.1813,
                   12.7729},
             OfWrf{"calm", 312, 1, 0.5, 30000, false, 0.318865, 887.1750, 2.11389e-4, 0.9026, 0.091140,
                   3.0899, 2.0},
         }) {
        SurfaceCase c;
        c.set(SurfaceCase::skin, w.skin);
        c.set(SurfaceCase::spacing, w.spacing);
        c.set_all(SurfaceCase::u, 0, w.u);
        c.set_all(SurfaceCase::v, 0, w.v);
        if (w.sea) {
            c.set(SurfaceCase::land, 0);
            c.set(SurfaceCase::roughness, 1e-4);
            c.set(SurfaceCase::availability, 1);
        }
        exchange(c, 5);
        const auto expect = [&](SurfaceCase::Row row, double theirs) {
            EXPECT_NEAR(c.at(row), theirs, 1e-3 * std::abs(theirs)) << w.air << ' ' << row;
        };
        expect(SurfaceCase::ust, w.ust);
        expect(SurfaceCase::heat, w.heat);
        expect(SurfaceCase::vapour, w.vapour);
        expect(SurfaceCase::u10, w.u10);
        expect(SurfaceCase::heat_2m, w.heat_2m);
        expect(SurfaceCase::profile_m, w.momentum);
        expect(SurfaceCase::profile_h, w.heat_profile);
    }
}

} // namespace
} // namespace squall
