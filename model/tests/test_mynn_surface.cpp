// The surface layer that goes with MYNN. What it does on WRF's columns: `squall lab verify columns-wrf`.
#include <cmath>

#include <gtest/gtest.h>

#include "physics/mynn_surface/roughness.hpp"
#include "physics/mynn_surface/stability.hpp"
#include "physics/revised_mm5/stability.hpp"
#include "surface_case.hpp"

namespace squall {
namespace {

using S = test::SurfaceCase;

void exchange(S &c, int times = 1) {
    const auto scheme = surface_layer_scheme("mynn").make();
    for (int n = 0; n < times; ++n) scheme->exchange(c.surface());
}

TEST(MynnSurfaceRoughness, IsThatOfThePapers) {
    using namespace mynn_surface;
    EXPECT_NEAR(viscosity(real(273.15)), 1.326e-5, 1e-9);
    EXPECT_NEAR(viscosity(real(293.15)), 1.326e-5 * 1.13412, 1e-9); // 1 + 0.13084 + 0.00332 - 0.00004
    // Charnock's 0.011 in light wind, 0.018 in a storm, with the viscous part
    EXPECT_NEAR(of_water(real(0.2), 5, 10, real(1.5e-5)), 0.011 * 0.04 / 9.81 + 0.11 * 1.5e-5 / 0.2, 1e-9);
    EXPECT_NEAR(of_water(1, 25, 10, real(1.5e-5)), 0.018 / 9.81 + 0.11 * 1.5e-5, 1e-7);
    EXPECT_EQ(of_water(3, 60, 10, real(1.5e-5)), real(2.85e-3));
    EXPECT_NEAR(scalars_of_water(1).heat, 5.5e-5, 1e-9);
    EXPECT_NEAR(scalars_of_land(real(0.1), 2500).heat, 0.1 * std::exp(-0.085 * 0.4 * 50), 1e-6);
    EXPECT_NEAR(scalars_of_land(real(0.1), real(0.1)).heat, 0.075, 1e-6);
    // Andreas: ln(z/z0) = 0.317 - 0.565 ln Re - 0.183 (ln Re)^2 over rough snow, for vapour 0.396, -0.512,
    // -0.180
    const double ust = 0.5, z0 = 0.135 * 1.3e-5 / ust + 0.035 * ust * ust / 9.8 * (5 * std::exp(-10.24) + 1);
    const double x = std::log(ust * z0 / 1.3e-5);
    const ScalarRoughness snow = scalars_of_snow(real(ust), real(1.3e-5));
    EXPECT_NEAR(std::log(snow.heat / z0), 0.317 - 0.565 * x - 0.183 * x * x, 1e-3);
    EXPECT_NEAR(std::log(snow.vapour / z0), 0.396 - 0.512 * x - 0.180 * x * x, 1e-3);
    const double calm = 0.01,
                 smooth = 0.135 * 1.3e-5 / calm + 0.035 * calm * calm / 9.8 * (5 * std::exp(-2.89) + 1);
    EXPECT_NEAR(std::log(scalars_of_snow(real(calm), real(1.3e-5)).heat / smooth),
                0.149 - 0.55 * std::log(calm * smooth / 1.3e-5), 1e-3);
}

TEST(MynnSurfaceStability, HasTheRichardsonNumberThatItIsGiven) {
    using namespace revised_mm5;
    const mynn_surface::Layer layer{25, real(0.1), real(0.01)};
    for (const double zeta : {-3.0, -0.5, 0.1, 0.5}) {
        const double low = zeta * 0.1 / 25, low_heat = zeta * 0.01 / 25;
        const double m = std::log(251) - psi_momentum(real(zeta + low)) + psi_momentum(real(low));
        const double h = std::log(2510) - psi_heat(real(zeta + low)) + psi_heat(real(low_heat));
        const auto richardson = real(zeta * h / (m * m));
        EXPECT_NEAR(mynn_surface::stability_of(richardson, layer, real(0.5 * zeta)), zeta,
                    0.02 + 0.01 * std::abs(zeta));
        EXPECT_NEAR(mynn_surface::fitted_stability(richardson, layer), zeta, 0.1 + 0.25 * std::abs(zeta));
    }
}

TEST(MynnSurface, NeutralAirHasTheLogarithmicProfileAndZilitinkevichsForHeat) {
    S c;
    c.set(S::surface_vapour, c.air.field(S::q)(0, 0));
    c.set(S::skin, c.air.field(S::theta)(0, 0));
    exchange(c, 25);
    const double speed = std::hypot(8.0, 3.0), ust = 0.4 * speed / std::log(25.1 / 0.1);
    EXPECT_NEAR(c.at(S::ust), ust, 2e-3);
    EXPECT_NEAR(c.at(S::u10), 8 * std::log(10.1 / 0.1) / std::log(25.1 / 0.1), 0.02);
    const double reynolds = c.at(S::ust) * 0.1 / mynn_surface::viscosity(c.at(S::temperature));
    const double z0_heat = 0.1 * std::exp(-0.085 * 0.4 * std::sqrt(reynolds));
    EXPECT_NEAR(c.at(S::conductance), 0.4 * c.at(S::ust) / std::log(25.1 / z0_heat), 2e-4);
}

TEST(MynnSurface, HeatGoesFromWarmToColdAndStableAirHoldsItBack) {
    S warm, cold;
    warm.set(S::skin, 306);
    cold.set(S::skin, 294);
    for (S *c : {&warm, &cold}) {
        exchange(*c, 5);
        set_2m_values(c->surface());
    }
    EXPECT_GT(warm.at(S::heat), 80);
    EXPECT_LT(cold.at(S::heat), -5);
    EXPECT_GT(warm.at(S::heat_exchange), 1.5 * cold.at(S::heat_exchange));
    EXPECT_GT(warm.at(S::t2), 300);
    EXPECT_LT(warm.at(S::t2), 306);
    EXPECT_GT(cold.at(S::t2), 294);
    EXPECT_LT(cold.at(S::t2), 300);
}

TEST(MynnSurface, AsWrfLandsMixingRatioCountsAsHumidityAndColdWaterAsIce) {
    S own, wrf;
    wrf.as_wrf = true;
    for (S *c : {&own, &wrf}) {
        c->set(S::surface_vapour, 0.02);
        exchange(*c);
    }
    const double q = own.air.field(S::q)(0, 0);
    EXPECT_NEAR(own.at(S::vapour) / own.at(S::vapour_exchange), 0.02 - q, 1e-6);
    EXPECT_NEAR(wrf.at(S::vapour) / wrf.at(S::vapour_exchange), 0.02 / 0.98 - q, 1e-6);
    EXPECT_EQ(own.at(S::air_saturation), 0);
    EXPECT_GT(wrf.at(S::air_saturation), 0.02);
    for (S *c : {&own, &wrf}) {
        c->set(S::land, 0);
        c->set(S::skin, 263.15);
        exchange(*c);
    }
    EXPECT_NEAR(wrf.at(S::surface_vapour) / own.at(S::surface_vapour), 2.60 / 2.865,
                3e-3); // hPa at -10 degrees
}

TEST(MynnSurface, AColumnDoesNotDependOnItsNeighbours) {
    S one, many(32);
    one.set(S::skin, 308);
    for (int i = 0; i < 32; ++i) {
        const auto at = static_cast<std::size_t>(i);
        many.rows[S::skin][at] = real(i == 17 ? 308 : 285 + i);
        many.rows[S::land][at] = real(i % 2);
    }
    exchange(one, 3);
    exchange(many, 3);
    for (const auto row : {S::ust, S::heat, S::vapour, S::u10, S::heat_2m, S::scale})
        EXPECT_EQ(one.at(row), many.at(row, 17)) << row;
}

} // namespace
} // namespace squall
