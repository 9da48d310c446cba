#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/loop.hpp"
#include "mixing_case.hpp"
#include "physics/boundary_layer.hpp"
#include "physics/declared_state.hpp"
#include "physics/saturation.hpp"

namespace squall {
namespace {

using test::MixingCase;

/// Columns of wind (10, -5) m/s, stable theta, moist below, over water of 302 K.
struct SurfaceCase {
    int n, nz;
    double dz;
    ColumnStorage storage;
    std::vector<real> temperature, wetness;

    SurfaceCase(int columns, int layers, double depth)
        : n(columns), nz(layers), dz(depth), storage(11, layers), temperature(std::size_t(columns), 302),
          wetness(std::size_t(columns), 1) {
        for (int k = 0; k < nz; ++k)
            for (int i = 0; i < n; ++i) {
                const double z = (k + 0.5) * dz, p = 1e5 * std::exp(-z / 8000);
                const double theta = 300 + 0.004 * z;
                storage.field(0)(i, k) = real(p);
                storage.field(1)(i, k) = real(p / (287 * theta * std::pow(p / 1e5, 2.0 / 7)));
                storage.field(2)(i, k) = real(dz);
                storage.field(3)(i, k) = 10;
                storage.field(4)(i, k) = -5;
                storage.field(5)(i, k) = real(theta);
                storage.field(6)(i, k) = real(0.012 * std::exp(-z / 2000));
            }
    }

    TurbulentColumns columns(double dt) {
        return {.n = n,
                .nz = nz,
                .dt = real(dt),
                .pressure = storage.field(0),
                .density = storage.field(1),
                .depth = storage.field(2),
                .u = storage.field(3),
                .v = storage.field(4),
                .theta = storage.field(5),
                .vapour = storage.field(6),
                .surface_temperature = temperature.data(),
                .wetness = wetness.data(),
                .du = storage.field(7),
                .dv = storage.field(8),
                .dtheta = storage.field(9),
                .dvapour = storage.field(10)};
    }

    TurbulentColumns mixed(double dt) {
        boundary_layer_scheme("bulk").make(nz)->mix(columns(dt));
        return columns(dt);
    }

