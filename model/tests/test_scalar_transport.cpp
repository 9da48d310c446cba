#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "transport_case.hpp"

namespace squall::test {
namespace {

constexpr std::array all_limiters{Limiter::none, Limiter::positive_definite, Limiter::monotonic};
constexpr double round_off = std::numeric_limits<real>::epsilon();

/// Winds of up to 2 m/s that differ from cell to cell, converge and diverge, and change in the substeps,
/// over cells of 1 km; the mass of columns and the map factors vary too. Steps of 10 s take at most a part
/// of any cell, as the limiters need.
struct RoughCase : TransportCase {
    explicit RoughCase(TransportSettings settings = {}, Shape sh = {13, 11, 6})
        : TransportCase(sh, 1000, 2, settings) {
        const auto rough = [&](int seed, double size) {
            return [this, seed, size](int i, int k, int j) { return size * noise(shape, seed, i, k, j); };
        };
        set(u, rough(1, 2));
        set(v, rough(2, 2));
        set(departure_u, rough(3, 0.02 * mass()));
        set(departure_v, rough(4, 0.02 * mass()));
        for (Array2 *m : {&grid.msftx, &grid.msfty, &grid.msfux, &grid.msfuy, &grid.msfvx, &grid.msfvy})
            set_plane(*m, [&](int i, int j) { return 1 + 0.05 * noise(shape, 5, i, 0, j); });
        set_plane(mu, [&](int i, int j) { return 0.02 * mass() * noise(shape, 6, i, 0, j); });
    }

    template <class F> void set_plane(Array2 &a, F f) {
        for (int j = -3; j < shape.ny + 4; ++j)
            for (int i = -3; i < shape.nx + 4; ++i) a(i, j) = real(f(i, j));
    }

    /// 1 in a block of cells and 0 elsewhere.
    void set_block(Array3 &q) {
        set(q, [](int i, int k, int j) { return i >= 3 && i < 8 && j >= 2 && j < 7 && k >= 1 && k < 4; });
    }

