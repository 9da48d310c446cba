#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/elementary.hpp"

namespace squall {
namespace {

/// Distance in units of the last place of the float next to the exact value.
double ulps(float value, double exact) {
    const float near = static_cast<float>(exact);
    return std::abs(value - exact) / (std::nextafter(near, std::numeric_limits<float>::infinity()) - near);
}

TEST(Elementary, ExponentialIsRoundedOnce) {
    double worst = 0;
    for (float x = -80; x < 85; x += 0.00731F)
        worst = std::max(worst, ulps(exponential(x), std::exp(double(x))));
    EXPECT_LT(worst, 0.51);
    EXPECT_EQ(exponential(0.0F), 1.0F);
}

TEST(Elementary, PowerIsRoundedOnce) {
    for (const float y : {0.1364F, 0.2046F, 0.525F, 0.875F, 2.0F / 7, 1004.0F / 287, -0.75F, 2.0F}) {
        double worst = 0;
        for (float x = 1e-9F; x < 1e9F; x *= 1.00713F)
            worst = std::max(worst, ulps(power(x, y), std::pow(double(x), double(y))));
        EXPECT_LT(worst, 0.51) << "exponent " << y;
        EXPECT_EQ(power(1.0F, y), 1.0F);
    }
}

TEST(Elementary, PowerOfNothingIsNothing) {
    EXPECT_EQ(power(0.0F, 0.875F), 0.0F);
    EXPECT_EQ(power(-1e-8F, 0.875F), 0.0F);
    EXPECT_EQ(power(0.0, 0.875), 0.0);
}

TEST(Elementary, SineIsRoundedOnce) {
    double worst = 0;
    for (float x = -1.5707963F; x <= 1.5707963F; x += 1.3e-5F)
        worst = std::max(worst, ulps(sine(x), std::sin(double(x))));
    for (float x = 1e-9F; x < 1.5707963F; x *= 1.00713F)
        worst = std::max(worst, ulps(sine(x), std::sin(double(x))));
    EXPECT_LT(worst, 0.51);
    EXPECT_EQ(sine(0.0F), 0.0F);
}

} // namespace
} // namespace squall
