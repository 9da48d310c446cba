// Tiedtke's older scheme on single columns: tropics with and without convergence, dry air aloft, air that
// lifts aloft. Its tendencies on WRF's columns: `squall lab verify columns-wrf`.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "physics/tiedtke_1989/closure.hpp"
#include "tiedtke_case.hpp"

namespace squall {
namespace {

namespace older = tiedtke_1989;
using test::SuppliedTropics;
using test::Tropics;

/// Column 0 for the parts of the scheme.
older::Air air_of(SuppliedTropics &c) {
    older::Air air(c.nz);
    air.interval = 60, air.vapour_flux = real(5e-5);
    for (int k = 0; k < c.nz; ++k) {
        air.pressure[k] = real(c.at(Tropics::p, k));
        air.temperature[k] = real(c.at(Tropics::t, k));
        air.vapour[k] = real(c.at(Tropics::q, k) / (1 + c.at(Tropics::q, k)));
        air.depth[k] = real(c.at(Tropics::dz, k));
        air.mass[k] = real(c.at(Tropics::rho, k) * c.thickness);
        air.u[k] = real(c.at(Tropics::u, k));
        air.v[k] = real(c.at(Tropics::v, k));
        air.moistening[k] = real(c.at(Tropics::moistening, k));
    }
    air.complete();
    return air;
}

double heat_moved(Tropics &c) {
    return c.integral([&](int k) { return std::abs(c.warming_of(k)); });
}

TEST(Tiedtke1989, SaturationKeepsMoistEnthalpy) {
    for (const double kelvin : {295.0, 260.0}) {
        const double latent = kelvin > 273.16 ? 2.5e6 : 2.85e6;
        for (const double humidity : {1.2, 0.7}) {
            const older::Moist before{real(kelvin),
                                      real(humidity) * older::saturation(real(kelvin), real(7e4))};
            older::Moist air = before;
            older::saturate(real(7e4), older::Change::either, air);
            EXPECT_NEAR(air.q, older::saturation(air.t, real(7e4)), 2e-3 * air.q);
            EXPECT_NEAR(double(older::heat_capacity) * double(air.t - before.t) +
                            latent * double(air.q - before.q),
                        0, 0.2);
        }
    }
    // Goff and Gratch (1946), within 0.6 %: 23.37 hPa at 293.15 K over water, 1.032 hPa at 253.15 K over ice.
    EXPECT_NEAR(older::saturation(real(293.15), real(1e5)), 0.622 * 2337 / (1e5 - 0.378 * 2337), 9e-5);
    EXPECT_NEAR(older::saturation(real(253.15), real(1e5)), 0.622 * 103.2 / (1e5 - 0.378 * 103.2), 4e-6);
}

TEST(Tiedtke1989, EnergyWaterAndMomentumAreClosed) {
    for (const double humidity : {0.85, 0.9, 0.95}) {
        SuppliedTropics c(humidity);
        c.convect();
        const double heat = heat_moved(c);
        EXPECT_GT(heat, 100) << humidity; // [W m-2]
        EXPECT_GT(c.rate[0], 0) << humidity;
        EXPECT_NEAR(c.energy(), 0, 3e-6 * heat) << humidity; // rounding of single precision
        EXPECT_NEAR(c.water() * c.latent, 0, 3e-6 * heat) << humidity;
        const double stress = c.integral([&](int k) { return std::abs(c.at(Tropics::du, k)); });
        EXPECT_GT(stress, 1e-3);
        EXPECT_NEAR(c.integral([&](int k) { return c.at(Tropics::du, k); }), 0, 1e-4 * stress);
    }
}

/// WRF's form does not release the heat of what freezes on its way up: 3.5e5 J kg-1 of all condensate that
/// passes 0 degrees; nor that of the wind's energy. Its water is closed per mass of all air, within 2 %.
TEST(Tiedtke1989, WrfsFormLosesTheHeatOfFreezing) {
    SuppliedTropics c;
    c.convect(true);
    const double heat = heat_moved(c);
    EXPECT_LT(c.energy(), -0.005 * heat);
    EXPECT_GT(c.energy(), -0.2 * heat);
    EXPECT_NEAR(c.water(), 0, 0.03 * double(c.rate[0]));
}

/// Nordeng (1994): sinking air between the clouds takes CAPE in 40 minutes.
TEST(Tiedtke1989, DeepConvectionUsesUpTheAvailableEnergyIn40Minutes) {
    SuppliedTropics c;
    const older::Air air = air_of(c);
    older::Cloud cloud = older::find_cloud(air);
    older::Updraught up(air.nz);
    ASSERT_TRUE(up.rise(air, cloud));
    ASSERT_EQ(cloud.kind, older::Kind::deep);
    EXPECT_GT(air.z[up.top], 8000);
    older::Downdraught down(air.nz);
    down.sink(air, cloud, up);
    ASSERT_GT(down.start, 0);
    const auto heavy_theta = [&](int k) {
        return c.at(Tropics::t, k) / c.at(Tropics::pi, k) * (1 + 0.61 * double(air.vapour[k]));
    };
    double energy = 0, taken = 0;
    for (int k = cloud.base; k < up.top; ++k) {
        const double around = double(air.t[k]) * (1 + 0.608 * double(air.q[k]));
        const double parcel = double(up.t[k]) * (1 + 0.608 * double(up.q[k]) - double(up.liquid[k]));
        energy += 9.81 * (parcel / around - 1) * c.thickness;
        taken += 9.81 * std::log(heavy_theta(k) / heavy_theta(k - 1)) * double(up.flux[k] - down.flux[k]) *
                 287 * double(air.t[k]) / double(air.p[k]);
    }
    const double flux = double(older::closed_flux(air, cloud, up, down)) / double(cloud.flux);
    EXPECT_NEAR(flux * taken * 2400, energy, 0.08 * energy);
}

/// Tiedtke (1989, section 2c2): without convergence clouds are shallow and move the vapour that the sea
/// gives.
TEST(Tiedtke1989, WithoutConvergenceCloudsAreShallowAndMoveWhatTheSeaGives) {
    SuppliedTropics c(0.85, 0);
    const older::Air air = air_of(c);
    older::Cloud cloud = older::find_cloud(air);
    EXPECT_EQ(cloud.kind, older::Kind::shallow);
    const double excess = double(cloud.air.q + cloud.liquid - air.q[cloud.base]);
    EXPECT_NEAR(double(cloud.flux) * excess, 5e-5, 1e-7);
    older::Updraught up(air.nz);
    ASSERT_TRUE(up.rise(air, cloud));
    SuppliedTropics with;
    older::Cloud deep = older::find_cloud(air_of(with));
    EXPECT_EQ(deep.kind, older::Kind::deep);
    EXPECT_NEAR(deep.entrainment * 12, cloud.entrainment, 1e-9);
}

TEST(Tiedtke1989, NoneWithoutSupplyOrInStableOrInDryAir) {
    SuppliedTropics stable(0.85, 1e-8, 4), dry(0.1), unsupplied(0.85, 0);
    for (int k = 0; k < 2; ++k) unsupplied.storage.field(Tropics::moistening)(0, k) = 0;
    // Above 2 km less than the 70 % of humidity that deep convection needs (Zhang et al. 2011).
    SuppliedTropics dry_aloft;
    for (int k = 8; k < dry_aloft.nz; ++k) dry_aloft.storage.field(Tropics::q)(0, k) *= real(0.5);
    for (SuppliedTropics *c : {&stable, &dry, &unsupplied, &dry_aloft}) {
        c->storage.field(Tropics::heating)(0, 5) = 1; // of convection that has ended
        c->convect();
        EXPECT_EQ(c->rate[0], 0);
        EXPECT_EQ(c->remaining[0], 0);
        EXPECT_EQ(heat_moved(*c), 0);
    }
}

TEST(Tiedtke1989, AirThatRisesMoistAloftHasCloudsOfItsOwn) {
    SuppliedTropics c(0.3);
    for (int k = 14; k < 40; ++k)
        c.storage.field(Tropics::q)(0, k) =
            real(0.99) * older::saturation(real(c.at(Tropics::t, k)), real(c.at(Tropics::p, k)));
    c.convect();
    EXPECT_EQ(c.remaining[0], 0); // none without rising
    for (int k = 5; k < 40; ++k) c.storage.field(Tropics::w)(0, k) = real(0.05);
    c.convect();
    EXPECT_EQ(c.remaining[0], 120); // until the next call, be it a step late
    EXPECT_GT(heat_moved(c), 1);
    EXPECT_NEAR(c.energy(), 0, 1e-5 * heat_moved(c));
    EXPECT_NEAR(c.water() * c.latent, 0, 1e-5 * heat_moved(c));
}

TEST(Tiedtke1989, AColumnDoesNotDependOnItsNeighbours) {
    SuppliedTropics one, many(0.85, 1e-8, 0, 32);
    expect_no_dependence_on_neighbours(one, many);
}

/// Of air of any humidity and stability, supplied and lifted in any way, in both forms: water and momentum,
/// and energy in the scheme's own; no more vapour used up than there is, no negative cloud or rain.
TEST(Tiedtke1989, KeepsEnergyWaterAndMomentumInAnyAir) {
    std::mt19937 random(7);
    const auto from = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    int convecting = 0, none = 0, raining = 0;
    for (int n = 0; n < 400; ++n) {
        SuppliedTropics c(from(0.6, 1.0), from(-2e-8, 5e-8), from(-0.3, 0.6));
        for (int k = 0; k < c.nz; ++k) {
            c.storage.field(Tropics::w)(0, k) = real(from(-0.05, 0.1));
            c.storage.field(Tropics::t)(0, k) += real(from(-0.1, 0.1));
            c.storage.field(Tropics::q)(0, k) *= real(from(0.95, 1.03));
            c.storage.field(Tropics::u)(0, k) += real(from(-5, 5));
        }
        c.convect();
        const double heat = heat_moved(c);
        none += heat == 0, convecting += heat > 0, raining += c.rate[0] > 0;
        EXPECT_GE(c.rate[0], 0);
        EXPECT_NEAR(c.energy(), 0, 1e-5 * heat + 1e-4) << n;
        EXPECT_NEAR(c.water() * c.latent, 0, 1e-5 * heat + 1e-4) << n;
        const double stress = c.integral([&](int k) { return std::abs(c.at(Tropics::du, k)); });
        EXPECT_NEAR(c.integral([&](int k) { return c.at(Tropics::du, k); }), 0, 1e-4 * stress + 1e-9) << n;
        for (int k = 0; k < c.nz; ++k) {
            ASSERT_TRUE(std::isfinite(c.at(Tropics::heating, k))) << n;
            EXPECT_GE(c.at(Tropics::dc, k), 0);
            EXPECT_GE(c.at(Tropics::di, k), 0);
            EXPECT_GT(c.at(Tropics::q, k) + 60 * c.at(Tropics::dq, k), 0);
        }
    }
    EXPECT_GT(convecting, 100);
    EXPECT_GT(none, 20);
    EXPECT_GT(raining, 50);
}

} // namespace
} // namespace squall
