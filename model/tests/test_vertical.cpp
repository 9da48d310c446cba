#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "core/constants.hpp"
#include "grid/grid.hpp"

namespace squall {
namespace {

std::vector<double> stretched_eta(int nz) {
    std::vector<double> eta;
    for (int k = 0; k <= nz; ++k) eta.push_back(std::pow(1.0 - double(k) / nz, 1.3));
    return eta;
}

TEST(VerticalGrid, PureSigmaHasEtaAsWeightOfSurfacePressure) {
    const auto v = VerticalGrid::make(stretched_eta(20), 5000, 0);
    for (int k = 0; k < v.nz; ++k) {
        EXPECT_EQ(v.c1h[k], 1);
        EXPECT_EQ(v.c2h[k], 0);
        EXPECT_EQ(v.c3h[k], v.znu[k]);
        EXPECT_EQ(v.c4h[k], 0);
    }
    for (int k = 0; k <= v.nz; ++k) {
        EXPECT_EQ(v.c1f[k], 1);
        EXPECT_EQ(v.c2f[k], 0);
        EXPECT_EQ(v.c3f[k], v.znw[k]);
        EXPECT_EQ(v.c4f[k], 0);
    }
}

TEST(VerticalGrid, HybridLayersSumToTheColumnAndAreFlatAboveEtac) {
    const double p_top = 5000, mu = 83000, etac = 0.2;
    const auto v = VerticalGrid::make(stretched_eta(30), p_top, etac);
    double mass = 0;
    for (int k = 0; k < v.nz; ++k) {
        mass -= v.dnw[k] * (v.c1h[k] * mu + v.c2h[k]);
        const double below = v.c3f[k] * mu + v.c4f[k], above = v.c3f[k + 1] * mu + v.c4f[k + 1];
        EXPECT_NEAR(-v.dnw[k] * (v.c1h[k] * mu + v.c2h[k]), below - above, 0.05);
        if (v.znw[k] < etac) {
            EXPECT_EQ(v.c3f[k], 0);
            EXPECT_NEAR(v.c4f[k], v.znw[k] * (1e5 - p_top), 0.01);
        }
    }
    EXPECT_NEAR(mass, mu, 0.05);
    EXPECT_EQ(v.c3f[0], 1);
    EXPECT_EQ(v.c4f[0], 0);
}

// Klemp (2011): B = 1 and dB/deta = 1 at the surface, B = dB/deta = 0 at etac.
TEST(VerticalGrid, HybridWeightLeavesSurfaceAndEtacSmoothly) {
    const auto v = VerticalGrid::make(stretched_eta(4000), 5000, 0.2);
    EXPECT_NEAR(v.c1h[0], 1, 1e-3);
    int last = 0;
    while (v.znw[last] > real(0.2)) ++last;
    EXPECT_NEAR(v.c3f[last - 1], 0, 1e-6);
    EXPECT_NEAR(v.c1h[last - 1], 0, 1e-2);
}

TEST(VerticalGrid, InterpolatesAndExtrapolatesLinesExactly) {
    const auto v = VerticalGrid::make(stretched_eta(12), 5000, 0);
    const auto line = [](double eta) { return 3 - 2 * eta; };
    EXPECT_NEAR(v.cf1 * line(v.znu[0]) + v.cf2 * line(v.znu[1]) + v.cf3 * line(v.znu[2]), line(1), 2e-6);
    EXPECT_NEAR(v.cfn * line(v.znu[11]) + v.cfn1 * line(v.znu[10]), line(0), 2e-6);
    for (int k = 1; k < 12; ++k) EXPECT_NEAR(v.fnm[k] * v.znu[k] + v.fnp[k] * v.znu[k - 1], v.znw[k], 1e-6);
}

TEST(VerticalGrid, RefusesEtaThatDoesNotFallFromOneToZero) {
    EXPECT_THROW(VerticalGrid::make({0.9, 0.5, 0.2, 0}, 5000, 0), std::invalid_argument);
    EXPECT_THROW(VerticalGrid::make({1, 0.5, 0.2, 0.1}, 5000, 0), std::invalid_argument);
    EXPECT_THROW(VerticalGrid::make({1, 0.5, 0.5, 0}, 5000, 0), std::invalid_argument);
    EXPECT_THROW(VerticalGrid::make({1, 0.5, 0}, 5000, 0), std::invalid_argument);
    EXPECT_THROW(VerticalGrid::make({1, 0.5, NAN, 0}, 5000, 0), std::invalid_argument);
    EXPECT_THROW(VerticalGrid::make({1, 0.6, 0.3, 0}, 5000, 1), std::invalid_argument);
}

} // namespace
} // namespace squall