    /// Sum of density x depth x field of column 0.
    double integral(ConstColumns x) {
        double sum = 0;
        for (int k = 0; k < nz; ++k) sum += double(storage.field(1)(0, k)) * dz * x(0, k);
        return sum;
    }
};

TEST(BulkBoundaryLayer, WithoutWindNothingChanges) {
    SurfaceCase a(2, 20, 200);
    for (int k = 0; k < 20; ++k) a.storage.field(3)(1, k) = a.storage.field(4)(1, k) = 0;
    const TurbulentColumns c = a.mixed(600);
    for (int k = 0; k < 20; ++k) {
        EXPECT_EQ(c.du(1, k), 0);
        EXPECT_EQ(c.dtheta(1, k), 0);
        EXPECT_EQ(c.dvapour(1, k), 0);
        EXPECT_NE(c.dtheta(0, k), 0);
    }
}

TEST(BulkBoundaryLayer, OneLayerFeelsTheBulkFluxesImplicitly) {
    SurfaceCase a(1, 1, 100);
    const double dt = 300, speed = std::hypot(10, 5);
    const TurbulentColumns c = a.mixed(dt);
    const double drag = (0.7e-3 + 6.5e-5 * speed) * speed * dt / 100;
    EXPECT_NEAR(c.du(0, 0), -10 * drag / (1 + drag), 1e-5);
    EXPECT_NEAR(c.dv(0, 0), 5 * drag / (1 + drag), 1e-5);
    const double exchange = 0.0011 * speed * dt / 100;
    const double pressure = c.pressure(0, 0) + 9.81 * c.density(0, 0) * 50;
    const double theta_surface = 302 * std::pow(1e5 / pressure, 2.0 / 7);
    EXPECT_NEAR(c.dtheta(0, 0), (theta_surface - c.theta(0, 0)) * exchange / (1 + exchange), 1e-4);
    const double vapour_surface = saturation_over_water(302, real(pressure));
    EXPECT_NEAR(c.dvapour(0, 0), (vapour_surface - c.vapour(0, 0)) * exchange / (1 + exchange), 1e-7);
}

TEST(BulkBoundaryLayer, DragDoesNotGrowBeyond20MetresPerSecond) {
    SurfaceCase a(1, 1, 100);
    a.storage.field(3)(0, 0) = 40, a.storage.field(4)(0, 0) = 0;
    const double drag = 2e-3 * 40 * 10 / 100;
    EXPECT_NEAR(a.mixed(10).du(0, 0), -40 * drag / (1 + drag), 1e-5);
}

TEST(BulkBoundaryLayer, MixingWithoutFluxKeepsTheColumnsVapourAtAnyTimeStep) {
    for (const double dt : {60.0, 3600.0, 1e6}) {
        SurfaceCase a(1, 30, 150);
        a.wetness[0] = 0;
        const TurbulentColumns c = a.mixed(dt);
        EXPECT_LT(c.dvapour(0, 0), -1e-6); // moistest below
        EXPECT_NEAR(a.integral(c.dvapour) / a.integral(c.vapour), 0, 2e-6) << "time step " << dt;
    }
}

TEST(BulkBoundaryLayer, MixingMakesNoNewExtremesAtAnyTimeStep) {
    SurfaceCase a(1, 30, 150);
    for (int k = 0; k < 30; ++k) a.storage.field(6)(0, k) = real(k % 2 ? 0.001 : 0.011);
    a.wetness[0] = 0;
    for (const double dt : {10.0, 600.0, 1e6}) {
        const TurbulentColumns c = a.mixed(dt);
        for (int k = 0; k < 30; ++k) {
            EXPECT_GE(c.vapour(0, k) + c.dvapour(0, k), 0.001 * (1 - 1e-5));
            EXPECT_LE(c.vapour(0, k) + c.dvapour(0, k), 0.011 * (1 + 1e-5));
        }
    }
}

TEST(BulkBoundaryLayer, MomentumIsLostToTheSurfaceOnly) {
    SurfaceCase a(1, 30, 150);
    const double dt = 600, speed = std::hypot(10, 5);
    const TurbulentColumns c = a.mixed(dt);
    const double stress =
        c.density(0, 0) * (0.7e-3 + 6.5e-5 * speed) * speed * (c.u(0, 0) + c.du(0, 0)); // [N m-2]
    EXPECT_LT(c.du(0, 0), -0.1);
    EXPECT_GT(c.dv(0, 0), 0.05);
    EXPECT_NEAR(a.integral(c.du) / (-stress * dt), 1, 1e-4);
}

TEST(BulkBoundaryLayer, MixingDecaysAbove850Hectopascal) {
    SurfaceCase a(1, 60, 150); // 850 hPa near 1300 m
    for (int k = 0; k < 60; ++k) a.storage.field(6)(0, k) = real(k % 2 ? 0.001 : 0.011);
    const TurbulentColumns c = a.mixed(600);
    const auto change = [&](double z) { return std::abs(c.dvapour(0, int(z / 150))); };
    EXPECT_GT(change(1000), 3e-4);
    EXPECT_LT(change(3500), 0.05 * change(1000));
    EXPECT_LT(change(6000), 1e-6 * change(1000));
}

TEST(BulkBoundaryLayer, ColdDryGroundCoolsTheAirAndTakesNoVapour) {
    SurfaceCase a(1, 20, 100);
    a.temperature[0] = 290, a.wetness[0] = 0;
    const TurbulentColumns c = a.mixed(600);
    EXPECT_LT(a.integral(c.dtheta), 0);
    EXPECT_LT(c.dtheta(0, 0), -0.1);
    EXPECT_NEAR(a.integral(c.dvapour), 0, 1e-4);
}

/// A patch of moist air and the driver on it.
struct BoundaryLayerCase {
    static constexpr int nz = 10;
    MixingCase m;
    Config config;
    ScalarSet scalars;
    Array3 al, pressure, u, v, theta, vapour;
    Ground ground;
    SurfaceState surface;

