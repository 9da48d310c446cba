// Kain-Fritsch on single columns. What it does on WRF's columns: `squall lab verify columns-wrf`.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "cumulus_case.hpp"
#include "physics/convection.hpp"
#include "physics/cumulus_scheme.hpp"
#include "physics/kain_fritsch/parcel.hpp"

namespace squall {
namespace {

using namespace kain_fritsch;

/// Equal columns of 40 layers of 400 m, 25 km wide: moist and close to neutral below 1 km, conditionally
/// unstable above, and rising air.
struct Case : test::CumulusCase {
    static constexpr int nz = 40;

    explicit Case(int columns = 1, double humidity = 0.85, double updraught = 0.05)
        : CumulusCase(columns, nz) {
        double pressure = 1e5;
        for (int k = 0; k < nz; ++k) {
            const double z = 400 * k + 200, lapse = z < 12000 ? 0.0068 * z : 0.0068 * 12000;
            const double temperature = 301 - lapse;
            const double middle = pressure * std::exp(-9.81 * 200 / (287 * temperature));
            const double moist = humidity * std::exp(-z / 6000);
            set_air(k, middle, temperature, double(real(moist) * saturation(real(temperature), real(middle))),
                    400);
            for (int i = 0; i < n; ++i) {
                storage.field(u)(i, k) = real(5 + z / 1000);
                storage.field(w)(i, k) = real(updraught);
            }
            pressure *= std::exp(-9.81 * 400 / (287 * temperature));
        }
    }

    void convect() { cumulus_scheme("kain-fritsch").make(nz)->convect(columns(300)); }