    void run(int steps) {
        for (int n = 0; n < steps; ++n) step(10);
    }
};

TEST(ScalarTransport, AConstantStaysConstantWhileTheAirConverges) {
    for (const Limiter limiter : all_limiters)
        for (const int order : {2, 3, 5, 6}) {
            RoughCase c({limiter, order});
            c.now[0].fill(real(0.7));
            const real before = c.mu(3, 3);
            c.run(5);
            EXPECT_GT(std::abs(c.mu(3, 3) - before), 0.01 * c.mass()) << "the columns' mass has to change";
            const auto [least, most] = c.extremes(c.now[0]);
            EXPECT_NEAR(least, 0.7, 20 * round_off);
            EXPECT_NEAR(most, 0.7, 20 * round_off);
        }
}

TEST(ScalarTransport, NothingIsLostBetweenPeriodicSides) {
    for (const Limiter limiter : all_limiters) {
        RoughCase c({limiter});
        c.set_block(c.now[0]);
        const double before = c.total(c.now[0]);
        c.run(20);
        EXPECT_NEAR(c.total(c.now[0]) / before, 1, 4 * round_off);
    }
}

TEST(ScalarTransport, UnlimitedItIsAdvectionByTheAveragedFluxes) {
    RoughCase c;
    c.set(c.now[0], [&](int i, int k, int j) { return 1 + 0.5 * noise(c.shape, 7, i, k, j); });
    c.fill_halos();
    c.find_fluxes();
    c.next[0].copy_from(c.now[0]);
    const real dt = 10;
    const TransportScheme scheme = c.scheme({});
    const auto at_points = [](ConstField3 flux) {
        return [=](int k, int j) { return [f = flux.row(k, j)](int i) { return f[i]; }; };
    };
    Array3 tend(c.shape);
    ScratchMemory scratch(FluxRows::shared + 2 * c.shape.nz, c.shape.nx + 1 + overrun);
    for (int j = 0; j < c.shape.ny; ++j)
        advect(c.cells().with_j(j, j + 1), j == 0, std::as_const(c.now[0]).view(),
               MassFluxes{at_points(c.transport.ru()), at_points(c.transport.rv()),
                          at_points(c.transport.omega())},
               {scheme.x, scheme.y, scheme.z, c.view.msftx, c.view.rdx, c.view.rdy, c.view.rdnw}, unit_metric,
               FluxRows(scratch.rows(), FluxRows::shared, c.shape.nz, 0), tend.view());
    for_each_column(c.cells(), [&](int i, int j) { c.mu_next(i, j) = c.mu(i, j) + dt * c.rate(i, j); });
    c.transport.advance(c.now, c.next, c.next, c.held, std::as_const(c.mu).view(),
                        std::as_const(c.mu_next).view(), c.cells(), {dt, true, true});
    for (int j = 0; j < c.shape.ny; ++j)
        for (int k = 0; k < c.shape.nz; ++k)
            for (int i = 0; i < c.shape.nx; ++i) {
                const double before = double(c.view.mub(i, j)) + c.mu(i, j),
                             after = double(c.view.mub(i, j)) + c.mu_next(i, j);
                const double expected =
                    (before * c.now[0](i, k, j) + dt * c.view.msfty(i, j) * double(tend(i, k, j))) / after;
                EXPECT_NEAR(c.next[0](i, k, j), expected, 10 * round_off);
            }
}

TEST(ScalarTransport, SlowTendenciesActOnceAStep) {
    for (const Limiter limiter : all_limiters) {
        RoughCase c({limiter});
        c.now[0].fill(real(0.7));
        c.set(c.u, [](int, int, int) { return 0; });
        for (Array3 *a : {&c.v, &c.departure_u, &c.departure_v}) a->fill(0);
        for (int n = 0; n < 2; ++n) c.held.emplace_back(c.shape);
        c.set(c.held[0], [&](int i, int, int j) { // 0.01 s-1
            return 0.01 * (c.mass() + c.mu(i, j)) / c.view.msfty(i, j);
        });
        c.step(10);
        const auto [least, most] = c.extremes(c.now[0]);
        EXPECT_NEAR(least, 0.8, 10 * round_off);
        EXPECT_NEAR(most, 0.8, 10 * round_off);
    }
}

TEST(PositiveDefiniteTransport, NeverGoesBelowZero) {
    RoughCase c({Limiter::positive_definite}), unlimited;
    c.set_block(c.now[0]);
    unlimited.set_block(unlimited.now[0]);
    real least = 0, least_unlimited = 0;
    for (int n = 0; n < 20; ++n) {
        c.run(1);
        unlimited.run(1);
        least = std::min(least, c.extremes(c.now[0]).first);
        least_unlimited = std::min(least_unlimited, unlimited.extremes(unlimited.now[0]).first);
    }
    EXPECT_EQ(least, 0);
    EXPECT_LT(least_unlimited, -0.01) << "the test has to be hard";
}

TEST(PositiveDefiniteTransport, KnowsWhatSlowTendenciesTakeFromCells) {
    RoughCase c({Limiter::positive_definite});
    c.set_block(c.now[0]);
    for (int n = 0; n < 2; ++n) c.held.emplace_back(c.shape);
    c.set(c.held[0], [&](int i, int k, int j) { // all but a tenth within the step
        return -0.09 * (c.mass() + c.mu(i, j)) / c.view.msfty(i, j) * c.now[0](i, k, j);
    });
    const double before = c.total(c.now[0]);
    c.step(10);
    const auto [least, most] = c.extremes(c.now[0]);
    EXPECT_GE(least, 0);
    EXPECT_GT(most, 0.05);
    EXPECT_NEAR(c.total(c.now[0]) / before, 0.1, 1e-6);
}

TEST(MonotonicTransport, MakesNoNewExtremes) {
    RoughCase c({Limiter::monotonic}), unlimited;
    for (RoughCase *one : {&c, &unlimited}) {
        one->set_block(one->now[0]);
        one->set(one->now[1], [&](int i, int k, int j) { return 5 + noise(c.shape, 8, i, k, j); });
    }
    const auto [low, high] = c.extremes(c.now[1]);
    for (int n = 0; n < 10; ++n) {
        c.run(1);
        unlimited.run(1);
        const auto [least, most] = c.extremes(c.now[0]);
        EXPECT_GE(least, -2 * round_off);
        EXPECT_LE(most, 1 + 20 * round_off);
        const auto [least_noise, most_noise] = c.extremes(c.now[1]);
        EXPECT_GE(least_noise, low - 20 * round_off * high);
        EXPECT_LE(most_noise, high + 20 * round_off * high);
    }
    EXPECT_GT(unlimited.extremes(unlimited.now[0]).second, 1.01) << "the test has to be hard";
}

TEST(ScalarTransport, TilesLeaveNoTrace) {
    for (const Limiter limiter : all_limiters) {
        RoughCase whole({limiter});
        whole.set_block(whole.now[0]);
        whole.set(whole.now[1], [&](int i, int k, int j) { return noise(whole.shape, 9, i, k, j); });
        whole.run(3);
        for (const TileSize tile : {TileSize{5, 4}, TileSize{13, 1}, TileSize{1, 11}}) {
            RoughCase c({limiter, 5, 3, tile});
            c.set_block(c.now[0]);
            c.set(c.now[1], [&](int i, int k, int j) { return noise(c.shape, 9, i, k, j); });
            c.run(3);
            int different = 0;
            for (std::size_t n = 0; n < 2; ++n)
                for (int j = 0; j < c.shape.ny; ++j)
                    for (int k = 0; k < c.shape.nz; ++k)
                        for (int i = 0; i < c.shape.nx; ++i)
                            different += c.now[n](i, k, j) != whole.now[n](i, k, j);
            EXPECT_EQ(different, 0) << tile.x << " x " << tile.y;
        }
    }
}

} // namespace
} // namespace squall::test
