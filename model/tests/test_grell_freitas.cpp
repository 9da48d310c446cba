// The scheme of Grell and Freitas on single columns of the tropics. Its tendencies on WRF's columns: `squall
// lab verify columns-wrf`.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "physics/grell_freitas/closure.hpp"
#include "tiedtke_case.hpp"

namespace squall {
namespace {

namespace gf = grell_freitas;
using test::ForcedTropics;
using test::Tropics;

/// Column 0 for the parts of the scheme.
gf::Air air_of(ForcedTropics &c) {
    gf::Air air(c.nz);
    air.spacing = c.spacing[0], air.step = air.interval = 60;
    air.heat_flux = c.heat[0], air.vapour_flux = c.vapour[0];
    for (int k = 0; k < c.nz; ++k) {
        air.pressure[k] = real(c.at(Tropics::p, k));
        air.depth[k] = real(c.at(Tropics::dz, k));
        air.density[k] = real(c.at(Tropics::rho, k));
        air.mass[k] = real(c.at(Tropics::rho, k) / (1 + c.at(Tropics::q, k)) * c.thickness);
        air.rising[k] = real(c.at(Tropics::rho, k) * c.at(Tropics::w, k));
        air.u[k] = real(c.at(Tropics::u, k));
        air.v[k] = real(c.at(Tropics::v, k));
        air.now.temperature[k] = real(c.at(Tropics::t, k));
        air.now.vapour[k] = air.forced.vapour[k] = real(c.at(Tropics::q, k));
        air.forced.temperature[k] = real(c.at(Tropics::t, k) + 60 * c.at(Tropics::warming, k));
    }
    air.complete();
    return air;
}

/// All parts of the scheme in such air.
struct Parts {
    gf::Air air;
    gf::Cloud cloud;
    gf::Updraught up;
    gf::Downdraught down;
    gf::Response response;
    gf::Closure closure;
    bool convects;

