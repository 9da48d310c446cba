// Convective mixing of tracers: the plume that a column has, and the matrix that mixes by it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "physics/saturation.hpp"
#include "physics/tracers/convective_matrix.hpp"
#include "physics/tracers/plume.hpp"

namespace squall {
namespace {

/// 40 layers of 500 m: a lapse rate [K/km] up to 12 km and none above, relative humidity falling from
/// `humidity` at the ground.
AirColumn column(double lapse_rate, double humidity, double surface_temperature = 302) {
    AirColumn air(40);
    double pressure = 1e5;
    for (int k = 0; k < 40; ++k) {
        const double z = 500 * (k + 0.5), t = surface_temperature - lapse_rate * 1e-3 * std::min(z, 12000.0);
        const double ratio = std::exp(-9.81 * 250 / (287 * t));
        air.pressure[k] = pressure * ratio;
        air.mass[k] = pressure * (1 - ratio * ratio) / 9.81;
        pressure *= ratio * ratio;
        air.temperature[k] = t;
        air.vapour[k] =
            humidity * std::exp(-z / 4000) * saturation_over_water(real(t), real(air.pressure[k]));
        air.height[k] = z;
        air.depth[k] = 500;
    }
    return air;
}

double mass_of(const AirColumn &air, const std::vector<real> &q) {
    double sum = 0;
    for (int k = 0; k < air.layers(); ++k) sum += air.mass[k] * q[k];
    return sum;
}

std::vector<real> mixed(const AirColumn &air, const Plume &plume, double dt, std::vector<real> q) {
    ConvectiveMatrix matrix(air.layers());
    matrix.factor(air, plume, dt);
    matrix.apply(q.data(), 1);
    return q;
}

TEST(Plume, TheTropicsHaveDeepOnes) {
    const Plume plume = find_plume(column(7, 0.9));
    EXPECT_EQ(plume.first, 0);
    EXPECT_GE(plume.last, 16); // above 8 km
    EXPECT_LE(plume.last, 28);
    EXPECT_GT(plume.cape, 300);
    EXPECT_GT(plume.flux, 0.005);
    EXPECT_LT(plume.flux, 0.3);
}

TEST(Plume, StableAirHasNone) {
    EXPECT_EQ(find_plume(column(3, 0.9)).flux, 0);
    EXPECT_EQ(find_plume(column(7, 0.05)).flux, 0);
    EXPECT_EQ(find_plume(column(9, 0)).flux, 0); // dry, just below neutral
}

TEST(Plume, AirThatIsMoreUnstableHasStrongerOnes) {
    const Plume weak = find_plume(column(6.5, 0.9)), strong = find_plume(column(7.5, 0.9));
    EXPECT_GT(weak.flux, 0);
    EXPECT_GT(strong.flux, 1.3 * weak.flux);
    EXPECT_GT(strong.cape, 1.3 * weak.cape);
}

TEST(Plume, DryAirOverturnsWhereItIsSuperadiabatic) {
    const Plume plume = find_plume(column(11, 0));
    EXPECT_EQ(plume.flux, 1); // the most there is
    EXPECT_GE(plume.last, 23);
}

TEST(Plume, ALidKeepsItDown) {
    AirColumn lid = column(7, 0.9);
    for (int k = 3; k < 40; ++k) lid.temperature[k] += 8; // an inversion of 8 K at 1500 m
    EXPECT_EQ(find_plume(lid).flux, 0);
}

TEST(Plume, ItRisesFromTheMoistLayerAloft) {
    AirColumn air = column(7, 0.9);
    for (int k = 0; k < 3; ++k) air.temperature[k] -= 8, air.vapour[k] = 0.004;
    air.vapour[3] *= 1.6; // nearly saturated
    const Plume plume = find_plume(air);
    EXPECT_EQ(plume.first, 3);
    EXPECT_GT(plume.flux, 0);
}

/// For columns of the matrix: what one unit in layer `from` becomes.
TEST(ConvectiveMatrix, ColumnsSumToOneByMassAndNothingIsNegativeWhateverTheStep) {
    const AirColumn air = column(7, 0.9);
    const Plume plume = find_plume(air);
    ASSERT_GT(plume.flux, 0);
    for (const double dt : {60.0, 3600.0, 1e7})
        for (int from = 0; from < 40; ++from) {
            std::vector<real> unit(40, 0);
            unit[from] = 1;
            const auto q = mixed(air, plume, dt, unit);
            EXPECT_NEAR(mass_of(air, q) / air.mass[from], 1, 3e-7) << dt << " s, from " << from;
            EXPECT_GE(*std::min_element(q.begin(), q.end()), 0);
            EXPECT_LE(*std::max_element(q.begin(), q.end()), 1);
        }
}

TEST(ConvectiveMatrix, UniformAirStaysUniform) {
    const AirColumn air = column(7, 0.9);
    const Plume plume = find_plume(air);
    for (const double dt : {60.0, 3600.0, 1e7})
        for (const real q : mixed(air, plume, dt, std::vector<real>(40, real(0.3))))
            EXPECT_NEAR(q, real(0.3), 3e-8);
}

TEST(ConvectiveMatrix, AShortStepFollowsTheEquation) {
    const AirColumn air = column(7, 0.9);
    Plume plume;
    plume.first = 1, plume.last = 4, plume.flux = 0.1;
    // One unit in layer 1: c above it is 1, and each layer passed replaces 1e-4 x 500 m of it.
    std::vector<real> unit(40, 0);
    unit[1] = 1;
    const double dt = 1, taken = 0.05;
    const auto q = mixed(air, plume, dt, unit);
    const double c2 = 1 / (1 + taken), c3 = c2 / (1 + taken), f = dt * plume.flux;
    EXPECT_NEAR(q[1], 1 - f / air.mass[1], 2e-5 * f);
    EXPECT_NEAR(q[2] / (taken * f * c2 / air.mass[2]), 1, 0.01);
    EXPECT_NEAR(q[3] / (taken * f * c3 / air.mass[3]), 1, 0.02);
    EXPECT_NEAR(q[4] / (f * c3 / air.mass[4]), 1, 0.01);
    EXPECT_EQ(q[0], 0);
    EXPECT_EQ(q[5], 0);
    // Around the plume air sinks: one unit in layer 3 comes down to layer 2.
    std::fill(unit.begin(), unit.end(), real(0));
    unit[3] = 1;
    EXPECT_NEAR(mixed(air, plume, dt, unit)[2] / (f / air.mass[2]), 1, 0.01);
}

TEST(ConvectiveMatrix, ManyStepsMixTheColumn) {
    const AirColumn air = column(7, 0.9);
    const Plume plume = find_plume(air);
    std::vector<real> q(40, 0);
    q[0] = 1;
    const double before = mass_of(air, q);
    ConvectiveMatrix matrix(40);
    matrix.factor(air, plume, 600);
    for (int step = 0; step < 20000; ++step) matrix.apply(q.data(), 1);
    EXPECT_NEAR(mass_of(air, q) / before, 1, 1e-3); // rounding of single precision, 20000 times
    EXPECT_NEAR(q[plume.last] / q[0], 1, 1e-3);
    EXPECT_EQ(q[plume.last + 1], 0);
}

} // namespace
} // namespace squall
