// Few layers, the uppermost of which are kilometres thick and hold the tropopause: what convection brings
// there and what falls from there.
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "moist_column.hpp"
#include "physics/cumulus_scheme.hpp"
#include "physics/saturation.hpp"
#include "physics/wsm6/sedimentation.hpp"
#include "tiedtke_case.hpp"

namespace squall {
namespace {

constexpr int all_layers = 16;
/// Where `squall prepare` puts 16 layers of a tropical sea under 50 hPa [m].
constexpr std::array<double, all_layers + 1> faces{0,    53,   127,  229,  372,  571,   847,   1230, 1763,
                                                   2504, 3529, 4935, 6847, 9399, 12648, 16461, 20616};

double depth(int k) {
    const auto n = static_cast<std::size_t>(k);
    return faces[n + 1] - faces[n];
}

/// A tropical column over sea, 135 km wide, moist and lifted a little.
struct Deep : test::CumulusCase {
    enum Forced { warming = fields, moistening, du, dv, all_fields };
    std::vector<real> heat{real(10)}, vapour{real(5e-5)};

    Deep() : CumulusCase(1, all_layers, all_fields) {
        double pressure = 101500;
        spacing[0] = 135e3;
        for (int k = 0; k < all_layers; ++k) {
            const double height = faces[static_cast<std::size_t>(k)] + depth(k) / 2;
            const double kelvin = test::tropical(height);
            const double half = std::exp(-9.81 * depth(k) / 2 / (287 * kelvin));
            const double most = double(saturation_over_water(real(kelvin), real(pressure * half)));
            set_air(k, pressure * half, kelvin, height < 600 ? 0.0185 : 0.85 * most, depth(k));
            storage.field(u)(0, k) = real(5 + height / 1000);
            storage.field(w)(0, k) = real(0.02);
            storage.field(moistening)(0, k) = height < 6000 ? real(1e-8) : real(0);
            pressure *= half * half;
        }
    }

    double convect(const std::string &scheme, bool as_wrf) {
        ConvectiveColumns c = columns(600);
        c.dt = 600, c.as_wrf = as_wrf;
        c.forced_theta = storage.field(warming), c.forced_vapour = storage.field(moistening);
        c.heat_flux = heat.data(), c.vapour_flux = vapour.data();
        c.du = storage.field(du), c.dv = storage.field(dv);
        cumulus_scheme(scheme).make(all_layers)->convect(c);
        double left = double(rate[0]);
        for (int k = 0; k < all_layers; ++k)
            for (const auto f : {dq, dc, dr, di, ds})
                left += depth(k) * double(storage.field(rho)(0, k)) / (1 + double(storage.field(q)(0, k))) *
                        double(storage.field(f)(0, k));
        return left;
    }
};

/// Its plume ends below the uppermost layer, and the water that it brings up is what has left below.
TEST(ThickLayers, ConvectionEndsAtTheTropopauseAndKeepsWater) {
    for (const std::string scheme : {"kain-fritsch", "tiedtke", "tiedtke-1989"}) {
        Deep c;
        const double left = c.convect(scheme, false);
        ASSERT_GT(double(c.rate[0]) * 3600, 0.1) << scheme;
        EXPECT_NEAR(left, 0, 1e-3 * double(c.rate[0])) << scheme;
        double ice = 0;
        for (const auto f : {Deep::heating, Deep::dq, Deep::dc, Deep::dr, Deep::di, Deep::ds})
            EXPECT_EQ(c.storage.field(f)(0, all_layers - 1), 0) << scheme << ' ' << f;
        for (int k = 0; k < all_layers; ++k) {
            EXPECT_TRUE(std::isfinite(c.storage.field(Deep::heating)(0, k))) << scheme;
            EXPECT_GE(c.storage.field(Deep::di)(0, k), 0) << scheme << ' ' << k;
            ice += double(c.storage.field(Deep::di)(0, k));
        }
        EXPECT_GT(ice, 0) << scheme;
    }
}

/// 20 mg/kg of ice in the two uppermost layers, of vapour just what saturates it.
struct Cirrus : test::MoistCase {
    static constexpr double amount = 2e-5;
    ColumnStorage more{3, all_layers + 1};

    Cirrus() : MoistCase(1, all_layers, 1000) {
        double pressure = 101500;
        for (int k = 0; k < all_layers; ++k) {
            const double height = faces[static_cast<std::size_t>(k)] + depth(k) / 2;
            const double kelvin = test::tropical(height);
            const double half = std::exp(-9.81 * depth(k) / 2 / (287 * kelvin));
            const double p = pressure * half, exner = std::pow(p / 1e5, 2.0 / 7), rho = p / (287 * kelvin);
            pressure *= half * half;
            int field = 0;
            for (const double value : {exner, p, rho, depth(k), height, kelvin / exner})
                storage.field(field++)(0, k) = real(value);
            storage.field(12)(0, k) = real(rho * depth(k));
            const bool icy = k >= all_layers - 2;
            columns(0).vapour(0, k) = icy ? saturation_over_ice(real(kelvin), real(p)) : real(1e-6);
            columns(0).ice(0, k) = icy ? real(amount) : real(0);
            more.field(1)(0, k) = icy ? real(1e4) : real(0);
        }
    }

    /// All water of the column and what has fallen, after an hour [kg m-2].
    double after_an_hour(const std::string &scheme, bool as_wrf) {
        const auto made = microphysics_schemes().at(scheme).make(all_layers);
        for (int step = 0; step < 6; ++step) {
            MoistColumns c = columns(600);
            c.as_wrf = as_wrf;
            c.rain_number = more.field(0), c.ice_number = more.field(1), c.updraught = more.field(2);
            made->advance(c);
        }
        return all();
    }

    double all() {
        const MoistColumns c = columns(0);
        double sum = double(rain[0]);
        for (int k = 0; k < all_layers; ++k)
            for (const Columns &f : {c.vapour, c.cloud, c.rain, c.ice, c.snow, c.graupel})
                sum += double(c.mass(0, k)) * double(f(0, k));
        return sum;
    }
    double ice(int k) { return double(columns(0).ice(0, k)) + double(columns(0).snow(0, k)); }
};

/// It falls by some 0.4 m/s: less than half of a layer of 3800 m in an hour.
TEST(ThickLayers, CirrusFallsOutOfTheUppermostLayersSlowlyAndNoneOfItIsLost) {
    for (const std::string scheme : {"wsm6", "thompson"}) {
        Cirrus c;
        const double before = c.all();
        EXPECT_NEAR(c.after_an_hour(scheme, false) / before, 1, 1e-5) << scheme;
        EXPECT_GT(c.ice(all_layers - 2), 0.5 * Cirrus::amount) << scheme;
        EXPECT_LT(c.ice(all_layers - 1), Cirrus::amount) << scheme;
    }
}

/// The whole of it within an hour, but for what has fallen to the layer below in the first part of a step.
TEST(ThickLayers, AsWrfWhatStaysInTheTwoUppermostLayersIsLost) {
    Cirrus c;
    const double before = c.all(), was = Cirrus::amount * double(c.columns(0).mass(0, all_layers - 1)) +
                                         Cirrus::amount * double(c.columns(0).mass(0, all_layers - 2));
    const double lost = before - c.after_an_hour("wsm6", true);
    EXPECT_EQ(c.ice(all_layers - 1), 0);
    EXPECT_EQ(c.ice(all_layers - 2), 0);
    EXPECT_GT(lost, 0.9 * was);
    EXPECT_LT(lost, was);
}

} // namespace
} // namespace squall