    explicit Parts(ForcedTropics &c)
        : air(air_of(c)), up(c.nz), down(c.nz), response(c.nz), closure(c.nz),
          convects(gf::find_cloud(air, cloud) && up.rise(air, cloud) && down.sink(air, cloud, up)) {
        if (convects) response.find(air, cloud, up, down);
    }
    double flux() { return double(closure.flux(air, cloud, up, down, response)); }
};

double heat_moved(Tropics &c) {
    return c.integral([&](int k) { return std::abs(c.warming_of(k)); });
}

/// Goff and Gratch (1946): 23.37 hPa at 293.15 K over water, 1.032 hPa at 253.15 K over ice.
TEST(GrellFreitas, AirIsSaturatedByGoffAndGratch) {
    gf::Sounding air(2);
    tiedtke::Profile height(2), pressure(2);
    air.temperature[0] = real(293.15), air.temperature[1] = real(253.15);
    air.vapour[0] = air.vapour[1] = real(1e-6);
    height[0] = 10, height[1] = 30, pressure[0] = pressure[1] = real(5e4);
    air.complete(height, pressure);
    const double warm = 0.622 * 2337 / (5e4 - 2337), cold = 0.622 * 103.2 / (5e4 - 103.2);
    EXPECT_NEAR(air.q_saturated[0], warm, 2e-3 * warm);
    EXPECT_NEAR(air.q_saturated[1], (warm + cold) / 2, 2e-3 * warm);
    EXPECT_NEAR(air.h[1], 9.81 * 20 + 1004 * 273.15 + 2.5, 1);
}

/// A beta function whose largest value is half way: 0.5^0.6, and a mean of one with its norm.
TEST(GrellFreitas, MassFluxIsABetaFunctionOfPressure) {
    const gf::Shape shape(real(9e4), real(2e4), real(0.5), real(1.3));
    EXPECT_NEAR(shape.at(real(5.5e4)), std::pow(0.5, 0.6), 1e-6);
    EXPECT_GT(shape.at(real(5.5e4)), shape.at(real(5.6e4)));
    EXPECT_GT(shape.at(real(5.5e4)), shape.at(real(5.4e4)));
    EXPECT_EQ(shape.at(real(9e4)), 0);
    double mean = 0;
    for (int n = 0; n < 7000; ++n) mean += double(shape.norm() * shape.at(real(9e4 - 10 * n - 5))) / 7000;
    EXPECT_NEAR(mean, 1, 1e-3);
}

/// Draughts of 2857 m cover 3.14 R^2 / dx^2 of a cell, of small ones nine tenths, and entrain 0.2 / R.
TEST(GrellFreitas, DraughtsCoverMoreOfSmallCells) {
    const gf::Size coarse = gf::size_of_draughts(60000), middle = gf::size_of_draughts(12000),
                   fine = gf::size_of_draughts(3000);
    EXPECT_NEAR(coarse.share, 0.00712, 1e-5);
    EXPECT_NEAR(middle.share, 0.178, 1e-3);
    EXPECT_NEAR(coarse.entrainment, 7e-5, 1e-9);
    EXPECT_NEAR(middle.entrainment, 7e-5, 1e-9);
    EXPECT_NEAR(fine.share, 0.9, 1e-6);
    EXPECT_NEAR(fine.entrainment, 0.2 / std::sqrt(0.9 * 9e6 / 3.14), 1e-9);
    EXPECT_TRUE(fine.largest());
    EXPECT_FALSE(middle.largest());
}

/// On cells of 3 km draughts move a hundredth of what they would if they covered nothing of a cell.
TEST(GrellFreitas, MassFluxFallsAsTheSquareOfWhatIsNotCovered) {
    for (const auto &[spacing, weight] : {std::pair(3e3, 0.01), {6e3, 0.0828}, {12e3, 0.6757}}) {
        ForcedTropics c;
        c.spacing[0] = real(spacing);
        Parts parts(c);
        ASSERT_TRUE(parts.convects) << spacing;
        const double scaled = parts.flux();
        parts.cloud.size.share = 0;
        EXPECT_GT(scaled, 0) << spacing;
        EXPECT_NEAR(scaled / parts.flux(), weight, 0.003 * weight) << spacing;
    }
}

/// By that and by the time in which clouds use up what there is, which is shorter on small cells, for a part
/// of the closures.
TEST(GrellFreitas, ItRainsLessOnSmallerCells) {
    const auto rain = [](double spacing) {
        ForcedTropics c;
        c.spacing[0] = real(spacing);
        c.convect();
        return double(c.rate[0]);
    };
    const double coarse = rain(60e3);
    EXPECT_GT(coarse * 3600, 0.1); // [mm h-1]
    const double weight = 0.0828 / 0.9858, time = (1.0061 + 0.0123 * 60) / (1.0061 + 0.0123 * 6);
    EXPECT_GT(rain(6e3), weight * coarse);
    EXPECT_LT(rain(6e3), weight * time * coarse);
    EXPECT_LT(rain(3e3), 0.02 * coarse);
}

TEST(GrellFreitas, EnergyWaterAndMomentumAreClosed) {
    for (const double humidity : {0.9, 0.93, 0.97}) {
        ForcedTropics c(humidity);
        c.convect();
        const double heat = heat_moved(c);
        EXPECT_GT(heat, 20) << humidity; // [W m-2]
        EXPECT_GT(c.rate[0], 0) << humidity;
        EXPECT_NEAR(c.energy(), 0, 1e-5 * heat) << humidity; // rounding of single precision
        EXPECT_NEAR(c.water() * c.latent, 0, 1e-5 * heat) << humidity;
        const double stress = c.integral([&](int k) { return std::abs(c.at(Tropics::du, k)); });
        EXPECT_GT(stress, 1e-4);
        EXPECT_NEAR(c.integral([&](int k) { return c.at(Tropics::du, k); }), 0, 1e-4 * stress);
    }
}

/// WRF's form adds the rain that evaporates to what reaches the ground, instead of subtracting it.
TEST(GrellFreitas, WrfsFormRainsMoreThanTheColumnLoses) {
    ForcedTropics c;
    c.convect(true);
    EXPECT_GT(c.water(), 0.05 * double(c.rate[0]));
    ForcedTropics own;
    own.convect();
    EXPECT_LT(own.rate[0], c.rate[0]);
}

TEST(GrellFreitas, NoneInStableOrInDryAir) {
    ForcedTropics stable(0.95, 2e-5, 4), dry(0.1);
    for (ForcedTropics *c : {&stable, &dry}) {
        c->storage.field(Tropics::heating)(0, 5) = 1; // of convection that has ended
        c->convect();
        EXPECT_EQ(c->rate[0], 0);
        EXPECT_EQ(c->remaining[0], 0);
        EXPECT_EQ(heat_moved(*c), 0);
    }
}

/// Arakawa and Schubert (1974): what is forced is used up. Without it, what there is, in the cloud's time.
TEST(GrellFreitas, MoreForcingMovesMoreAir) {
    ForcedTropics weak(0.95, 0), strong(0.95, 1e-3);
    Parts less(weak), more(strong);
    ASSERT_TRUE(less.convects && more.convects);
    const double flux = less.flux();
    EXPECT_GT(flux, 0);
    EXPECT_GT(more.flux(), 1.5 * flux);
    // Air that warms aloft takes work away: only what rises and brings vapour counts, and here nothing does.
    ForcedTropics warmed(0.95, -2e-5);
    for (int k = 0; k < warmed.nz; ++k) warmed.storage.field(Tropics::w)(0, k) = 0;
    EXPECT_EQ(Parts(warmed).flux(), 0);
}

/// Trade winds, mixed up to 600 m, with an inversion of 4 K at 1800 m, all smooth; turbulence heats and
/// moistens the lowest 750 m.
struct TradeWinds : Tropics {
    explicit TradeWinds(double supply = 1) : Tropics(1) {
        scheme = "grell-freitas-shallow";
        latent = 2.5e6, frozen = 3.5e5;
        double pressure = 101500;
        for (int k = 0; k < nz; ++k) {
            const double z = thickness * (k + 0.5);
            const double mixed = 150 * std::log1p(std::exp((z - 600) / 150)); // height above, smoothly [m]
            const double through = 0.5 * (1 + std::tanh((z - 1800) / 200));
            const double theta = 298.7 + 3.5e-3 * mixed + 4 * through;
            const double moist = (0.0170 - 5e-6 * std::min(mixed, 1300.0)) * (1 - 0.6 * through) *
                                 std::exp(-std::max(z - 2200, 0.0) / 2000);
            const double exner = std::pow(pressure / 1e5, 2.0 / 7);
            set_air(k, pressure, std::max(theta * exner, 205.0), moist, thickness);
            pressure *= std::exp(-9.81 * thickness / (287 * std::max(theta * exner, 205.0)));
            mixed_heat.field(0)(0, k) = k < 3 ? real(2e-5 * supply) : real(0);
            mixed_heat.field(1)(0, k) = k < 3 ? real(5e-8 * supply) : real(0);
        }
        heat[0] = real(10 * supply), vapour[0] = real(5e-5 * supply);
    }

