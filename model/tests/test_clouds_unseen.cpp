// Clouds that radiation does not see, physics.cloud_radiation.
#include <gtest/gtest.h>

#include "physics/radiation.hpp"
#include "radiated_storm.hpp"

namespace squall {
namespace {

/// Longwave radiation that comes down under a cloud of so much water [kg kg-1].
double longwave_under(real water, bool seen) {
    constexpr int nz = 30;
    Config c = test::radiated_storm("broadband", {8, 8, nz});
    c.physics.cloud_radiation = seen;
    const Patch patch = make_patch(0, 1, 1, 8, 8, nz, c.domain.boundaries);
    InitialState s = make_initial_state(c, patch);
    Array3 &cloud = s.state.scalars[static_cast<std::size_t>(s.scalars.cloud)];
    for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 8; ++i) cloud(i, 5, j) = water;
    const Array3 p = test::pressure_of(s);
    Radiation radiation(c, s.scalars, patch);
    radiation.begin(0);
    radiation.advance({s.grid, s.state, p.view(), s.ground, s.physics});
    return double(s.physics.radiation.longwave_down(3, 3));
}

TEST(CloudsUnseen, LeaveTheRadiationOfClearAir) {
    const double clear = longwave_under(0, true);
    EXPECT_GT(longwave_under(real(1e-3), true), clear + 2);
    // but for the weight of the water
    EXPECT_NEAR(longwave_under(real(1e-3), false), clear, 0.2);
}

} // namespace
} // namespace squall
