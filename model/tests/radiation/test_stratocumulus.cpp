// The radiation of DYCOMS-II's stratocumulus against its closed form (Stevens et al. 2005, equations 3 and
// 4), and the ozone of radiative-convective equilibrium against its maximum.
#include <cmath>

#include <gtest/gtest.h>

#include "physics/radiation/scheme.hpp"
#include "physics/radiation/standard_air.hpp"

namespace squall::radiation {
namespace {

constexpr double molecules = 28.964 / 18.016;
constexpr double mass = 10; // of a layer [kg m-2]

/// Layers of 10 kg m-2 of air of 285 K, moist in the lowest `moist` of them.
Column made_column(int layers, int moist) {
    Column c;
    c.resize(layers);
    for (int k = 0; k <= layers; ++k) {
        c.pressure[static_cast<std::size_t>(k)] = 1e5 - 9.81 * mass * k;
        c.temperature[static_cast<std::size_t>(k)] = 285;
    }
    for (int k = 0; k < layers; ++k) {
        Layer &layer = c.layers[static_cast<std::size_t>(k)];
        layer.pressure =
            0.5 * (c.pressure[static_cast<std::size_t>(k)] + c.pressure[static_cast<std::size_t>(k) + 1]);
        layer.temperature = 285;
        layer.ratios[h2o] = real((k < moist ? 9e-3 : 1.5e-3) * molecules);
    }
    return c;
}

Fluxes solved(const Column &c) {
    Fluxes longwave, shortwave;
    const auto scheme = scheme_named("stratocumulus").prepare("")();
    const Task task{&c, {}, &longwave, &shortwave};
    scheme->solve_longwave({&task, 1});
    scheme->solve_shortwave({&task, 1});
    EXPECT_EQ(shortwave.down[0], 0);
    return longwave;
}

TEST(Stratocumulus, TakesWhatItsWaterLetsThrough) {
    Column c = made_column(100, 100);
    // Half of each of two layers is cloudy: 20 g m-2 on the whole of each.
    for (const std::size_t k : {70, 71}) {
        c.layers[k].cloud[liquid] = {40, 10};
        c.layers[k].cover = 0.5;
    }
    const Fluxes f = solved(c);
    const double q = 85 * 0.04;
    EXPECT_NEAR(f.up[0], 70 * std::exp(-q) + 22, 1e-9);
    EXPECT_NEAR(f.up[71], 70 * std::exp(-q / 2) + 22 * std::exp(-q / 2), 1e-9);
    EXPECT_NEAR(f.up[100], 70 + 22 * std::exp(-q), 1e-9); // no inversion: moist to the top
    EXPECT_EQ(f.down[100], 0);
}

TEST(Stratocumulus, AboveTheInversionTheAirCoolsAsSinkingWarmsIt) {
    const Column c = made_column(200, 80);
    const Fluxes f = solved(c);
    const auto density = [](double p, double q) { return p / (287 * 285 * (1 + 0.608 * q)); };
    double z = 0, inversion = 0;
    for (int k = 0; k < 200; ++k) {
        const auto n = static_cast<std::size_t>(k);
        const double depth = mass / density(c.layers[n].pressure, k < 80 ? 9e-3 : 1.5e-3);
        if (k == 79) {
            const double wet = 9e-3 / 1.009, dry = 1.5e-3 / 1.0015;
            const double above = mass / density(c.layers[80].pressure, 1.5e-3);
            inversion = z + 0.5 * depth + (wet - 8e-3) / (wet - dry) * 0.5 * (depth + above);
        }
        z += depth;
    }
    const double over = z - inversion, rho = density(c.layers[79].pressure, 9e-3);
    const double expected =
        rho * 1004.5 * 3.75e-6 * (std::pow(over, 4. / 3) / 4 + inversion * std::cbrt(over));
    EXPECT_NEAR(f.up[200] - 92, expected, 1e-3 * expected);
    EXPECT_GT(expected, 30);
    EXPECT_NEAR(f.up[79], 92, 1e-9);
}

TEST(TropicalOzone, IsGreatestAtNineAndAHalfHectopascals) {
    Column c;
    c.resize(3);
    const double at[] = {0.83209 * 11.3515 * 100, 1200, 700};
    for (std::size_t k = 0; k < 3; ++k) c.layers[k].pressure = at[k];
    set_tropical_ozone(c);
    EXPECT_NEAR(double(c.layers[0].ratios[o3]), 10.3e-6, 0.05e-6);
    EXPECT_LT(c.layers[1].ratios[o3], c.layers[0].ratios[o3]);
    EXPECT_LT(c.layers[2].ratios[o3], c.layers[0].ratios[o3]);
}

} // namespace
} // namespace squall::radiation
