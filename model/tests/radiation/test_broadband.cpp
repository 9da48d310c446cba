// The scheme without tables against what its publications print, by hand; against reference fluxes and WRF:
// squall lab verify broadband.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "physics/radiation/broadband/broadband.hpp"
#include "physics/radiation/broadband/dudhia_shortwave.hpp"
#include "physics/radiation/broadband/emissivity_longwave.hpp"
#include "physics/radiation/broadband/quick_log.hpp"
#include "physics/radiation/scheme.hpp"
#include "physics/radiation/standard_air.hpp"

namespace squall::radiation {
namespace {

constexpr double stefan_boltzmann = 5.670374e-8;

/// From 1000 hPa to 10 hPa in layers of equal mass, dry, warm at the ground by `lapse` more than at the top.
Column made_column(int layers, double temperature, double lapse = 0) {
    Column c;
    c.resize(layers);
    const auto at = [&](double p) { return temperature - lapse * (1e5 - p) / 0.99e5; };
    for (int k = 0; k <= layers; ++k) {
        const auto n = static_cast<std::size_t>(k);
        c.pressure[n] = 1e5 - k * 0.99e5 / layers;
        c.temperature[n] = at(c.pressure[n]);
    }
    for (std::size_t k = 0; k < c.layers.size(); ++k) {
        Layer &layer = c.layers[k];
        layer.pressure = 0.5 * (c.pressure[k] + c.pressure[k + 1]);
        layer.temperature = at(layer.pressure);
        layer.ratios[dry_air] = 1;
    }
    c.ground = {temperature, 1, 0.2};
    c.sun = {0.5, 1361};
    return c;
}

/// Moist below, with carbon dioxide and ozone.
Column moist_column(int layers, double part = 1) {
    Column c = made_column(layers, 290, 75);
    for (Layer &layer : c.layers) {
        layer.ratios[h2o] = real(part * 0.015 * std::pow(layer.pressure / 1e5, 3));
        layer.ratios[co2] = real(400e-6);
        layer.ratios[o3] = real(layer.pressure < 1e4 ? 3e-6 : 5e-8);
    }
    return c;
}

void put_cloud(Column &c, std::size_t layer, double path, CloudKind kind = liquid) {
    c.layers[layer].cover = 1;
    c.layers[layer].cloud[kind] = {path, 10};
}

template <class Solver> Fluxes fluxes_of(const Column &c) {
    Fluxes f;
    const Request request{&c, nullptr, &f};
    Solver().solve({&request, 1});
    return f;
}
Fluxes thermal(const Column &c) { return fluxes_of<EmissivityLongwave>(c); }
Fluxes solar(const Column &c) { return fluxes_of<DudhiaShortwave>(c); }

TEST(QuickLog, IsTheLogarithmToSevenDigits) {
    for (float x = 1e-30F; x < 1e30F; x *= 1.37F) {
        const double right = std::log(double(x));
        EXPECT_NEAR(double(quick_log(x)), right, 2e-7 * std::max(1.0, std::abs(right))) << x;
    }
}

TEST(Emissivities, AreThoseOfTheirPublication) { // Sasamori 1968, by hand
    const auto lost = [](const Absorbers &path) { return 1 - double(clear_transmission(path)); };
    EXPECT_NEAR(lost({real(1e-3), 0, 0, 0}), 0.846 * (std::pow(1.0359e-3, 0.243) - std::pow(3.59e-5, 0.243)),
                1e-6);
    EXPECT_NEAR(lost({3, 0, 0, 0}), 0.240 * std::log10(3.01) + 0.622, 0.009); // less the step at 0.01
    EXPECT_NEAR(lost({0, 0, real(0.5), 0}), 0.0676 * std::pow(0.51022, 0.421) - 0.00982, 5e-5);
    EXPECT_NEAR(lost({0, 0, 300, 0}), 0.0546 * std::log10(300.0) + 0.0581, 2e-4);
    EXPECT_NEAR(lost({0, 0, 0, real(0.005)}), 0.209 * (std::pow(0.00507, 0.436) - std::pow(7e-5, 0.436)),
                1e-6);
    EXPECT_NEAR(lost({0, 2, 0, 0}), 1 - std::exp(-0.06), 1e-6);
    // Where vapour is, carbon dioxide adds less: 1.33 - 0.832 (u + 0.0286)^0.26 of its own.
    const double alone = lost({0, 0, 300, 0}) / (1.33 - 0.832 * std::pow(0.0286, 0.26));
    EXPECT_NEAR(lost({1, 0, 300, 0}) - lost({1, 0, 0, 0}), alone * (1.33 - 0.832 * std::pow(1.0286, 0.26)),
                1e-6);
    EXPECT_NEAR(lost({7, 0, 300, 0}), lost({7, 0, 0, 0}), 1e-7);
}

TEST(Emissivities, GrowWithEveryGasAndNeverJump) {
    for (const int gas : {0, 1, 2, 3}) {
        double before = 0;
        for (double amount = 1e-6; amount < 1e3; amount *= 1.02) {
            real path[4]{real(0.02), 0, 0, 0};
            path[gas] = real(amount);
            const double now = 1 - double(clear_transmission({path[0], path[1], path[2], path[3]}));
            if (before > 0) {
                EXPECT_GE(now, before - 3e-7) << gas << ' ' << amount;
                EXPECT_LT(now - before, 0.02) << gas << ' ' << amount;
            }
            EXPECT_LE(now, 1);
            before = now;
        }
    }
}

TEST(EmissivityLongwave, AirAsWarmAsBlackGroundBelowItChangesNothing) {
    Column c = moist_column(30);
    for (double &t : c.temperature) t = 280;
    for (Layer &layer : c.layers) layer.temperature = 280;
    c.ground.temperature = 280;
    const double black = stefan_boltzmann * std::pow(280.0, 4);
    const Fluxes f = thermal(c);
    for (const double up : f.up) EXPECT_NEAR(up, black, 1e-3);
    EXPECT_EQ(f.down.back(), 0);
    for (std::size_t k = 1; k < f.down.size(); ++k) EXPECT_LT(f.down[k], f.down[k - 1]);
    EXPECT_GT(f.down[0], 0.6 * black);
}

TEST(EmissivityLongwave, GroundThatIsNotBlackReflectsTheRest) {
    Column c = moist_column(20);
    c.ground.emissivity = 0.9;
    const Fluxes f = thermal(c);
    EXPECT_NEAR(f.up[0], 0.9 * stefan_boltzmann * std::pow(290.0, 4) + 0.1 * f.down[0], 1e-3);
}

TEST(EmissivityLongwave, CloudWarmsTheGroundAndHoldsBackWhatLeaves) {
    const Column clear = moist_column(30);
    const Fluxes before = thermal(clear);
    Column thick = clear;
    put_cloud(thick, 8, 500);
    const Fluxes under = thermal(thick);
    EXPECT_GT(under.down[0], before.down[0] + 20);
    EXPECT_LT(under.up.back(), before.up.back() - 20);
    // Thick cloud is black: at its edges it has the flux of its temperature there.
    EXPECT_NEAR(under.down[8], stefan_boltzmann * std::pow(thick.temperature[8], 4), 6);
    for (const CloudKind kind : {liquid, ice, snow}) {
        Column thin = clear;
        put_cloud(thin, 8, 5, kind);
        const double more = thermal(thin).down[0] - before.down[0];
        EXPECT_GT(more, 0.05);
        EXPECT_LT(more, under.down[0] - before.down[0]);
    }
}

TEST(DudhiaShortwave, AirScattersByItsMassAndAbsorbsNothing) {
    const Column c = made_column(30, 280);
    const Fluxes f = solar(c);
    const double top = 0.5 * 1361, mass = 0.99e5 / 9.81;
    EXPECT_NEAR(f.down.back(), top, 1e-9);
    EXPECT_NEAR(f.down[0] / top, std::exp(-1e-5 * mass / 0.5), 1e-3); // in thin layers
    for (std::size_t k = 0; k < f.down.size(); ++k)
        EXPECT_NEAR(f.down[k] - f.up[k], f.down[0] - f.up[0], 1e-9) << k;
    EXPECT_NEAR(f.up[0], 0.2 * f.down[0], 1e-9);
}

TEST(DudhiaShortwave, VapourAbsorbsAsLacisAndHansenHaveIt) {
    Column c = made_column(1, 280);
    c.layers[0].ratios[h2o] = real(0.004);
    const double q = 0.004 * 18.016 / 28.964;
    const double y = 0.1 * 0.99e5 / 9.81 * q / (1 + q) / 0.5; // [g cm-2], slanted
    const double part = 2.9 * y / (std::pow(1 + 141.5 * y, 0.635) + 5.925 * y);
    const Fluxes f = solar(c);
    EXPECT_NEAR((f.down[1] - f.up[1] - f.down[0] + f.up[0]) / f.down[1], part, 1e-6);
    EXPECT_NEAR(part, 0.16, 0.02);
}

TEST(DudhiaShortwave, CloudReflectsAndAbsorbsAsItsTableHasIt) {
    // 99 g m-2 under an overhead sun: the third decade, 0.60 reflected, 0.10 absorbed. Next to no air.
    Column c = made_column(1, 280);
    c.pressure[0] = c.pressure[1] + 1e-3;
    c.sun.cosine = 1;
    c.ground.albedo = 0;
    put_cloud(c, 0, 99);
    Fluxes f = solar(c);
    EXPECT_NEAR(f.up[1] / f.down[1], 0.60, 1e-6);
    EXPECT_NEAR(f.down[0] / f.down[1], 0.30, 1e-6);
    c.sun.cosine = 0.35; // half way between 0.2 and 0.5; 9 g m-2 on the slanted path
    c.layers[0].cloud[liquid].path = 9 * 0.35;
    f = solar(c);
    EXPECT_NEAR(f.up[1] / f.down[1], 0.5 * (0.58 + 0.40), 1e-6);
    EXPECT_NEAR(1 - (f.up[1] + f.down[0]) / f.down[1], 0.5 * (0.025 + 0.04), 1e-6);
}

TEST(DudhiaShortwave, TheSameCloudInTwoLayersIsOne) {
    Column whole = made_column(1, 280), halves = made_column(2, 280);
    for (Column *c : {&whole, &halves}) {
        c->pressure[0] = 1e3 + 1e-3; // next to no air
        c->pressure.back() = 1e3;
    }
    halves.pressure[1] = 1e3 + 5e-4;
    put_cloud(whole, 0, 80);
    put_cloud(halves, 0, 40);
    put_cloud(halves, 1, 40);
    EXPECT_NEAR(solar(whole).down[0], solar(halves).down[0], 1e-6);
    EXPECT_NEAR(solar(whole).up.back(), solar(halves).up.back(), 1e-6);
}

TEST(DudhiaShortwave, CloudShadesAndNothingIsAbsorbedLessThanNothing) {
    const Column clear = moist_column(30);
    Column cloudy = clear;
    put_cloud(cloudy, 8, 200);
    put_cloud(cloudy, 20, 50, ice);
    const Fluxes before = solar(clear), under = solar(cloudy);
    EXPECT_LT(under.down[0], 0.5 * before.down[0]);
    EXPECT_GT(under.up.back(), before.up.back() + 100);
    for (const Fluxes &f : {before, under})
        for (std::size_t k = 0; k + 1 < f.down.size(); ++k) {
            EXPECT_GE(f.down[k + 1] - f.up[k + 1] - f.down[k] + f.up[k], -1e-9);
            EXPECT_GT(f.down[k], 0);
        }
}

TEST(DudhiaShortwave, NightIsDarkAlsoBesideDay) {
    Column day = moist_column(10), night = day;
    night.sun.cosine = -0.1;
    Fluxes of_day, of_night;
    const Request both[] = {{&night, nullptr, &of_night}, {&day, nullptr, &of_day}};
    DudhiaShortwave().solve(both);
    EXPECT_TRUE(std::ranges::all_of(of_night.down, [](double x) { return x == 0; }));
    EXPECT_TRUE(std::ranges::all_of(of_night.up, [](double x) { return x == 0; }));
    EXPECT_EQ(of_day.down, solar(day).down);
}

TEST(DudhiaShortwave, RainAndGraupelShadeLikeATwentiethOfDrops) {
    Column drops = moist_column(10), rain = drops;
    put_cloud(drops, 3, 7);
    rain.layers[3].rain = 100;
    rain.layers[3].graupel = 40;
    EXPECT_NEAR(solar(rain).down[0], solar(drops).down[0], 1e-9);
    EXPECT_LT(solar(rain).down[0], solar(moist_column(10)).down[0] - 10);
}

TEST(DudhiaShortwave, LightComesToTheTopOfTheModelUnchanged) {
    Column c = moist_column(10);
    const Fluxes of_model = solar(c);
    c.resize(10 + layers_above(c.pressure.back()));
    add_air_above(c, 10);
    EXPECT_GT(c.above, 0);
    const Fluxes whole = solar(c);
    for (std::size_t k = 0; k <= 10; ++k) EXPECT_EQ(whole.down[k], of_model.down[k]) << k;
    EXPECT_EQ(whole.down.back(), 0.5 * 1361);
}

TEST(WithDudhia, HasTheLongwaveOfAnotherScheme) {
    Column c = moist_column(20);
    put_cloud(c, 5, 80);
    const SchemeEntry &other = scheme_named("stratocumulus");
    Fluxes longwave, shortwave, of_other, nothing;
    const Task task{&c, {}, &longwave, &shortwave}, alone{&c, {}, &of_other, &nothing};
    const auto both = with_dudhia(other, "").prepare("")(), first = other.prepare("")();
    both->solve_longwave({&task, 1});
    both->solve_shortwave({&task, 1});
    first->solve_longwave({&alone, 1});
    EXPECT_EQ(longwave.up, of_other.up);
    EXPECT_GT(of_other.up.back(), 10);
    EXPECT_EQ(shortwave.down, solar(c).down);
    EXPECT_FALSE(with_dudhia(other, "").sees_aerosol);
}

TEST(Broadband, ColumnsDoNotFeelTheirNeighbours) {
    std::vector<Column> columns;
    for (int n = 0; n < 21; ++n) {
        Column c = moist_column(n < 13 ? 20 : 24, 0.1 * n);
        c.sun.cosine = 0.1 * n - 0.3;
        if (n % 3 == 0) put_cloud(c, 5, 10.0 * n + 1);
        columns.push_back(std::move(c));
    }
    const auto scheme = scheme_named("broadband").prepare("")();
    std::vector<Fluxes> longwave(columns.size()), shortwave(columns.size());
    std::vector<Task> tasks;
    for (std::size_t n = 0; n < columns.size(); ++n)
        tasks.push_back({&columns[n], {}, &longwave[n], &shortwave[n]});
    scheme->solve_longwave(tasks);
    scheme->solve_shortwave(tasks);
    for (std::size_t n = 0; n < columns.size(); ++n) {
        const Fluxes l = thermal(columns[n]), s = solar(columns[n]);
        EXPECT_EQ(longwave[n].up, l.up) << n;
        EXPECT_EQ(longwave[n].down, l.down) << n;
        EXPECT_EQ(shortwave[n].up, s.up) << n;
        EXPECT_EQ(shortwave[n].down, s.down) << n;
    }
}

TEST(Schemes, AnUnknownOneIsRefusedWithThoseThereAre) {
    try {
        scheme_named("rrtm");
        FAIL();
    } catch (const std::runtime_error &e) {
        EXPECT_NE(std::string(e.what()).find("\"rrtm\"; choose one of \"broadband\", \"rrtmgp\""),
                  std::string::npos)
            << e.what();
    }
}

} // namespace
} // namespace squall::radiation