    BoundaryLayerCase(int nx, int ny, bool moist_theta)
        : m({nx, ny, nz}, 1000, 1000, 200), al(m.shape), pressure(m.shape), u(m.shape), v(m.shape),
          theta(m.shape), vapour(m.shape), ground(m.shape) {
        config.run.time_step = 60;
        config.physics.microphysics = "vapour";
        config.physics.boundary_layer = "bulk";
        config.dynamics.moist_theta = moist_theta;
        scalars = scalars_of(config);
        m.s = State(m.shape, scalars.size());
        ground.temperature.fill(303);
        ground.wetness.fill(1);
        m.set(m.grid.pb, [](int, int k, int) { return 1e5 - 2200 * k; });
        m.set(m.grid.alb, [](int, int k, int) { return 0.9 + 0.02 * k; });
        m.set(m.s.u, [](int i, int, int j) { return 8 + i + 0.5 * j; });
        m.set(m.s.v, [](int i, int k, int j) { return 3 - 0.5 * i + j + 0.1 * k; });
        m.set(m.s.scalars[0], [](int, int k, int) { return 0.012 - 0.0005 * k; });
        m.set(m.s.theta, [&](int, int k, int) {
            return (300 + 0.5 * k) * (moist_theta ? 1 + 461.6 / 287 * (0.012 - 0.0005 * k) : 1.0) - 300;
        });
    }

    void run(Range columns) {
        BoundaryLayer driver(config, scalars, nz);
        driver.rates(columns, GridView(m.grid), std::as_const(m.s), std::as_const(pressure).view(),
                     std::as_const(al).view(), {ground, surface, {}},
                     {u.view(), v.view(), theta.view(), vapour.view(), {}, {}, {}, {}});
    }
};

TEST(BoundaryLayer, WindIsThatOfTheMiddleOfCells) {
    BoundaryLayerCase a(3, 2, true);
    a.run({0, 3, 0, 2, 0, 10});
    // Of cell (1, 0): u = 9.5, v = 3 on its faces' average.
    const double speed = std::hypot(9.5, 3.0);
    const double drag = (0.7e-3 + 6.5e-5 * speed) * speed / 200 * 60;
    // Layers above hold the lowest back a little.
    EXPECT_NEAR(a.u(1, 0, 0) / (-9.5 * drag / 60), 0.95, 0.06);
    EXPECT_LT(a.v(1, 0, 0), 0);
}

TEST(BoundaryLayer, MoistThetaChangesByHeatAndVapour) {
    BoundaryLayerCase moist(2, 1, true), dry(2, 1, false);
    moist.run({0, 2, 0, 1, 0, 10});
    dry.run({0, 2, 0, 1, 0, 10});
    for (int k = 0; k < 10; ++k) {
        const double q = 0.012 - 0.0005 * k, dq = 60 * double(dry.vapour(1, k, 0));
        const double theta = 300 + 0.5 * k, dtheta = 60 * double(dry.theta(1, k, 0)), f = 461.6 / 287;
        const double expected = (theta + dtheta) * (1 + f * (q + dq)) - theta * (1 + f * q);
        EXPECT_NEAR(60 * moist.theta(1, k, 0), expected, 2e-4);
        EXPECT_NEAR(moist.vapour(1, k, 0), dry.vapour(1, k, 0), 1e-10);
    }
    EXPECT_GT(dry.vapour(1, 0, 0), 1e-8);
    EXPECT_GT(dry.theta(1, 0, 0), 1e-5);
}

TEST(BoundaryLayer, TilesDoNotChangeTheBits) {
    BoundaryLayerCase whole(40, 2, true), cut(40, 2, true);
    whole.run({0, 40, 0, 2, 0, 10});
    cut.run({0, 5, 0, 2, 0, 10});
    cut.run({5, 40, 0, 2, 0, 10});
    for (int j = 0; j < 2; ++j)
        for (int k = 0; k < 10; ++k)
            for (int i = 0; i < 40; ++i) {
                ASSERT_EQ(whole.u(i, k, j), cut.u(i, k, j));
                ASSERT_EQ(whole.theta(i, k, j), cut.theta(i, k, j));
                ASSERT_EQ(whole.vapour(i, k, j), cut.vapour(i, k, j));
            }
}

TEST(BoundaryLayer, AnUnknownSchemeIsRefused) {
    BoundaryLayerCase a(1, 1, true);
    a.config.physics.boundary_layer = "bulky";
    EXPECT_THROW(BoundaryLayer(a.config, a.scalars, 10), std::runtime_error);
}

} // namespace
} // namespace squall
