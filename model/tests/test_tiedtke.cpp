// Tiedtke's scheme on single columns: tropics, trade winds, air that lifts aloft. Where it convects among
// WRF's columns: `squall lab verify columns-wrf`.
#include <cmath>

#include <gtest/gtest.h>

#include "tiedtke_case.hpp"

namespace squall {
namespace {

using namespace tiedtke;
using test::air_of;
using test::Tropics;

TEST(Tiedtke, ParcelsSaturateWithoutAChangeOfFrozenMoistStaticEnergy) {
    for (const double kelvin : {290.0, 262.0, 235.0}) {
        Parcel parcel;
        parcel.water = real(1.5) * saturation(real(kelvin), real(6e4));
        parcel.h = heat_capacity * real(kelvin) + vaporisation * parcel.water + gravity * 4000;
        saturate(real(6e4), 4000, real(kelvin), parcel);
        EXPECT_NEAR(parcel.vapour, saturation(parcel.temperature, real(6e4)), 1e-3 * parcel.vapour);
        EXPECT_GT(parcel.condensate(), 0);
        EXPECT_NEAR(parcel.liquid / parcel.condensate(), liquid_share(parcel.temperature), 1e-2);
        EXPECT_NEAR(heat_capacity * parcel.temperature + vaporisation * parcel.vapour - fusion * parcel.ice +
                        gravity * 4000,
                    parcel.h, 0.1);
    }
}

TEST(Tiedtke, DeepConvectionInTheTropicsRainsAndLeavesCloud) {
    Tropics c;
    c.convect();
    const double rain = double(c.rate[0]);
    EXPECT_GT(rain, 0);
    EXPECT_GT(-c.integral([&](int k) { return c.at(Tropics::dq, k); }), rain);
    for (int k = 0; k < c.nz; ++k) EXPECT_GE(c.at(Tropics::dc, k), 0);
}

/// Bechtold et al. (2014, equations 6 to 18): sinking air between the clouds takes PCAPE in the time in which
/// the updraught passes through the cloud, times the factor of the cells.
TEST(Tiedtke, DeepConvectionUsesUpTheAvailableEnergyInItsTime) {
    Tropics c;
    Air air = air_of(c);
    Cloud cloud = find_cloud(air);
    Updraught up(air.nz);
    up.rise(air, cloud);
    ASSERT_EQ(cloud.kind, Kind::deep);
    Downdraught down(air.nz);
    down.sink(air, cloud, up);
    const auto heavy_theta = [&](int k) { // virtual potential temperature of a layer
        return c.at(Tropics::t, k) / c.at(Tropics::pi, k) *
               (1 + double(constants::virtual_factor) * c.at(Tropics::q, k));
    };
    double energy = 0, taken = 0; // [Pa], [Pa s-1]
    for (int k = cloud.base; k < cloud.top; ++k) {
        const double around = double(air.virtual_temperature(k));
        energy += (double(up.parcel[static_cast<std::size_t>(k)].density_temperature()) / around - 1) *
                  (c.at(Tropics::p, k - 1) - c.at(Tropics::p, k));
        taken += std::log(heavy_theta(k) / heavy_theta(k - 1)) * double(gravity) *
                 double(up.flux[k] - down.flux[k]);
    }
    ASSERT_LT(energy, 5000); // the scheme's bound
    const double passing = double(air.z[cloud.top] - air.z[cloud.base]) / (2 + double(up.speed));
    ASSERT_GT(passing, 360);
    EXPECT_NEAR(double(close(air, cloud, up, down)) * taken * passing * double(scale_factor(25000)), energy,
                0.05 * energy);
    const auto flux = [&](real dx) {
        air.spacing = dx;
        return double(close(air, cloud, up, down));
    };
    EXPECT_NEAR(flux(3000) / flux(15000), double(scale_factor(15000) / scale_factor(3000)), 1e-5);
}

TEST(Tiedtke, EnergyWaterAndMomentumAreClosed) {
    for (const double humidity : {0.85, 0.9, 0.95}) {
        Tropics c(1, humidity);
        c.convect();
        const double heat = c.integral([&](int k) { return std::abs(c.warming_of(k)); });
        EXPECT_GT(heat, 100) << humidity;                    // [W m-2]
        EXPECT_NEAR(c.energy(), 0, 1e-6 * heat) << humidity; // rounding of single precision
        EXPECT_NEAR(c.water() * double(vaporisation), 0, 1e-6 * heat) << humidity;
        const double stress = c.integral([&](int k) { return std::abs(c.at(Tropics::du, k)); });
        EXPECT_GT(stress, 1e-3);
        EXPECT_NEAR(c.integral([&](int k) { return c.at(Tropics::du, k); }), 0, 1e-4 * stress);
    }
}

TEST(Tiedtke, WindIsMixedDownItsShear) {
    Tropics c;
    c.convect();
    EXPECT_LT(c.integral([&](int k) {
        return c.at(Tropics::u, k) * c.at(Tropics::du, k) + c.at(Tropics::v, k) * c.at(Tropics::dv, k);
    }),
              0);
}

TEST(Tiedtke, StableOrDryAirHasNone) {
    Tropics stable(1, 0.85, 4), dry(1, 0.1);
    for (Tropics *c : {&stable, &dry}) {
        c->storage.field(Tropics::heating)(0, 5) = 1; // of convection that has ended
        c->convect();
        EXPECT_EQ(c->rate[0], 0);
        EXPECT_EQ(c->remaining[0], 0);
        for (int k = 0; k < c->nz; ++k) {
            EXPECT_EQ(c->at(Tropics::heating, k), 0);
            EXPECT_EQ(c->at(Tropics::du, k), 0);
        }
    }
}

TEST(Tiedtke, SmallerCellsLeaveMoreToTheGrid) {
    const auto heating = [](double dx) {
        Tropics c;
        c.spacing[0] = real(dx);
        c.convect();
        return c.integral([&](int k) { return std::abs(c.warming_of(k)); });
    };
    // Where their parts meet, at 15 km, (1.06133)^3 and 1 + 0.2.
    EXPECT_NEAR(scale_factor(real(14999)), scale_factor(15000), 5e-3);
    EXPECT_NEAR(scale_factor(3000), 19.06, 0.05); // (1.06133 + ln 5)^3
    double before = 1e9;
    for (const double dx : {15e3, 9e3, 3e3, 1e3}) {
        const double now = heating(dx);
        EXPECT_LT(now, before) << dx;
        EXPECT_GT(now, 0) << dx;
        before = now;
    }
}

/// Over a sea that gives heat and vapour; 100 m layers.
Air trade_winds() {
    constexpr int nz = 40, thick = 100;
    Air air(nz);
    double pressure = 101500;
    for (int k = 0; k < nz; ++k) {
        const double z = thick * (k + 0.5);
        const auto [theta, q] = test::trade_wind(z);
        const double kelvin = theta * std::pow(pressure / 1e5, 2.0 / 7),
                     density = pressure / (287 * kelvin * (1 + 0.61 * q));
        air.pressure[k] = real(pressure - 9.81 * density * thick / 2);
        air.temperature[k] = real(theta * std::pow(double(air.pressure[k]) / 1e5, 2.0 / 7));
        air.vapour[k] = real(q);
        air.depth[k] = thick;
        air.mass[k] = real(density * thick / (1 + q));
        air.u[k] = real(-8.75);
        // Fluxes of 8e-3 K m/s and 5.2e-5 m/s from the sea, spread over 500 m; radiation takes 2 K a day.
        air.warming[k] = real((z < 500 ? 8e-3 / 500 : 0) - 2.0 / 86400);
        air.moistening[k] = real(z < 500 ? 5.2e-5 / 500 : 0);
        pressure -= 9.81 * density * thick;
    }
    air.heat_flux = real(9.5);
    air.vapour_flux = real(6.1e-5);
    air.spacing = 25000;
    air.interval = 60;
    air.complete();
    return air;
}

TEST(Tiedtke, TradeWindCloudsAreShallowAndMoveWhatTheSeaGives) {
    const Air air = trade_winds();
    Cloud cloud = find_cloud(air);
    ASSERT_EQ(cloud.kind, Kind::shallow);
    EXPECT_NEAR(air.z[cloud.base], 600, 101); // where what is mixed below condenses, by a layer
    Updraught up(air.nz);
    up.rise(air, cloud);
    ASSERT_EQ(cloud.kind, Kind::shallow);
    EXPECT_GE(air.z[cloud.top], 1480); // in the inversion, as large eddies' (Siebesma et al. 2003)
    EXPECT_LE(air.z[cloud.top], 2000);
    const Downdraught down(air.nz); // none
    // What comes from below leaves through the base: 9.5 W m-2 and 6.1e-5 kg m-2 s-1, less 2 K a day.
    double supply = 0;
    for (int k = 0; k < cloud.base; ++k)
        supply += double(air.mass[k]) * (double(heat_capacity) * double(air.warming[k]) +
                                         double(vaporisation) * double(air.moistening[k]));
    EXPECT_NEAR(supply, 146, 10); // [W m-2]
    const double excess = double(heat_capacity * (cloud.parcel.temperature - air.t[cloud.base]) +
                                 vaporisation * (cloud.parcel.water - air.q[cloud.base]));
    const double flux = double(first_flux * close(air, cloud, up, down));
    EXPECT_NEAR(flux * excess, supply, 1e-3 * supply);
}

TEST(Tiedtke, AirThatRisesMoistAloftHasCloudsOfItsOwn) {
    Tropics c(1, 0.3);
    for (int k = 14; k < 40; ++k)
        c.storage.field(Tropics::q)(0, k) =
            real(0.99) * saturation(real(c.at(Tropics::t, k)), real(c.at(Tropics::p, k)));
    c.heat[0] = c.vapour[0] = 0;
    c.convect();
    EXPECT_EQ(c.remaining[0], 0); // none without rising
    for (int k = 5; k < 30; ++k) c.storage.field(Tropics::w)(0, k) = real(0.05);
    c.convect();
    EXPECT_EQ(c.remaining[0], 120); // until the next call, be it a step late
    for (int k = 0; k < 13; ++k) EXPECT_EQ(c.at(Tropics::dc, k), 0);
    EXPECT_NEAR(c.energy(), 0, 0.1);
    EXPECT_NEAR(c.water() * double(vaporisation), 0, 0.1);
}

TEST(Tiedtke, AColumnDoesNotDependOnItsNeighbours) {
    Tropics one, many(32);
    test::expect_no_dependence_on_neighbours(one, many);
}

} // namespace
} // namespace squall