    void convect() {
        ConvectiveColumns c = columns(60);
        c.mixed_theta = c.forced_theta = mixed_heat.field(0);
        c.mixed_vapour = c.forced_vapour = mixed_heat.field(1);
        c.heat_flux = heat.data(), c.vapour_flux = vapour.data(), c.boundary_layer = height.data();
        c.du = storage.field(du), c.dv = storage.field(dv);
        cumulus_scheme(scheme).make(nz)->convect(c);
    }

    ColumnStorage mixed_heat{2, nz};
    std::vector<real> height{600};
};

TEST(GrellFreitas, ShallowCloudsDryTheBoundaryLayerAndMoistenAbove) {
    TradeWinds c;
    c.convect();
    const double heat = heat_moved(c);
    EXPECT_GT(heat, 10);
    EXPECT_NEAR(c.energy(), 0, 2e-5 * heat);
    EXPECT_NEAR(c.water() * c.latent, 0, 2e-5 * heat);
    double below = 0, above = 0;
    for (int k = 0; k < 4; ++k) below += c.at(Tropics::dq, k);
    for (int k = 4; k < 16; ++k) above += c.at(Tropics::dq, k) + c.at(Tropics::dc, k);
    EXPECT_LT(below, 0);
    EXPECT_GT(above, 0);
    for (int k = 0; k < c.nz; ++k) {
        EXPECT_EQ(c.at(Tropics::du, k), 0);
        if (k > 20) {
            EXPECT_EQ(c.at(Tropics::heating, k), 0) << k;
        }
    }
    TradeWinds deep_only;
    deep_only.scheme = "grell-freitas";
    deep_only.convect();
    EXPECT_EQ(heat_moved(deep_only), 0);
}

TEST(GrellFreitas, ShallowCloudsNeedASupply) {
    TradeWinds none(0), weak(0.3), strong(1);
    for (TradeWinds *c : {&none, &weak, &strong}) c->convect();
    EXPECT_EQ(heat_moved(none), 0);
    EXPECT_GT(heat_moved(weak), 0);
    EXPECT_GT(heat_moved(strong), 1.3 * heat_moved(weak));
}

TEST(GrellFreitas, AColumnDoesNotDependOnItsNeighbours) {
    ForcedTropics one, many(0.95, 2e-5, 0, 32);
    expect_no_dependence_on_neighbours(one, many);
}

/// Of air of any humidity and stability, forced and lifted in any way: water, momentum and energy; no more
/// vapour used up than there is, no negative cloud or rain, and no heating beyond 300 K a day.
TEST(GrellFreitas, KeepsEnergyWaterAndMomentumInAnyAir) {
    std::mt19937 random(7);
    const auto from = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    int convecting = 0, none = 0;
    for (int n = 0; n < 400; ++n) {
        ForcedTropics c(from(0.6, 1.0), from(-1e-4, 2e-4), from(-0.3, 0.6));
        c.spacing[0] = real(from(2e3, 6e4));
        for (int k = 0; k < c.nz; ++k) {
            c.storage.field(Tropics::w)(0, k) = real(from(-0.05, 0.1));
            c.storage.field(Tropics::t)(0, k) += real(from(-0.1, 0.1));
            c.storage.field(Tropics::q)(0, k) *= real(from(0.95, 1.03));
            c.storage.field(Tropics::u)(0, k) += real(from(-5, 5));
        }
        c.convect();
        const double heat = heat_moved(c);
        none += heat == 0, convecting += heat > 0;
        EXPECT_GE(c.rate[0], 0);
        EXPECT_NEAR(c.energy(), 0, 2e-5 * heat + 1e-4) << n;
        EXPECT_NEAR(c.water() * c.latent, 0, 2e-5 * heat + 1e-4) << n;
        const double stress = c.integral([&](int k) { return std::abs(c.at(Tropics::du, k)); });
        EXPECT_NEAR(c.integral([&](int k) { return c.at(Tropics::du, k); }), 0, 1e-4 * stress + 1e-9) << n;
        for (int k = 0; k < c.nz; ++k) {
            EXPECT_LE(std::abs(c.at(Tropics::pi, k) * c.at(Tropics::heating, k)), 301.0 / 86400) << n;
            EXPECT_GE(c.at(Tropics::dc, k), 0);
            EXPECT_GE(c.at(Tropics::di, k), 0);
            EXPECT_GT(c.at(Tropics::q, k) + 60 * c.at(Tropics::dq, k), 0);
        }
    }
    EXPECT_GT(convecting, 100);
    EXPECT_GT(none, 20);
}

} // namespace
} // namespace squall
