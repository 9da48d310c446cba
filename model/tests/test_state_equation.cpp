#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/state_equation.hpp"

namespace squall {
namespace {

// The relative error of the departure itself, which is what the pressure gradient sees.
TEST(StateEquation, PowerOfADepartureIsAccurateRelativeToTheDeparture) {
    const double tolerance = 12 * std::numeric_limits<real>::epsilon() + 2e-8;
    for (double x : {-0.7, -0.5, -0.1, -1e-3, -1e-6, 1e-6, 1e-3, 0.1, 0.5, 1.0, 3.0}) {
        const double exact = std::expm1(1.4 * std::log1p(double(real(x))));
        EXPECT_NEAR(pow_cp_over_cv_minus_1(real(x)) / exact, 1, tolerance) << "at x = " << x;
    }
    EXPECT_EQ(pow_cp_over_cv_minus_1(0), 0);
}

TEST(StateEquation, LogarithmicLayerDepthIsTheIntegralOfPressure) {
    // From 1000 to 500 hPa and a departure of 700 Pa of column mass taken by the layer.
    for (const double lower : {60000.0, 90000.0, 100000.0}) {
        const double upper = 50000, change = 700;
        const double depth = 0.5 * (lower + change + upper) * std::log((lower + change) / upper);
        const double base = 0.5 * (lower + upper) * std::log(lower / upper);
        const LayerDepth d =
            layer_depth(real(lower + change - upper), real(0.5 * (lower + change + upper)),
                        real(lower - upper), real(0.5 * (lower + upper)), real(change), true);
        EXPECT_NEAR(d.depth / depth, 1, 1e-6);
        EXPECT_NEAR(d.departure / (depth - base), 1, 2e-4);
    }
}

TEST(StateEquation, NoDepartureOfMassIsNoDepartureOfDepth) {
    const LayerDepth d = layer_depth(3000, 60000, 3000, 60000, 0, true);
    EXPECT_EQ(d.departure, 0);
}

} // namespace
} // namespace squall
