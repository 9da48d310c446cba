// The sixth-order filter: what it takes of waves by their length, and what it leaves alone.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <numbers>

#include "config/read.hpp"
#include "dynamics/sixth_order.hpp"
#include "initial/initial.hpp"
#include "patch_of.hpp"
#include "solver/solver.hpp"

namespace squall {
namespace {

constexpr int n = 12, nz = 4;
constexpr real dt = 10, factor = real(0.12);

/// A periodic square of air, and the tendencies that the filter gives a field of theta and wind.
class Filtered {
  public:
    explicit Filtered(const std::string &kind)
        : config_(parse_config(
              "[run]\nduration = \"1 h\"\ntime_step = \"10 s\"\n[domain]\nnx = 12\nny = 12\nnz = "
              "4\ndx = \"3 km\"\n[vertical]\ntop = \"1 km\"\n[physics]\nmicrophysics = "
              "\"vapour\"\n[diffusion]\nsixth_order = \"" +
                  kind + "\"\n[initial]\ncase = \"column\"\ngeostrophic_u = \"0 m/s\"\n",
              "square.toml", {})),
          patch_(test::patch_of(config_, MPI_COMM_SELF)),
          solver_(config_, patch_, MPI_COMM_SELF, make_initial_state(config_, patch_)) {}

    /// The rate of change of f(i, j) [1/s], as that of cell (i, j).
    template <class F> Array3 rate_of(F f) {
        State s(patch_.shape, solver_.scalars().size());
        const GridView g(solver_.grid());
        Array2 mass(patch_.shape);
        for (int j = -3; j < n + 3; ++j)
            for (int i = -3; i < n + 3; ++i) {
                mass(i, j) = g.mub(i, j);
                for (int k = 0; k < nz; ++k) s.theta(i, k, j) = s.u(i, k, j) = real(f(i, j));
            }
        Tendencies t(patch_.shape, solver_.scalars().size());
        const Range all{0, n, 0, n, 0, nz};
        SixthOrderFilter(config_.diffusion, config_.domain.boundaries, patch_, dt)
            .add(all, all, all, g, view_of(s), mass.view(), mass.view(), t.fields());
        Array3 rate(patch_.shape);
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < nz; ++k)
                for (int i = 0; i < n; ++i) {
                    const real weight = g.c1h[k] * mass(i, j) + g.c2h[k];
                    rate(i, k, j) = t.theta(i, k, j) / weight;
                    EXPECT_EQ(t.u(i, k, j), t.theta(i, k, j));
                }
        return rate;
    }

  private:
    Config config_;
    Patch patch_;
    Solver solver_;
};

TEST(SixthOrderFilter, TakesOfWavesByTheSixthPowerOfTheirWavenumber) {
    Filtered air("plain");
    for (const int length : {2, 4, 6, 12}) {
        const auto wave = [=](int i) { return std::cos(2 * std::numbers::pi * i / length); };
        const double taken = factor * std::pow(std::sin(std::numbers::pi / length), 6) / (2 * dt);
        const Array3 along_x = air.rate_of([&](int i, int) { return wave(i); });
        const Array3 along_y = air.rate_of([&](int, int j) { return wave(j); });
        EXPECT_NEAR(along_x(0, 2, 5), -taken, 1e-3 * taken + 1e-8) << "of " << length;
        EXPECT_NEAR(along_y(5, 2, 0), -taken, 1e-3 * taken + 1e-8) << "of " << length;
    }
}

TEST(SixthOrderFilter, MonotonicMakesNoNewExtremesAndBothKeepTheSum) {
    const auto step = [](int i, int) { return ((i + n) % n) < n / 2 ? 1. : 0.; };
    bool overshoots = false;
    for (const std::string kind : {"plain", "monotonic"}) {
        Filtered air(kind);
        const Array3 rate = air.rate_of(step);
        double sum = 0, most = 0;
        for (int i = 0; i < n; ++i) {
            sum += rate(i, 1, 3), most = std::max(most, std::abs(double(rate(i, 1, 3))));
            const bool grows = step(i, 0) == 1 ? rate(i, 1, 3) > 0 : rate(i, 1, 3) < 0;
            if (kind == "plain")
                overshoots = overshoots || grows;
            else
                EXPECT_FALSE(grows) << "at " << i;
        }
        EXPECT_GT(most, 1e-4);
        EXPECT_NEAR(sum, 0, 1e-5 * most);
    }
    EXPECT_TRUE(overshoots);
}

} // namespace
} // namespace squall
