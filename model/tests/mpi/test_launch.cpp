// Kernels give the same bits in whatever pieces and in whatever order columns are computed: tile by tile on
// threads, or one by one all over the patch, as on a graphics processor.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "boundary/rim_source.hpp"
#include "initial/initial.hpp"
#include "parallel/launch.hpp"
#include "patch_of.hpp"
#include "solver/solver.hpp"

namespace squall {
namespace {

/// In force until it ends.
struct InOrder {
    explicit InOrder(LaunchOrder order) { set_launch_order(order); }
    ~InOrder() { set_launch_order(LaunchOrder::tiles); }
};

TEST(Launch, ScatteredColumnsAreAllColumnsOnceAndFarFromEachOther) {
    for (const auto &[nx, ny] : {std::pair{1, 1}, {7, 1}, {13, 5}, {16, 8}}) {
        const auto columns = scattered_columns(make_tiles({-1, nx - 1, 0, ny, 0, 3}, 4, 3));
        std::map<std::pair<int, int>, int> times;
        int near = 0;
        for (std::size_t n = 0; n < columns.size(); ++n) {
            const Range &c = columns[n];
            EXPECT_EQ(c.i1 - c.i0, 1);
            EXPECT_EQ(c.j1 - c.j0, 1);
            EXPECT_EQ(c.k1, 3);
            ++times[{c.i0, c.j0}];
            near += n > 0 && std::abs(c.i0 - columns[n - 1].i0) + std::abs(c.j0 - columns[n - 1].j0) == 1;
        }
        EXPECT_EQ(times.size(), std::size_t(nx * ny));
        EXPECT_EQ(columns.size(), std::size_t(nx * ny));
        EXPECT_LE(near, int(columns.size()) / 4);
    }
}

/// 14 x 9 x 12 cells of one of the idealised cases.
Config config_of(const std::string &name, double dx, double time_step, Boundary sides) {
    Config c;
    c.file = "test.toml";
    c.run.time_step = time_step;
    c.domain.nx = 14;
    c.domain.ny = 9;
    c.domain.nz = 12;
    c.domain.dx = c.domain.dy = dx;
    c.domain.boundaries = {sides, sides, sides, sides};
    c.vertical.top = 20e3;
    c.initial.case_name = name;
    for (const CaseParameter &p : cases().at(name).parameters) c.initial.parameters[p.key] = p.value;
    return c;
}

/// A source of specified sides: what is there at the beginning, and from then on a little more of all. Of
/// scalars it knows the first only.
class Drifting : public RimSource {
  public:
    Drifting(const Patch &patch, bool with_w) : rim_(patch), with_w_(with_w) {}
    bool knows_w() const override { return with_w_; }
    bool knows_scalar(int n) const override { return n == 0; }
    bool changes_at(double seconds) const override { return seconds == 0; }
    bool needs_halo() const override { return true; }

    double fill(double seconds, const GridView &g, const State &s, RimFields &into) override {
        const auto mass = [&](int i, int k, int j) {
            return g.c1h[k] * (g.mub(i, j) + s.mu(i, j)) + g.c2h[k];
        };
        const auto mass_w = [&](int i, int k, int j) {
            return g.c1f[k] * (g.mub(i, j) + s.mu(i, j)) + g.c2f[k];
        };
        set(into.u, [&](int i, int k, int j) {
            return (mass(i, k, j) + mass(i - 1, k, j)) / 2 * s.u(i, k, j) / g.msfuy(i, j);
        });
        set(into.v, [&](int i, int k, int j) {
            return (mass(i, k, j) + mass(i, k, j - 1)) / 2 * s.v(i, k, j) / g.msfvx(i, j);
        });
        set(into.theta, [&](int i, int k, int j) { return mass(i, k, j) * s.theta(i, k, j); });
        set(into.ph, [&](int i, int k, int j) { return mass_w(i, k, j) * s.ph(i, k, j); });
        set(into.mu, [&](int i, int, int j) { return s.mu(i, j); });
        set(into.w, [&](int i, int k, int j) { return mass_w(i, k, j) * s.w(i, k, j) / g.msfty(i, j); });
        set(into.scalars[0], [&](int i, int k, int j) { return mass(i, k, j) * s.scalars[0](i, k, j); });
        return seconds;
    }

