#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "core/constants.hpp"
#include "physics/microphysics_scheme.hpp"
#include "physics/saturation.hpp"

namespace squall {
namespace {

/// Three columns of one layer at 850 hPa: too moist, dry with cloud to spare, dry with little cloud.
struct Air {
    static constexpr int n = 3;
    std::array<real, n> theta{300, 300, 300}, vapour{real(0.018), real(0.012), real(0.001)},
        cloud{0, real(0.009), real(1e-4)}, pressure{}, exner{};
    Air() {
        pressure.fill(85000);
        exner.fill(real(std::pow(0.85, 2.0 / 7)));
    }
    MoistColumns columns() {
        MoistColumns c;
        c.n = n, c.nz = 1, c.dt = 10;
        c.theta = {theta.data(), n}, c.vapour = {vapour.data(), n}, c.cloud = {cloud.data(), n};
        c.pressure = {pressure.data(), n}, c.exner = {exner.data(), n};
        return c;
    }
    double saturation(std::size_t i) const { return saturation_over_water(theta[i] * exner[i], pressure[i]); }
};

TEST(Condensation, LeavesAirSaturatedOrWithoutCloudAndKeepsWaterAndEnthalpy) {
    const Air before;
    Air after;
    microphysics_scheme("condensation").make(1)->advance(after.columns());
    EXPECT_NEAR(after.vapour[0] / after.saturation(0), 1, 2e-6);
    EXPECT_GT(after.cloud[0], 1e-3);
    EXPECT_NEAR(after.vapour[1] / after.saturation(1), 1, 2e-6);
    EXPECT_GT(after.cloud[1], 0);
    EXPECT_EQ(after.cloud[2], 0);
    EXPECT_LT(after.vapour[2], after.saturation(2));
    for (std::size_t i = 0; i < Air::n; ++i) {
        EXPECT_NEAR(after.vapour[i] + after.cloud[i], before.vapour[i] + before.cloud[i], 3e-9);
        const double warmed = (double(after.theta[i]) - before.theta[i]) * after.exner[i] * constants::c_p;
        EXPECT_NEAR(warmed, 2.5e6 * (double(after.cloud[i]) - before.cloud[i]), 0.3);
    }
}

TEST(Condensation, ChangesNothingInBalance) {
    Air once;
    microphysics_scheme("condensation").make(1)->advance(once.columns());
    Air twice = once;
    microphysics_scheme("condensation").make(1)->advance(twice.columns());
    for (std::size_t i = 0; i < Air::n; ++i) EXPECT_NEAR(twice.theta[i], once.theta[i], 1e-4);
}

} // namespace
} // namespace squall
