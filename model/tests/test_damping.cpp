#include <gtest/gtest.h>

#include <stdexcept>

#include "dynamics/damping.hpp"
#include "initial/initial.hpp"
#include "mixing_case.hpp"
#include "parallel/tiles.hpp"
#include "solver/solver.hpp"

namespace squall::test {
namespace {

/// The sponge's rate in plain numbers: half its strength in the middle.
double rate_at(double z, double top, double depth, double coefficient) {
    const double up = std::max(0.0, 1 - (top - z) / depth);
    return coefficient * std::pow(std::sin(pi / 2 * up), 2);
}

void relax(MixingCase &c, double depth, double coefficient) {
    add_rayleigh_damping(c.cells(), c.cells(), c.cells(), GridView(c.grid), view_of(c.s),
                         RayleighBase(c.grid), real(depth), real(coefficient), c.t.fields());
}

/// Rows of two vectors of 16 and some cells more.
constexpr int long_row = 37;

/// Columns of 20 layers of 500 m with base profiles linear in height.
MixingCase sponge_case(int nx = 6) {
    MixingCase c({nx, 5, 20}, 1000, 1000, 500);
    for (std::size_t k = 0; k < 20; ++k) {
        const real z = c.grid.z_base[k];
        c.grid.u_base[k] = 10 + real(2e-3) * z;
        c.grid.v_base[k] = -5 + real(1e-3) * z;
        c.grid.theta_base[k] = real(4e-3) * z;
    }
    return c;
}

TEST(SpongeRate, RisesFromZeroToTheCoefficientAtTheTop) {
    EXPECT_FLOAT_EQ(implicit_w_damping_rate(20000, 20000, 5000, real(0.2)), 0.2f);
    EXPECT_FLOAT_EQ(implicit_w_damping_rate(17500, 20000, 5000, real(0.2)), 0.1f);
    EXPECT_NEAR(implicit_w_damping_rate(15000, 20000, 5000, real(0.2)), 0, 1e-9);
    EXPECT_NEAR(implicit_w_damping_rate(3000, 20000, 5000, real(0.2)), 0, 1e-9);
}

TEST(RayleighDamping, PullsTowardsTheBaseAtTheAnalyticRate) {
    MixingCase c = sponge_case(long_row);
    c.set(c.s.u, [&](int, int k, int) { return 10 + 2e-3 * 500 * (k + 0.5) + 3; });
    c.set(c.s.v, [&](int, int k, int) { return -5 + 1e-3 * 500 * (k + 0.5) - 2; });
    c.set(c.s.theta, [&](int, int k, int) { return 4e-3 * 500 * (k + 0.5) + 1.5; });
    c.set(c.s.w, [](int, int, int) { return 0.7; });
    const double depth = 4000, coefficient = 0.003;
    relax(c, depth, coefficient);
    for (const int i : {0, 2, 15, 16, 31, 32, long_row - 1})
        for (int k = 0; k <= 20; ++k) {
            const double layer = rate_at(500 * (k + 0.5), 10000, depth, coefficient) * c.mass();
            const double interface = rate_at(500 * k, 10000, depth, coefficient) * c.mass();
            if (k < 20) {
                EXPECT_NEAR(c.t.u(i, k, 3), -3 * layer, 2e-4 * coefficient * c.mass());
                EXPECT_NEAR(c.t.v(i, k, 3), 2 * layer, 2e-4 * coefficient * c.mass());
                EXPECT_NEAR(c.t.theta(i, k, 3), -1.5 * layer, 2e-4 * coefficient * c.mass());
            }
            EXPECT_NEAR(c.t.w(i, k, 3), -0.7 * interface, 2e-4 * coefficient * c.mass());
        }
}

TEST(NewtonianCooling, DrawsToTheBaseIn12HoursByNotMoreThan2KADay) {
    MixingCase c = sponge_case(long_row);
    c.set_terrain([](int i, int j) { return 600 + 200 * std::sin(1.3 * i) + 100 * std::cos(2.1 * j); });
    const auto departure = [](int k) { return k < 7 ? 0.4 : k < 14 ? -0.8 : 3.0; };
    for (int j = 0; j < 5; ++j)
        for (int k = 0; k < 20; ++k)
            for (int i = 0; i < long_row; ++i)
                c.s.theta(i, k, j) = real(4e-3 * c.z_layer(i, k, j) + departure(k));
    const GridView g(c.grid);
    add_newtonian_cooling(c.cells(), g, view_of(c.s), RayleighBase(c.grid), c.t.theta.view());
    for (const int i : {0, 17, long_row - 1})
        for (int k = 0; k < 20; ++k) {
            const double mass = double(g.c1h[k] * (g.mub(i, 3) + c.s.mu(i, 3)) + g.c2h[k]);
            const double rate = std::clamp(-departure(k) / 43200, -2.0 / 86400, 2.0 / 86400);
            EXPECT_NEAR(c.t.theta(i, k, 3) / mass, rate, 1e-8) << k;
        }
}

TEST(RayleighDamping, LeavesTheBaseStateAloneOverTerrain) {
    MixingCase c = sponge_case(long_row);
    // Columns up to 900 m shorter: levels lie elsewhere than those of the base profiles.
    c.set_terrain([](int i, int j) { return 600 + 200 * std::sin(1.3 * i) + 100 * std::cos(2.1 * j); });
    const auto z_u = [&](int i, int k, int j) { return 0.5 * (c.z_layer(i - 1, k, j) + c.z_layer(i, k, j)); };
    const auto z_v = [&](int i, int k, int j) { return 0.5 * (c.z_layer(i, k, j - 1) + c.z_layer(i, k, j)); };
    for (int j = 0; j < 5; ++j)
        for (int k = 0; k < 20; ++k)
            for (int i = 0; i < long_row; ++i) {
                c.s.u(i, k, j) = real(10 + 2e-3 * z_u(i, k, j));
                c.s.v(i, k, j) = real(-5 + 1e-3 * z_v(i, k, j));
                c.s.theta(i, k, j) = real(4e-3 * c.z_layer(i, k, j));
            }
    relax(c, 4000, 0.01);
    for (int j = 0; j < 5; ++j)
        for (int k = 0; k < 20; ++k)
            for (int i = 0; i < long_row; ++i) // a departure of 1 at the top would give M / 100
                for (const Array3 *a : {&c.t.u, &c.t.v, &c.t.theta})
                    ASSERT_NEAR((*a)(i, k, j), 0, 2e-4 * 0.01 * c.mass());
}

TEST(RayleighDamping, ActsOnNothingBelowTheSponge) {
    MixingCase c = sponge_case();
    c.s.u.fill(50), c.s.v.fill(50), c.s.w.fill(50), c.s.theta.fill(50);
    relax(c, 4000, 0.01);
    for (int k = 0; k < 12; ++k)
        for (const Array3 *a : {&c.t.u, &c.t.v, &c.t.w, &c.t.theta}) EXPECT_EQ((*a)(1, k, 1), 0) << k;
    for (const Array3 *a : {&c.t.u, &c.t.v, &c.t.w, &c.t.theta}) EXPECT_LT((*a)(1, 14, 1), 0);
}

TEST(RayleighDamping, GivesTheSameBitsWhateverTheTiles) {
    MixingCase whole = sponge_case(long_row), tiled = sponge_case(long_row);
    for (MixingCase *c : {&whole, &tiled}) {
        c->set_terrain([c](int i, int j) { return 500 * noise(c->shape, 1, i, 0, j); });
        for (Array3 *a : {&c->s.u, &c->s.v, &c->s.w, &c->s.theta})
            c->set(*a, [c](int i, int k, int j) { return 20 * noise(c->shape, 2, i, k, j); });
    }
    relax(whole, 5000, 0.01);
    for (const Range &r : make_tiles(tiled.cells(), 21, 2))
        add_rayleigh_damping(r, r, r, GridView(tiled.grid), view_of(tiled.s), RayleighBase(tiled.grid), 5000,
                             real(0.01), tiled.t.fields());
    for (int j = 0; j < 5; ++j)
        for (int k = 0; k <= 20; ++k)
            for (int i = 0; i < long_row; ++i) {
                ASSERT_EQ(whole.t.u(i, k, j), tiled.t.u(i, k, j));
                ASSERT_EQ(whole.t.v(i, k, j), tiled.t.v(i, k, j));
                ASSERT_EQ(whole.t.w(i, k, j), tiled.t.w(i, k, j));
                ASSERT_EQ(whole.t.theta(i, k, j), tiled.t.theta(i, k, j));
            }
}

TEST(RayleighDamping, RefusesMissingBaseProfiles) {
    MixingCase c = sponge_case();
    c.grid.z_base.assign(20, 0);
    EXPECT_THROW(RayleighBase{c.grid}, std::invalid_argument);
    c.grid.z_base.clear();
    EXPECT_THROW(RayleighBase{c.grid}, std::invalid_argument);
}

TEST(WDamping, BrakesOnlyWhereTheVerticalCourantNumberExceedsOne) {
    MixingCase c({6, 4, 10}, 1000, 1000, 500);
    const double dt = 10;
    // omega for a Courant number of 0.4 (i + 1), upward where i is even.
    c.set(c.s.w, [](int i, int, int) { return i % 2 == 0 ? 12.0 : -12.0; });
    Array3 omega(c.shape);
    c.set(omega, [&](int i, int, int) {
        return (i % 2 == 0 ? -1 : 1) * 0.4 * (i + 1) * c.mass() / c.shape.nz / dt;
    });
    add_w_damping(c.cells(), GridView(c.grid), c.s.w.view(), omega.view(), c.s.mu.view(), real(dt),
                  c.t.w.view());
    for (int i = 0; i < 6; ++i) {
        const double excess = std::max(0.4 * (i + 1) - 1, 0.0);
        const double expected = -0.3 * excess * c.mass() * (i % 2 == 0 ? 1 : -1);
        EXPECT_NEAR(c.t.w(i, 5, 2), expected, 1e-5 * c.mass()) << i;
    }
    EXPECT_EQ(c.t.w(5, 0, 2), 0);
    EXPECT_EQ(c.t.w(5, 10, 2), 0);
}

/// A bubble that is at rest when the step begins, in layers of 25 m: nothing flows through surfaces at the
/// first stage, and at the last it is the speed of several layers a step.
TEST(WDamping, BrakesInEveryStageByTheFlowOfThatStage) {
    const auto wind_after_a_step = [](bool damped) {
        Config c;
        c.file = "test.toml";
        c.run.time_step = 10;
        c.run.acoustic_substeps = 10;
        c.domain.nx = 24;
        c.domain.ny = 1;
        c.domain.nz = 200;
        c.domain.dx = c.domain.dy = 500;
        c.vertical.top = 5000;
        c.dynamics.w_damping = damped;
        c.initial.case_name = "warm-bubble";
        for (const CaseParameter &p : cases().at(c.initial.case_name).parameters)
            c.initial.parameters[p.key] = p.value;
        c.initial.parameters["amplitude"] = 40;
        const Patch patch = make_patch(0, 1, 1, c.domain.nx, 1, c.domain.nz, c.domain.boundaries);
        Solver air(c, patch, MPI_COMM_SELF, make_initial_state(c, patch));
        air.step();
        std::vector<real> wind;
        for (int k = 0; k <= c.domain.nz; ++k)
            for (int i = 0; i < c.domain.nx; ++i) wind.push_back(air.state().w(i, k, 0));
        return wind;
    };
    const auto free = wind_after_a_step(false), braked = wind_after_a_step(true);
    real changed = 0;
    for (std::size_t n = 0; n < free.size(); ++n) changed = std::max(changed, std::abs(free[n] - braked[n]));
    EXPECT_GT(*std::max_element(free.begin(), free.end()), 5);
    EXPECT_GT(changed, 0.05);
}

} // namespace
} // namespace squall::test