    /// Mass of dry air times field of column 0, summed up.
    double integral(Field f) {
        double sum = 0;
        for (int k = 0; k < nz; ++k) sum += dry_mass(k) * double(storage.field(f)(0, k));
        return sum;
    }
    double dry_mass(int k) {
        return 400 * double(storage.field(rho)(0, k)) / (1 + double(storage.field(q)(0, k)));
    }
};

TEST(KainFritschParcel, SaturatedAirHasItsEquivalentTemperature) {
    for (const double pressure : {9e4, 5e4, 2e4}) {
        const Saturated s = saturated_air(real(pressure), real(345));
        EXPECT_NEAR(equivalent(real(pressure), s.temperature, s.vapour, s.temperature), 345, 0.1);
        EXPECT_NEAR(s.vapour, saturation(s.temperature, real(pressure)), 2e-2 * s.vapour);
    }
}

TEST(KainFritschParcel, SaturatesWhereBoltonSays) {
    // Bolton (1980), table 1's kind: 20 degrees and 70 % at 1000 hPa saturate at 13.5 degrees or so.
    const real q = real(0.7) * saturation(real(293.15), real(1e5));
    const double e = 0.7 * double(saturation_pressure(real(293.15))) / 100;
    const double bolton = 2840 / (3.5 * std::log(293.15) - std::log(e) - 4.805) + 55;
    EXPECT_NEAR(saturation_temperature(real(1e5), real(293.15), q), bolton, 0.3); // a fit of another form
}

TEST(KainFritsch, DeepConvectionWarmsAloftDriesBelowAndRains) {
    Case c;
    c.convect();
    EXPECT_GE(c.remaining[0], 1800);
    EXPECT_LE(c.remaining[0], 3600);
    EXPECT_GT(c.rate[0] * 3600, 0.5); // mm an hour
    EXPECT_LT(c.storage.field(Case::dq)(0, 0), 0);
    real most = 0;
    for (int k = 10; k < 30; ++k) most = std::max(most, c.storage.field(Case::heating)(0, k));
    EXPECT_GT(most * 3600, 0.3); // K an hour
    for (const auto f : {Case::dc, Case::di})
        for (int k = 0; k < c.nz; ++k) EXPECT_GE(c.storage.field(f)(0, k), 0);
}

TEST(KainFritsch, WaterIsClosed) {
    Case c;
    c.convect();
    const double left = c.integral(Case::dq) + c.integral(Case::dc) + c.integral(Case::dr) +
                        c.integral(Case::di) + c.integral(Case::ds);
    EXPECT_NEAR(left, -double(c.rate[0]), 1e-4 * double(c.rate[0])); // WRF allows 5 %
}

/// More of it than there is, by the vapour that air has.
TEST(KainFritsch, AsWrfItRainsByTheMassOfMoistAir) {
    Case c, wrf;
    c.convect();
    ConvectiveColumns columns = wrf.columns(300);
    columns.as_wrf = true;
    cumulus_scheme("kain-fritsch").make(wrf.nz)->convect(columns);
    double left = 0;
    for (const auto f : {Case::dq, Case::dc, Case::dr, Case::di, Case::ds}) left += wrf.integral(f);
    EXPECT_GT(double(wrf.rate[0]) / -left, 1.002);
    EXPECT_LT(double(wrf.rate[0]) / -left, 1.03);
}

/// It moves theta and vapour, and its parcels keep Bolton's equivalent temperature: neither keeps enthalpy
/// to the watt.
TEST(KainFritsch, EnthalpyIsClosedToAFewPerCentOfTheHeating) {
    for (const double humidity : {0.85, 0.95}) {
        Case c(1, humidity);
        c.convect();
        double left = 0, heat = 0;
        for (int k = 0; k < c.nz; ++k) {
            const auto at = [&](Case::Field f) { return double(c.storage.field(f)(0, k)); };
            const double mass = c.dry_mass(k), warming = 1004.5 * at(Case::pi) * at(Case::heating);
            left += mass * (warming + double(vaporisation(real(at(Case::t)))) * at(Case::dq) -
                            double(fusion) * (at(Case::di) + at(Case::ds)));
            heat += mass * std::abs(warming);
        }
        EXPECT_GT(heat, 1000); // [W m-2]
        EXPECT_NEAR(left / heat, 0, 0.06);
    }
}

/// Of trade winds under an inversion 3 K stronger than theirs; they last until the next call.
TEST(KainFritsch, ShallowCloudsRainNothingAndCloseWater) {
    constexpr int nz = 80, thick = 150;
    test::CumulusCase c(1, nz);
    double pressure = 101500;
    for (int k = 0; k < nz; ++k) {
        auto [theta, vapour] = test::trade_wind(thick * (k + 0.5));
        if (thick * k > 2000) theta += 3;
        const double kelvin = theta * std::pow(pressure / 1e5, 2.0 / 7);
        const double middle = pressure * std::exp(-9.81 * thick / 2 / (287 * kelvin));
        c.set_air(k, middle, theta * std::pow(middle / 1e5, 2.0 / 7), vapour, thick);
        c.storage.field(Case::u)(0, k) = real(-8.75);
        c.storage.field(Case::w)(0, k) = real(0.02);
        pressure *= std::exp(-9.81 * thick / (287 * kelvin));
    }
    cumulus_scheme("kain-fritsch").make(nz)->convect(c.columns(300));
    EXPECT_EQ(c.remaining[0], 300);
    EXPECT_EQ(c.rate[0], 0);
    double left = 0, moved = 0, condensed = 0;
    for (int k = 0; k < nz; ++k) {
        const auto at = [&](Case::Field f) { return double(c.storage.field(f)(0, k)); };
        const double mass = thick * at(Case::rho) / (1 + at(Case::q));
        const double water = at(Case::dc) + at(Case::dr) + at(Case::di) + at(Case::ds);
        EXPECT_GE(water, 0) << k;
        if (thick * k > 3000) {
            EXPECT_EQ(at(Case::dq), 0) << k;
        }
        left += mass * (at(Case::dq) + water);
        moved += mass * std::abs(at(Case::dq));
        condensed += mass * water;
    }
    EXPECT_GT(moved * 3600, 0.1); // mm an hour
    EXPECT_GT(condensed, 0);
    EXPECT_NEAR(left, 0, 1e-4 * moved);
}

TEST(KainFritsch, DryOrSinkingAirHasNone) {
    Case dry(1, 0.2), sinking(1, 0.6, -0.1);
    for (Case *c : {&dry, &sinking}) {
        c->storage.field(Case::heating)(0, 5) = 1; // of convection that has ended
        c->convect();
        EXPECT_EQ(c->remaining[0], 0);
        EXPECT_EQ(c->rate[0], 0);
        for (int k = 0; k < c->nz; ++k) EXPECT_EQ(c->storage.field(Case::heating)(0, k), 0);
    }
}

TEST(KainFritsch, WhatGoesOnIsLeftAlone) {
    Case c;
    c.remaining[0] = 600;
    c.storage.field(Case::heating)(0, 5) = 1;
    c.convect();
    EXPECT_EQ(c.remaining[0], 600);
    EXPECT_EQ(c.storage.field(Case::heating)(0, 5), 1);
    EXPECT_EQ(c.storage.field(Case::heating)(0, 6), 0);
}

TEST(Convection, RainEndsWithIt) {
    Config config;
    config.run.time_step = 60;
    config.physics.cumulus = "kain-fritsch";
    config.physics.cumulus_interval = 300;
    const Convection convection(config, ScalarSet{}, 3);
    const Shape shape{1, 1, 3};
    PhysicsState physics;
    physics.convection = ConvectionState(shape);
    ConvectionState &c = physics.convection;
    c.remaining(0, 0) = 120, c.rate(0, 0) = real(1e-3), c.heating(0, 1, 0) = 1;
    for (int step = 0; step < 2; ++step) {
        EXPECT_EQ(c.heating(0, 1, 0), 1) << step;
        convection.finish({0, 1, 0, 1, 0, 3}, physics);
    }
    EXPECT_EQ(c.heating(0, 1, 0), 0);
    EXPECT_EQ(c.remaining(0, 0), 0);
    convection.finish({0, 1, 0, 1, 0, 3}, physics); // before the next call
    EXPECT_NEAR(c.accumulated(0, 0), 0.12, 1e-6);
}

TEST(KainFritsch, AColumnDoesNotDependOnItsNeighbours) {
    Case one, many(32);
    for (int i = 0; i < 32; ++i)
        if (i != 17)
            for (int k = 0; k < 5; ++k) many.storage.field(Case::q)(i, k) *= real(0.7) + real(0.01) * real(i);
    one.convect();
    many.convect();
    EXPECT_EQ(one.remaining[0], many.remaining[17]);
    for (int k = 0; k < one.nz; ++k)
        EXPECT_EQ(one.storage.field(Case::heating)(0, k), many.storage.field(Case::heating)(17, k));
}

} // namespace
} // namespace squall
