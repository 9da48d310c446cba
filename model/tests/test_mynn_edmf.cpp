// The boundary layer of predicted turbulence with plumes, MYNN-EDMF.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "physics/mynn_edmf/closure.hpp"
#include "physics/mynn_edmf/saturation.hpp"
#include "physics/mynn_edmf/steps.hpp"
#include "turbulent_case.hpp"

namespace squall {
namespace {

using test::SurfaceCase;
using test::Turbulent;
using F = SurfaceCase::Field;

/// A case in steps of its own surface layer.
struct Plumes : Turbulent {
    explicit Plumes(SurfaceCase &&made, const std::string &name = "mynn-edmf")
        : Turbulent(std::move(made), name) {}

    void run(int steps) {
        for (int n = 0; n < steps; ++n) {
            find_fluxes();
            take_step();
        }
    }
};

/// Ground warmer than the air by so much [K], and the morning's moist air.
SurfaceCase heated(double warmer, int columns = 1, real dt = 60) {
    SurfaceCase c(columns, 40, 50, dt);
    c.set(SurfaceCase::skin, 300 + warmer);
    return c;
}

TEST(MynnEdmfClosure, NeutralTurbulenceIsThatOfTheLogarithmicLayer) {
    const mynn_edmf::Stability neutral = mynn_edmf::level_2(0);
    EXPECT_NEAR(neutral.momentum, 1 / std::cbrt(24.0), 1e-4); // q = B1^(1/3) u* where K = u* L
    EXPECT_NEAR(neutral.momentum / neutral.heat, 0.74, 1e-3);
}

TEST(MynnEdmfClosure, TurbulenceOutlastsAnyStability) {
    for (const real ri : {real(1), real(10), real(1e4)}) {
        const mynn_edmf::Stability s = mynn_edmf::level_2(ri);
        EXPECT_GT(s.momentum, 0) << ri;
        EXPECT_LT(s.momentum, mynn_edmf::level_2(ri / 2).momentum) << ri;
    }
}

TEST(MynnEdmfClosure, GrowingTurbulenceMixesLessByTheRatioOfItsVelocities) {
    const real shear = real(1e-3), buoyancy = real(1e-4), length = 50;
    const mynn_edmf::Stability two = mynn_edmf::level_2(-buoyancy / shear);
    const real q = std::sqrt(mynn_edmf::b1 * length * length * (two.momentum * shear + two.heat * buoyancy));
    for (const real part : {real(0.1), real(0.5), real(0.9)}) {
        const mynn_edmf::Stability s = mynn_edmf::stability(shear, buoyancy, length, part * q);
        EXPECT_NEAR(s.growing, part, 1e-4);
        EXPECT_NEAR(s.momentum, part * two.momentum, 1e-4);
        EXPECT_NEAR(s.heat, part * two.heat, 1e-4);
    }
}

TEST(MynnEdmfGround, ProducesAsTheLogarithmicLayerDoes) {
    EXPECT_NEAR(mynn_edmf::production_of_ground(0), 1, 1e-6);
    // phi_m - z/L with phi_m = 1 + 6.1 z/L for small z/L, and falling on the unstable side.
    EXPECT_NEAR(mynn_edmf::production_of_ground(real(0.01)), 1.051, 2e-3);
    EXPECT_NEAR(mynn_edmf::production_of_ground(real(-1e-3)), 1 - 4e-3 + 1e-3, 3e-4);
    for (const double zeta : {-0.01, -0.1, -1.0, -10.0}) {
        EXPECT_GT(mynn_edmf::production_of_ground(real(zeta)), -zeta) << "phi_m > 0";
        EXPECT_LT(mynn_edmf::production_of_ground(real(zeta)) + zeta, 1) << "phi_m < 1";
    }
}

TEST(MynnEdmfSaturation, IsOverWaterWarmAndOverIceCold) {
    EXPECT_NEAR(mynn_edmf::saturation(293.15f, 1e5f), 0.622 * 2339 / (1e5 - 2339), 5e-5);
    EXPECT_NEAR(mynn_edmf::saturation(233.15f, 1e5f), 0.622 * 12.84 / 1e5, 5e-7);
    EXPECT_EQ(mynn_edmf::latent_heat(real(273.15)), mynn_edmf::vaporisation);
}

TEST(MynnEdmf, WaterAndLiquidWaterTemperatureChangeByTheSurfacesFluxes) {
    for (const double warmer : {-4.0, 6.0, 12.0}) {
        Plumes p(heated(warmer));
        for (int k = 20; k < 26; ++k) p.c.set_all(F::cloud, k, 3e-4);
        p.run(30);
        const auto water = [&](F q, F cloud) {
            return p.integral([&](int k) { return p.at(q, k) + p.at(cloud, k); });
        };
        const auto theta_l = [&] {
            return p.integral([&](int k) {
                return p.at(F::theta, k) - 2.5e6 / 1004.5 * p.at(F::cloud, k) / p.at(F::exner, k);
            });
        };
        const double water_before = water(F::q, F::cloud), theta_before = theta_l();
        p.run(1);
        const double dt = p.c.dt, vapour = double(p.c.at(SurfaceCase::vapour)) * dt,
                     heat = double(p.c.at(SurfaceCase::heat)) * dt / 1004.5;
        const double water_gain = water(F::q, F::cloud) - water_before, gain = theta_l() - theta_before;
        const double mass = p.integral([](int) { return 1.0; });
        EXPECT_NEAR(water_gain, vapour, mass * 1e-9) << warmer; // of 8e-3
        // Dissipation heats too: by less than a hundredth of a watt per kilogram.
        EXPECT_GT(gain - heat, -mass * 1e-5) << warmer;
        EXPECT_LT(gain - heat, mass * 1e-5 + mass * 0.01 * dt / 1004.5) << warmer;
    }
}

TEST(MynnEdmf, AWellMixedColumnWithoutFluxesStaysSo) {
    SurfaceCase c(1, 40, 50, 60);
    for (int k = 0; k < c.nz; ++k) {
        c.set_all(F::u, k, 5), c.set_all(F::v, k, 0), c.set_all(F::theta, k, 300), c.set_all(F::q, k, 0.004);
        c.set_all(F::qke, k, 0.5);
    }
    c.set(SurfaceCase::ust, 0), c.set(SurfaceCase::heat, 0), c.set(SurfaceCase::vapour, 0);
    c.set(SurfaceCase::speed, 5);
    Plumes p(std::move(c));
    p.mix();
    for (int k = 0; k < p.c.nz; ++k) {
        EXPECT_NEAR(p.at(F::du, k), 0, 1e-5);
        EXPECT_NEAR(p.at(F::dq, k), 0, 1e-8);
        EXPECT_GE(p.at(F::dtheta, k), -1e-4);
        EXPECT_LT(p.at(F::dtheta, k), 0.02) << "but for the heat of dissipation";
    }
}

TEST(MynnEdmf, AHeatedLayerDeepensAndIsMixed) {
    Plumes p(heated(8));
    p.run(60);
    EXPECT_GT(p.c.at(SurfaceCase::height), 400);
    EXPECT_LT(p.c.at(SurfaceCase::height), 1600);
    EXPECT_NEAR(p.at(F::theta, 6), p.at(F::theta, 3), 0.3); // they were 0.6 K apart
    EXPECT_GT(p.at(F::qke, 4), 0.3);
}

TEST(MynnEdmf, PlumesCarryHeatFarUpWhereTheGroundIsHot) {
    mynn_edmf::Column c(40);
    c.dt = 60, c.spacing = 3000, c.height = 1000;
    for (int k = 0; k < c.nz; ++k) {
        c.dz[k] = 50, c.exner[k] = real(1 - 0.0015 * k), c.pressure[k] = real(1e5 - 550 * k);
        c.density[k] = real(1.15), c.theta[k] = k < 20 ? real(300) : real(300 + 0.3 * (k - 20));
        c.vapour[k] = real(0.008), c.u[k] = 5;
    }
    c.below = {false, real(0.4), 5, 303, real(1.15), real(0.2), real(0.22), real(1e-4), real(-0.02)};
    mynn_edmf::complete(c);
    mynn_edmf::set_coarseness(c);
    mynn_edmf::raise_plumes(c);
    EXPECT_GT(c.rising.w[10], 0.1);
    EXPECT_GT(c.rising.area[10], 0.01);
    EXPECT_LE(c.rising.area[10], 0.1);
    EXPECT_GT(c.plumes.theta_l[10], c.plumes.air[10] * real(300.001)) << "warmer than what is around";
    EXPECT_EQ(c.rising.w[35], 0) << "they stop in the stable air";
    c.below.virtual_heat = real(0.001);
    mynn_edmf::raise_plumes(c);
    EXPECT_EQ(c.rising.w[1], 0) << "there are none without heat";
}

/// Layers in which plumes rise and nothing else makes, mixes or ends turbulence; `air`: through the interface
/// above layer 4 [kg m-2 s-1].
mynn_edmf::Column still_column(double air = 0) {
    mynn_edmf::Column c(10);
    c.dt = 60;
    for (int k = 0; k < c.nz; ++k) {
        c.dz[k] = 50, c.density[k] = real(1.2 - 0.01 * k), c.energy[k] = k < 3 ? real(1.5) : real(0.2);
        c.variance[k] = real(1e-8), c.length[k] = 50, c.pressure[k] = real(1e5);
    }
    c.length[c.nz] = 50;
    for (int k = 1; k < c.nz; ++k) c.density_between[k] = real(1.195 - 0.01 * (k - 1));
    for (int k = 1; k <= 5; ++k) {
        c.plumes.air[k] = real(air);
        c.plumes.energy[k] = real(1.4 * air);
    }
    return c;
}

TEST(MynnEdmf, PlumesCarryTurbulenceUpAndMakeNone) {
    const auto after = [](bool carried) {
        mynn_edmf::Column c = still_column(0.1);
        for (int k = 0; k <= c.nz; ++k) c.length[k] = real(1e9); // it does not dissipate
        c.plume_turbulence = carried;
        mynn_edmf::Tridiagonal system(c.nz);
        mynn_edmf::Profile heating(c.nz);
        mynn_edmf::predict(c, system, heating);
        return c;
    };
    const auto sum = [](const mynn_edmf::Column &c) {
        double all = 0;
        for (int k = 0; k < c.nz; ++k) all += double(c.density[k]) * 50 * double(c.energy[k]);
        return all;
    };
    const mynn_edmf::Column before = still_column(), with = after(true), without = after(false);
    EXPECT_NEAR(sum(with), sum(before), 1e-3);
    EXPECT_NEAR(sum(without), sum(before), 1e-3);
    EXPECT_GT(with.energy[5], without.energy[5] + real(0.05)) << "above the highest interface they pass";
    EXPECT_EQ(with.energy[8], real(0.2));
}

/// Turbulence that is made, mixed, dissipated and carried by plumes at level 2.5, in numbers of WRF 4.7.1: of
/// its subroutine MYM_PREDICT.
TEST(MynnEdmf, EnergyInPlumesAndBalancedVarianceAreWrfs) {
    mynn_edmf::Column c = still_column(0.1);
    c.balanced_variance = c.plume_turbulence = true;
    c.below.friction_velocity = real(0.3);
    for (int k = 1; k < c.nz; ++k) {
        c.momentum[k] = real(0.01 * k);
        c.production[k] = real(1e-4 * k);
        c.variance_production[k] = real(1e-10 * k);
    }
    mynn_edmf::Tridiagonal system(c.nz);
    mynn_edmf::Profile heating(c.nz);
    mynn_edmf::predict(c, system, heating);
    const double energy[] = {1.619677, 1.340460, 1.230993, 0.280237, 0.261773,
                             0.338694, 0.278190, 0.276216, 0.269484, 0.200000};
    const double variance[] = {6.1237e-8, 9.1856e-8, 1.5309e-7, 5.8697e-7, 7.5467e-7,
                               9.2238e-7, 1.0901e-6, 1.2578e-6, 1.4255e-6, 1.4255e-6};
    for (int k = 0; k < c.nz; ++k) {
        EXPECT_NEAR(c.energy[k], energy[k], 1e-5) << k;
        EXPECT_NEAR(c.variance[k], variance[k], 1e-4 * variance[k]) << k;
    }
}

TEST(MynnEdmf, NightsAreShallow) {
    Plumes p(heated(-6));
    p.run(120);
    EXPECT_LT(p.c.at(SurfaceCase::height), 400);
    EXPECT_LT(p.at(F::qke, 20), 0.05);
}

TEST(MynnEdmf, CloudsCoverPartOfAirThatIsNearlySaturated) {
    SurfaceCase c = heated(2);
    for (int k = 0; k < c.nz; ++k) {
        const double t = 300.0 * double(c.air.field(F::exner)(0, k));
        const double humid = k == 12 ? 0.995 : 0.5;
        c.set_all(F::q, k, humid * mynn_edmf::saturation(real(t), c.air.field(F::full_pressure)(0, k)));
    }
    Plumes p(std::move(c));
    p.run(1);
    EXPECT_GT(p.at(F::cover, 12), 0.05);
    EXPECT_LT(p.at(F::cover, 12), 0.95);
    EXPECT_EQ(p.at(F::cover, 25), 0);
}

TEST(MynnEdmf, TheBitsOfAColumnDoNotDependOnItsNeighbours) {
    Plumes one(heated(8)), many(heated(8, 3));
    for (int k = 0; k < many.c.nz; ++k) many.c.air.field(F::theta)(0, k) += 3;
    one.run(20);
    many.run(20);
    for (int k = 0; k < one.c.nz; ++k) {
        EXPECT_EQ(one.at(F::theta, k), many.at(F::theta, k, 2));
        EXPECT_EQ(one.at(F::qke, k), many.at(F::qke, k, 1));
    }
}

TEST(MynnEdmf, TheFormsOfLengthDiffer) {
    Plumes a(heated(8)), b(heated(8), "mynn-edmf-blended");
    a.run(60);
    b.run(60);
    double apart = 0;
    for (int k = 0; k < a.c.nz; ++k) apart = std::max(apart, std::abs(a.at(F::theta, k) - b.at(F::theta, k)));
    EXPECT_GT(apart, 0.01);
    EXPECT_LT(apart, 1.5);
}

} // namespace
} // namespace squall
