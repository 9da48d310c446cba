#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "physics/wind_farm/wind_farm.hpp"

namespace squall {
namespace {

constexpr bool single = sizeof(real) == 4;
constexpr int nz = 12;
constexpr double spacing = 2000, dt = 15;

/// WRF's own turbine, of 2 MW: hub at 75 m, a rotor of 85 m.
TurbineType two_megawatts() {
    return {75,
            85,
            0.13,
            {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25},
            {.805, .805, .805, .805, .805, .805, .79, .74, .7,  .4,   .3,
             .25,  .2,   .16,  .14,  .12,  .1,   .08, .07, .06, .055, .05},
            {50,   150,  280,  460,  700,  990,  1300, 1600, 1850, 1950, 1990,
             1995, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000}};
}

/// Layers of 20 m and more, a wind that grows upwards and has `top` at 130 m, in all columns.
struct WindyCase {
    int n;
    ColumnStorage air{6, nz};
    std::vector<real> power;
    explicit WindyCase(double top, int columns = 1) : n(columns), power(std::size_t(3 * columns)) {
        for (int k = 0; k < nz; ++k)
            for (int i = 0; i < n; ++i) {
                air.field(0)(i, k) = real(20 + 4 * k);
                air.field(1)(i, k) = real((0.75 + 0.05 * k) * top);
                air.field(2)(i, k) = real(-0.3 * (0.75 + 0.05 * k) * top);
            }
    }
    TurbulentColumns columns(bool as_wrf) {
        TurbulentColumns c{};
        c.n = n, c.nz = nz, c.dt = real(dt), c.as_wrf = as_wrf;
        c.depth = air.field(0), c.u = air.field(1), c.v = air.field(2);
        c.du = air.field(3), c.dv = air.field(4), c.dqke = air.field(5);
        return c;
    }
    /// Of the patch's three rows.
    Field2 powers() { return {power.data(), n}; }
};

Grid grid_of(const Patch &patch) {
    Grid g;
    g.dx = g.dy = real(spacing);
    for (Array2 *map : {&g.msftx, &g.msfty}) {
        *map = Array2(patch.shape);
        map->fill(1);
    }
    return g;
}

Patch patch_of(int columns, int x0 = 0) {
    Patch p;
    p.shape = {columns, 3, nz};
    p.x0 = x0, p.y0 = 0, p.nx_domain = x0 + columns, p.ny_domain = 3;
    return p;
}

WindFarm farm_of(const std::vector<StandingTurbine> &turbines, double tke_factor, const Patch &patch) {
    return {{two_megawatts()}, turbines, tke_factor, patch, grid_of(patch)};
}

/// What WRF 4.7.1's dragforce() makes of two such turbines in a cell in 15 s: power [W], and of layers 1 to 4
/// the rates of u [m s-2] and the change of q^2 if all that is lost is TKE.
TEST(WindFarm, GivesWhatWrfGives) {
    struct {
        double top, power, du[4], dqke[4];
    } wrf[] = {{3,
                0,
                {-3.741439e-6, -1.672913e-5, -1.941926e-5, -4.438870e-6},
                {2.936125e-4, 1.394987e-3, 1.714528e-3, 4.136562e-4}},
               {6.4,
                5.189673e5,
                {-1.048279e-4, -4.687178e-4, -5.440902e-4, -1.243686e-4},
                {9.531200e-3, 4.528046e-2, 5.565369e-2, 1.342809e-2}},
               {9.7,
                1.912839e6,
                {-2.408022e-4, -1.076701e-3, -1.249840e-3, -2.856895e-4},
                {3.154528e-2, 1.498641e-1, 1.841962e-1, 4.444283e-2}},
               {30,
                0,
                {-1.439015e-4, -6.434278e-4, -7.468947e-4, -1.707258e-4},
                {1.129339e-1, 5.365224e-1, 6.594334e-1, 1.591079e-1}}};
    for (const auto &expected : wrf) {
        WindyCase a(expected.top);
        const TurbulentColumns c = a.columns(true);
        farm_of({{0, 1, 0}, {0, 1, 0}}, 1, patch_of(1)).act(c, 0, 1, a.powers());
        EXPECT_NEAR(double(a.power[1]), expected.power, 2e-5 * expected.power);
        EXPECT_EQ(c.du(0, 0), 0);
        EXPECT_EQ(c.du(0, 5), 0);
        for (int k = 1; k < 5; ++k) {
            EXPECT_NEAR(double(c.du(0, k)) / dt / expected.du[k - 1], 1, 3e-5) << k;
            EXPECT_NEAR(double(c.dv(0, k)) / double(c.du(0, k)), -0.3, 1e-6) << k;
            EXPECT_NEAR(double(c.dqke(0, k)) / expected.dqke[k - 1], 1, 1e-4) << k;
        }
    }
}

/// Per mass of air of the density that the power curve is for.
double energy(const TurbulentColumns &c, int i, bool turbulence) {
    double sum = 0;
    for (int k = 0; k < nz; ++k) {
        const double u = c.u(i, k), v = c.v(i, k), du = c.du(i, k), dv = c.dv(i, k);
        const double mass = double(TurbineType::air_density) * c.depth(i, k) * spacing * spacing;
        sum += mass * (turbulence ? 0.5 * double(c.dqke(i, k)) : u * du + v * dv + 0.5 * (du * du + dv * dv));
    }
    return sum;
}

TEST(WindFarm, WhatTheWindLosesIsPowerAndTurbulence) {
    for (const double top : {6.4, 9.7, 14.0}) {
        WindyCase a(top);
        const TurbulentColumns c = a.columns(false);
        farm_of({{0, 1, 0}}, 1, patch_of(1)).act(c, 0, 1, a.powers());
        const double lost = -energy(c, 0, false);
        EXPECT_GT(lost, 1e6);
        EXPECT_NEAR((double(a.power[1]) * dt + energy(c, 0, true)) / lost, 1, single ? 1e-4 : 1e-12) << top;
    }
}

TEST(WindFarm, AShareOfWhatIsNotPowerIsTurbulence) {
    double turbulence[2];
    for (const int whole : {0, 1}) {
        WindyCase a(9);
        const TurbulentColumns c = a.columns(false);
        farm_of({{0, 1, 0}}, whole ? 1 : 0.25, patch_of(1)).act(c, 0, 1, a.powers());
        turbulence[whole] = energy(c, 0, true);
    }
    EXPECT_NEAR(turbulence[0] / turbulence[1], 0.25, 1e-5);
}

TEST(WindFarm, TurbinesActWhereTheyStandHoweverColumnsAreDivided) {
    const std::vector<StandingTurbine> turbines{{4, 1, 0}, {1, 1, 0}, {4, 1, 0}, {3, 2, 0}};
    WindyCase whole(9, 6), parts(9, 6), east(9, 2);
    farm_of(turbines, 0.25, patch_of(6)).act(whole.columns(false), 0, 1, whole.powers());
    EXPECT_EQ(whole.power[6 + 3], 0);
    EXPECT_GT(whole.power[6 + 1], 5e5);
    EXPECT_EQ(whole.power[6 + 4], 2 * whole.power[6 + 1]);
    // Columns 4 and 5 as a patch of their own.
    farm_of(turbines, 0.25, patch_of(2, 4)).act(east.columns(false), 0, 1, east.powers());
    EXPECT_EQ(east.power[2], whole.power[6 + 4]);
    for (int k = 0; k < nz; ++k) {
        EXPECT_EQ(east.columns(false).du(0, k), whole.columns(false).du(4, k));
        EXPECT_EQ(east.columns(false).dqke(0, k), whole.columns(false).dqke(4, k));
        EXPECT_EQ(whole.columns(false).du(3, k), 0);
    }
}

TEST(WindFarm, ARotorIsWhollyInItsLayers) {
    const TurbineType type = two_megawatts();
    double sum = 0;
    for (int z = 0; z < 200; z += 7) sum += double(type.area_between(real(z), real(z + 7)));
    EXPECT_NEAR(sum / (3.14159265358979 / 4 * 85 * 85), 1, 1e-5);
    EXPECT_NEAR(double(type.area_between(0, 75)) / double(type.area()), 0.5, 1e-6);
}

} // namespace
} // namespace squall