  private:
    template <class Value> void set(RimField &field, Value value) const {
        for (const Side side : all_sides) {
            RimStrip &strip = field.strip(side);
            for (int d = 0; d < field.width(); ++d)
                for (int k = 0; k < field.levels(); ++k)
                    for (int along = strip.first; along < strip.first + strip.length; ++along) {
                        const Column c = rim_.column(side, d, along, field.points());
                        if (!rim_.in_stencils(c)) continue;
                        const std::size_t n = field.place(side, d, k, along);
                        strip.value[n] = value(c.i, k, c.j);
                        strip.tendency[n] = real(1e-5) * (strip.value[n] + 1);
                    }
        }
    }

    Rim rim_;
    bool with_w_;
};

/// All that the rank's patch has after some steps, halos and all. `rim_knows_w`: of specified sides.
std::vector<real> after_steps(const Config &c, LaunchOrder order, bool rim_knows_w, MPI_Comm comm) {
    const InOrder in_order(order);
    const Patch patch = test::patch_of(c, comm);
    std::unique_ptr<RimSource> rim;
    if (c.domain.boundaries.west == Boundary::specified) rim = std::make_unique<Drifting>(patch, rim_knows_w);
    Solver solver(c, patch, comm, make_initial_state(c, patch), std::move(rim));
    for (int n = 0; n < 4; ++n) {
        const double seconds = n * c.run.time_step;
        if (solver.reads_at(seconds)) solver.prepare_rim();
        solver.set_time(seconds);
        solver.step();
    }
    solver.diagnose();
    const State &s = solver.state();
    std::vector<const Array3 *> fields{&s.u, &s.v, &s.w, &s.theta, &s.ph};
    for (const Array3 &q : s.scalars) fields.push_back(&q);
    std::vector<real> values;
    const auto [nx, ny, nz] = patch.shape;
    for (const Array3 *q : fields)
        for (int j = -halo_width; j < ny + halo_width; ++j)
            for (int k = 0; k < nz; ++k)
                for (int i = -halo_width; i < nx + halo_width; ++i) values.push_back((*q)(i, k, j));
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) values.push_back(s.mu(i, j));
    return values;
}

void expect_same_in_any_order(const Config &c, bool rim_knows_w = false) {
    const auto expect_same = [](const std::vector<real> &one, const std::vector<real> &other) {
        ASSERT_EQ(one.size(), other.size());
        EXPECT_EQ(std::memcmp(one.data(), other.data(), one.size() * sizeof(real)), 0);
    };
    const auto found = [&](LaunchOrder order, MPI_Comm comm) {
        return after_steps(c, order, rim_knows_w, comm);
    };
    const std::vector<real> tiles = found(LaunchOrder::tiles, MPI_COMM_WORLD);
    EXPECT_NE(*std::ranges::max_element(tiles), *std::ranges::min_element(tiles));
    expect_same(tiles, found(LaunchOrder::scattered_columns, MPI_COMM_WORLD));
    expect_same(tiles, found(LaunchOrder::rows, MPI_COMM_WORLD));

    // A patch without neighbours runs a whole stage in one wavefront, if its threads have rows enough.
    const std::vector<real> alone = found(LaunchOrder::tiles, MPI_COMM_SELF);
    const int threads = omp_get_max_threads();
    for (const int more : {1, 2, 3}) {
        omp_set_num_threads(more);
        expect_same(alone, found(LaunchOrder::rows, MPI_COMM_SELF));
    }
    omp_set_num_threads(threads);
}

TEST(Launch, WhatTilesFindIsMergedToTheSame) {
    const auto tiles = make_tiles({0, 7, 0, 5, 0, 2}, 3, 2);
    KernelVector<int> found;
    const auto largest = [&] {
        return launch_and_merge<int>(
            tiles, found,
            [](const Range &tile) {
                int most = 0;
                for (int j = tile.j0; j < tile.j1; ++j)
                    for (int i = tile.i0; i < tile.i1; ++i) most = std::max(most, (3 * i + 5 * j) % 17);
                return most;
            },
            [](int &best, int other) { best = std::max(best, other); });
    };
    EXPECT_EQ(largest(), 16);
    const InOrder in_order(LaunchOrder::scattered_columns);
    EXPECT_EQ(largest(), 16);
}

TEST(Launch, AMountainBetweenOpenSidesHasTheSameBits) {
    expect_same_in_any_order(config_of("mountain-hydrostatic", 2e3, 12, Boundary::open));
}

TEST(Launch, ATurningFlowBetweenPeriodicSidesUnderALidHasTheSameBits) {
    Config c = config_of("mountain-schaer", 5e3, 6, Boundary::periodic);
    c.dynamics.top_lid = true;
    c.dynamics.coriolis = "f-plane";
    c.dynamics.hypsometric = 2;
    c.dynamics.w_damping = true;
    expect_same_in_any_order(c);
}

TEST(Launch, AStormBetweenSymmetricSidesHasTheSameBits) {
    Config c = config_of("supercell", 2e3, 12, Boundary::symmetric);
    c.physics.microphysics = "kessler";
    c.dynamics.limiter = "monotonic";
    expect_same_in_any_order(c);
}

TEST(Launch, AStormWithIceBetweenOpenSidesHasTheSameBits) {
    for (const char *scheme : {"wsm3", "wsm5", "wsm6", "wdm5", "wdm6"}) {
        Config c = config_of("supercell", 2e3, 12, Boundary::open);
        c.physics.microphysics = scheme;
        expect_same_in_any_order(c);
    }
}

Config storm_that_mixes(Boundary sides) {
    Config c = config_of("supercell", 2e3, 12, sides);
    c.physics.microphysics = "kessler";
    c.diffusion.scheme = "tke";
    c.diffusion.surfaces = "physical";
    return c;
}

TEST(Launch, AStormThatMixesByItsTurbulenceHasTheSameBits) {
    Config c = storm_that_mixes(Boundary::open);
    expect_same_in_any_order(c);
    c.run.compatibility = "wrf";
    expect_same_in_any_order(c);
}

TEST(Launch, AFlowOverAMountainThatMixesByItsDeformationHasTheSameBits) {
    Config c = config_of("mountain-schaer", 5e3, 6, Boundary::periodic);
    for (const char *scheme : {"smagorinsky-2d", "smagorinsky-3d"}) {
        c.diffusion.scheme = scheme;
        c.diffusion.surfaces = "physical";
        c.diffusion.sixth_order = "monotonic";
        c.damping = {"rayleigh", 5e3, 0.02, 0};
        expect_same_in_any_order(c);
    }
    c.diffusion.scheme = "smagorinsky-2d";
    c.diffusion.surfaces = "coordinate";
    c.damping = {"diffusion", 5e3, 0, 0.02};
    expect_same_in_any_order(c);
}

TEST(Launch, AFlowThatMixesByAConstantViscosityHasTheSameBits) {
    Config c = config_of("mountain-hydrostatic", 2e3, 12, Boundary::open);
    c.diffusion.scheme = "constant";
    c.diffusion.horizontal = c.diffusion.vertical = 75;
    for (const char *surfaces : {"coordinate", "physical"}) {
        c.diffusion.surfaces = surfaces;
        expect_same_in_any_order(c);
    }
}

TEST(Launch, AStormBetweenSpecifiedSidesHasTheSameBits) {
    Config c = storm_that_mixes(Boundary::specified);
    expect_same_in_any_order(c);
    c.run.compatibility = "wrf";
    expect_same_in_any_order(c, true);
}

} // namespace
} // namespace squall
