// What of geopotential is in balance with moist air: nothing is accelerated by it.
#include <cmath>

#include <gtest/gtest.h>

#include "core/constants.hpp"
#include "dynamics/buoyancy.hpp"
#include "dynamics/moisture.hpp"
#include "dynamics/state_equation.hpp"
#include "initial/hydrostatics.hpp"
#include "initial/wrf_base_state.hpp"
#include "nesting/balanced_part.hpp"

namespace squall {
namespace {

constexpr int nx = 3, ny = 2, nz = 24;

/// Columns from the sea to high mountains, with vapour and cloud.
struct Columns {
    Grid grid;
    State state{{nx, ny, nz}, 2};
    ScalarSet scalars;

    explicit Columns(int hypsometric) {
        std::vector<double> eta;
        for (int k = 0; k <= nz; ++k) eta.push_back(std::pow(1 - double(k) / nz, 1.4));
        grid.shape = {nx, ny, nz};
        grid.vertical = VerticalGrid::make(eta, 5000, 0.2);
        for (Array2 *a : {&grid.mub, &grid.terrain, &grid.msfty}) *a = Array2(grid.shape);
        for (Array3 *a : {&grid.pb, &grid.alb, &grid.phb, &grid.theta_init, &grid.phb_residual})
            *a = Array3(grid.shape);
        grid.msfty.fill(1);
        scalars.vapour = 0, scalars.cloud = 1, scalars.waters = 2;
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) set(i, j, hypsometric);
    }

    void set(int i, int j, int hypsometric) {
        grid.mub(i, j) = real(95e3 - 12e3 * i - 5e3 * j);
        state.mu(i, j) = real(300 - 250 * i);
        for (int k = 0; k < nz; ++k) {
            grid.theta_init(i, k, j) = real(-10 + 3 * k);
            state.theta(i, k, j) = real(-10 + 3 * k + 4 * std::sin(k + i));
            state.scalars[0](i, k, j) = real(0.016 * std::exp(-0.2 * k));
            state.scalars[1](i, k, j) = real(k > 4 && k < 9 ? 1e-3 : 0);
        }
        if (i < nx - 1 || j < ny - 1) return;
        set_base_state_from_theta(grid); // with the last column
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x)
                for (int k = 0; k < nz; ++k)
                    grid.phb(x, k + 1, y) = real(
                        grid.phb(x, k, y) +
                        grid.alb(x, k, y) * hypsometric_depth(grid.vertical, k, grid.mub(x, y), hypsometric));
    }
};

/// The largest acceleration by what pressure and weight leave over [m s-2].
double acceleration(const Columns &c, int hypsometric, bool moist_theta) {
    const Shape shape{nx, ny, nz};
    const Range all{0, nx, 0, ny, 0, nz};
    const GridView g(c.grid);
    Array3 al(shape), p(shape), alt(shape), php(shape), total(shape), u(shape), v(shape), w(shape),
        tend(shape);
    const AirInColumns air = air_of(c.state, c.scalars, moist_theta);
    diagnose_pressure(all, g, hypsometric == 2, air.theta, air.vapour, c.state.ph.view(), air.mu, al.view(),
                      p.view(), alt.view(), php.view());
    WaterFields waters;
    for (const Array3 &q : air.water) waters.push_back(q.view());
    sum_water(all, waters, total.view());
    diagnose_moisture(all, total.view(), u.view(), v.view(), w.view());
    add_buoyancy(all.with_k(1, nz + 1), g, p.view(), air.mu, w.view(), tend.view());
    double most = 0;
    for_each(all.with_k(1, nz + 1), [&](int i, int k, int j) {
        const double mass = g.c1f[k] * (g.mub(i, j) + air.mu(i, j)) + g.c2f[k];
        most = std::max(most, std::abs(tend(i, k, j) / mass));
    });
    return most;
}

TEST(BalancedPart, LeavesNothingToAccelerate) {
    for (const int hypsometric : {1, 2})
        for (const bool moist_theta : {false, true}) {
            Columns c(hypsometric);
            EXPECT_GT(acceleration(c, hypsometric, moist_theta), 0.05);
            const AirInColumns air = air_of(c.state, c.scalars, moist_theta);
            BalancedPart(hypsometric).add({0, nx, 0, ny, 0, 1}, GridView(c.grid), air, 1, c.state.ph.view());
            // Single precision of ph' of some 3000 m2/s2: a few 1e-7 of gravity times the layers' share.
            EXPECT_LT(acceleration(c, hypsometric, moist_theta), sizeof(real) == 4 ? 2e-4 : 2e-5)
                << hypsometric << moist_theta;
        }
}

TEST(BalancedPart, TakenAwayAndGivenBackIsWhatItWas) {
    Columns c(2);
    const AirInColumns air = air_of(c.state, c.scalars, true);
    const Range columns{0, nx, 0, ny, 0, 1};
    for_each({0, nx, 0, ny, 0, nz + 1},
             [&](int i, int k, int j) { c.state.ph(i, k, j) = real(k * (i - j)); });
    BalancedPart part(2);
    part.add(columns, GridView(c.grid), air, -1, c.state.ph.view());
    part.add(columns, GridView(c.grid), air, 1, c.state.ph.view());
    for_each({0, nx, 0, ny, 0, nz + 1},
             [&](int i, int k, int j) { EXPECT_NEAR(c.state.ph(i, k, j), k * (i - j), 2e-3); });
}

} // namespace
} // namespace squall
