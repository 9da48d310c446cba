// Specified lateral boundaries: where they act, and what the outermost rows are set to.
#include <array>
#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "boundary_case.hpp"
#include "grid/scalar_named.hpp"
#include "grid/surface_wind.hpp"
#include "parallel/halo.hpp"

namespace squall {
namespace {

using testing_support::BegunBoundary;
using testing_support::BoundaryCase;
using testing_support::FakeBoundary;

class LateralBoundaryTest : public testing_support::BoundaryFileTest {};

TEST_F(LateralBoundaryTest, EveryPointOfTheRimIsOnOneLineAndTheSouthAndNorthOwnTheCorners) {
    const Rim rim(c.patch());
    for (const Points points : {Points::cells, Points::x_faces, Points::y_faces}) {
        const int ni = rim.columns(points), nj = rim.rows(points);
        std::map<std::pair<int, int>, int> visits;
        rim.for_each_line({0, ni, 0, nj, 0, 1}, points, 0, 3, [&](const RimLine &line) {
            for (int j = line.points.j0; j < line.points.j1; ++j)
                for (int i = line.points.i0; i < line.points.i1; ++i) {
                    ++visits[{i, j}];
                    EXPECT_EQ(line.distance, std::min({i, j, ni - 1 - i, nj - 1 - j}));
                    const bool southern = i == j && j < 3, northern = ni - i == nj - j && nj - j < 4;
                    EXPECT_TRUE(line.side == Side::south || !southern);
                    EXPECT_TRUE(line.side == Side::north || !northern);
                }
        });
        EXPECT_EQ(visits.size(), std::size_t(ni * nj - (ni - 6) * (nj - 6)));
        for (const auto &[place, n] : visits) EXPECT_EQ(n, 1) << place.first << ", " << place.second;
    }
}

TEST_F(LateralBoundaryTest, InnerRangesLeaveOutTheSpecifiedRowsOfTheDomainOnly) {
    Config two_rows = config(c.file());
    two_rows.boundary.specified_rows = 2, two_rows.boundary.relaxation_rows = 3;
    const Patch west = c.patch(0, 2, 1);
    const BegunBoundary b(c, two_rows, west);
    const auto expect = [](const Range &r, std::array<int, 4> wanted) {
        EXPECT_EQ((std::array{r.i0, r.i1, r.j0, r.j1}), wanted);
    };
    const int nx = west.shape.nx;
    expect(b.boundary.inner_cells({0, nx, 0, 12, 0, 4}), {2, nx, 2, 10});
    expect(b.boundary.inner_u({0, nx, 0, 12, 0, 4}), {2, nx, 2, 10});
    expect(b.boundary.inner_v({0, nx, 0, 13, 0, 4}), {2, nx, 2, 11});
    expect(b.boundary.inner_cells({3, 5, 4, 6, 0, 4}), {3, 5, 4, 6});
    int cells = 0;
    b.boundary.specified().for_each_line({0, nx, 0, 12, 0, 4},
                                         [&](const Range &r) { cells += (r.i1 - r.i0) * (r.j1 - r.j0); });
    EXPECT_EQ(cells, nx * 12 - (nx - 2) * 8);
}

TEST_F(LateralBoundaryTest, FollowsTheFileLinearlyInTimeAndThroughItsRecords) {
    FakeBoundary file = c.file();
    file.variables["MU"].value = [](int r, int, int j, int i) { return 1000.0 * r + 10 * i + j; };
    file.variables["MU"].tendency = [](int r, int, int, int) { return r == 0 ? 0.25 : -0.5; };
    const Patch p = c.patch();
    BegunBoundary b(c, config(file), p);
    State s = c.state(p);
    const auto at_end_of_step = [&](double seconds) {
        b.boundary.set_time(seconds, s);
        b.boundary.impose(Chain(BoundaryCase::whole(p)), s);
        return s.mu(3, 0);
    };
    EXPECT_FALSE(b.boundary.changes_at(3540));
    EXPECT_EQ(at_end_of_step(0), 30 + 0.25 * 60);
    EXPECT_EQ(at_end_of_step(3540), 30 + 0.25 * 3600);
    EXPECT_TRUE(b.boundary.changes_at(3600));
    EXPECT_EQ(at_end_of_step(3600), 1030 - 0.5 * 60);
    EXPECT_EQ(at_end_of_step(7140), 1030 - 0.5 * 3600);
    EXPECT_EQ(at_end_of_step(600), 30 + 0.25 * 660) << "going back, as a restart does";
}

TEST_F(LateralBoundaryTest, ImposesTheUncoupledValuesOnTheOutermostRowsOnly) {
    const Patch p = c.patch();
    const BegunBoundary b(c, config(c.file()), p);
    State s(p.shape, 3);
    b.boundary.impose(Chain(BoundaryCase::whole(p)), s);
    const State wanted = c.state(p);
    const auto expect = [](real got, real value, bool rim, double tolerance) {
        EXPECT_NEAR(got, rim ? value : real(0), tolerance);
    };
    for (int j = 0; j <= c.ny; ++j)
        for (int i = 0; i <= c.nx; ++i)
            for (int k = 0; k < c.nz; ++k) {
                const bool rim_u = i == 0 || i == c.nx || j == 0 || j == c.ny - 1;
                const bool rim_v = i == 0 || i == c.nx - 1 || j == 0 || j == c.ny;
                if (j < c.ny) expect(s.u(i, k, j), wanted.u(i, k, j), rim_u, 1e-5);
                if (i < c.nx) expect(s.v(i, k, j), wanted.v(i, k, j), rim_v, 1e-5);
                if (i == c.nx || j == c.ny) continue;
                const bool rim = rim_u || i == c.nx - 1 || rim_v;
                expect(s.theta(i, k, j), wanted.theta(i, k, j), rim, 1e-5);
                expect(s.ph(i, k + 1, j), wanted.ph(i, k + 1, j), rim, 1e-4);
                expect(s.mu(i, j), wanted.mu(i, j), rim, 1e-4);
                expect(s.scalars[0](i, k, j), wanted.scalars[0](i, k, j), rim, 1e-8);
                EXPECT_EQ(s.w(i, k, j), 0);
            }
}

TEST_F(LateralBoundaryTest, SubstepsAddTheFilesTendenciesToTheCoupledVariables) {
    FakeBoundary file = c.file();
    const std::map<std::string, double> rates{{"U", 700}, {"V", -500}, {"T", 300}, {"PH", 9000}, {"MU", 0.5}};
    for (const auto &[name, rate] : rates)
        file.variables[name].tendency = [rate](int, int, int, int) { return rate; };
    const Patch p = c.patch();
    const BegunBoundary b(c, config(file), p);
    const State ref = c.state(p);
    AcousticState a(p.shape);
    for (int n = 0; n < 3; ++n) {
        b.boundary.specified().advance_momentum(BoundaryCase::whole(p), 20, a.fields());
        b.boundary.specified().advance_columns(BoundaryCase::whole(p), 20, ref.ph.view(), ref.mu.view(),
                                               a.fields());
    }
    const auto mass = [&](int k, double mu) {
        return c.vertical.c1f[k] * (b.grid.mub(0, 5) + mu) + c.vertical.c2f[k];
    };
    EXPECT_FLOAT_EQ(a.mu(0, 5), 30);
    EXPECT_FLOAT_EQ(a.u(0, 2, 5), 42000);
    EXPECT_FLOAT_EQ(a.u(14, 2, 5), 42000);
    EXPECT_FLOAT_EQ(a.v(5, 1, 12), -30000);
    EXPECT_FLOAT_EQ(a.theta(0, 3, 5), 18000);
    for (int k = 0; k <= c.nz; ++k) {
        const double before = mass(k, ref.mu(0, 5)) * ref.ph(0, k, 5);
        const double after = mass(k, ref.mu(0, 5) + a.mu(0, 5)) * (double(ref.ph(0, k, 5)) + a.ph(0, k, 5));
        EXPECT_NEAR(after - before, 60 * 9000, 0.002 * 60 * 9000) << k;
    }
    EXPECT_EQ(a.mu(1, 5), 0);
    EXPECT_EQ(a.u(1, 2, 5), 0);
    EXPECT_EQ(a.v(5, 1, 11), 0);
}

TEST_F(LateralBoundaryTest, VapourIsTheFilesAtTheTimeOfTheStage) {
    FakeBoundary file = c.file();
    file.variables["QVAPOR"].tendency = [](int, int, int, int) { return 0.5; };
    file.variables["MU"].tendency = [](int, int, int, int) { return 1.0; };
    const Patch p = c.patch();
    const BegunBoundary b(c, config(file), p, 600);
    Array3 q(p.shape);
    b.boundary.set_scalar(Chain(BoundaryCase::whole(p)), 0, 20, q.view());
    for (int k = 0; k < c.nz; ++k) {
        const double mass = c.mass(k, 5, 0) + c.vertical.c1h[k] * 620;
        EXPECT_NEAR(q(0, k, 5), (c.mass(k, 5, 0) * BoundaryCase::vapour(k, 5, 0) + 0.5 * 620) / mass, 1e-7);
    }
    EXPECT_EQ(q(1, 2, 5), 0);
}

TEST_F(LateralBoundaryTest, MoistThetaIsMadeOfTheFilesThetaAndVapour) {
    FakeBoundary file = c.file();
    file.variables["T"].tendency = [](int, int, int, int) { return 20.0; };
    file.variables["QVAPOR"].tendency = [](int, int, int, int) { return 0.02; };
    Config moist = config(file);
    moist.dynamics.moist_theta = true;
    moist.run.time_step = 3600; // the end of the record, where both ways must meet
    const Patch p = c.patch();
    const BegunBoundary b(c, moist, p);
    State s(p.shape, 3);
    b.boundary.impose(Chain(BoundaryCase::whole(p)), s);
    for (int k = 0; k < c.nz; ++k) {
        const double mass = c.mass(k, 0, 4);
        const double theta = BoundaryCase::theta(k, 0, 4) + 3600 * 20 / mass;
        const double q = BoundaryCase::vapour(k, 0, 4) + 3600 * 0.02 / mass;
        EXPECT_NEAR(s.theta(4, k, 0), (theta + 300) * (1 + 461.6 / 287 * q) - 300, 3e-4);
    }
}

TEST_F(LateralBoundaryTest, VerticalWindIsThatOfTheNearestColumnInside) {
    Config two_rows = config(c.file());
    two_rows.boundary.specified_rows = 2, two_rows.boundary.relaxation_rows = 3;
    const Patch p = c.patch();
    const BegunBoundary b(c, two_rows, p);
    Array3 w(p.shape);
    for (int j = 0; j < c.ny; ++j)
        for (int k = 0; k <= c.nz; ++k)
            for (int i = 0; i < c.nx; ++i) w(i, k, j) = real(100 * i + 10 * k + j);
    b.boundary.specified().finish_w(BoundaryCase::whole(p), 20, w.view());
    for (int j = 0; j < c.ny; ++j)
        for (int i = 0; i < c.nx; ++i)
            EXPECT_EQ(w(i, 3, j), 100 * std::clamp(i, 2, 11) + 30 + std::clamp(j, 2, 9)) << i << ", " << j;
}

TEST_F(LateralBoundaryTest, OtherScalarsLeaveWithTheAirAndComeInAsElsewhere) {
    const Patch p = c.patch();
    const BegunBoundary b(c, config(c.file()), p);
    Array3 ru(p.shape), rv(p.shape), q(p.shape);
    for (int j = 0; j <= c.ny; ++j)
        for (int k = 0; k < c.nz; ++k)
            for (int i = 0; i <= c.nx; ++i) {
                ru(i, k, j) = k == 0 ? 1 : -1; // eastward below, westward above
                rv(i, k, j) = k == 0 ? -1 : 1;
                q(i, k, j) = real(1 + 100 * i + j);
            }
    b.boundary.specified().set_by_flow(BoundaryCase::whole(p), ru.view(), rv.view(), {7}, q.view());
    EXPECT_EQ(q(0, 0, 5), 7);
    EXPECT_EQ(q(0, 1, 5), 1 + 100 + 5);
    EXPECT_EQ(q(13, 0, 5), 1 + 1200 + 5);
    EXPECT_EQ(q(13, 1, 5), 7);
    EXPECT_EQ(q(5, 0, 0), 1 + 500 + 1);
    EXPECT_EQ(q(5, 1, 0), 7);
    EXPECT_EQ(q(5, 0, 11), 7);
    EXPECT_EQ(q(5, 1, 11), 1 + 500 + 10);
    EXPECT_EQ(q(0, 0, 0), 1 + 100 + 1) << "the south owns the corner";
    EXPECT_EQ(q(1, 0, 1), 1 + 100 + 1);
    Array3 entering(p.shape);
    entering.fill(7);
    b.boundary.specified().set_by_flow(BoundaryCase::whole(p), ru.view(), rv.view(),
                                       {.field = entering.view()}, q.view());
    EXPECT_EQ(q(0, 0, 5), 7) << "what comes in is what is given";
    EXPECT_EQ(q(0, 1, 5), 1 + 100 + 5);
}

TEST_F(LateralBoundaryTest, AerosolOfTheFileComesIn) {
    const Patch p = c.patch();
    for (const double per_kg : {3e8, 0.0}) {
        FakeBoundary file = c.file();
        for (const char *name : {"QNWFA", "QNIFA"})
            file.variables[name] = {
                c.nz, 0, 0, [this, per_kg](int, int k, int j, int i) { return c.mass(k, j, i) * per_kg; },
                [](int, int, int, int) { return 0.0; }};
        Config aerosol = config(file);
        aerosol.physics.microphysics = "thompson-aerosol";
        const BegunBoundary b(c, aerosol, p);
        const int n = scalar_named("QNWFA", scalars_of(aerosol));
        EXPECT_EQ(b.boundary.knows_scalar(n), per_kg > 0)
            << "zeros are what programs write that know of none";
        EXPECT_FALSE(b.boundary.knows_scalar(scalar_named("QNCLOUD", scalars_of(aerosol))));
        if (per_kg == 0) continue;
        Array3 q(p.shape);
        b.boundary.set_scalar(Chain(BoundaryCase::whole(p)), n, 0, q.view());
        EXPECT_NEAR(q(0, 2, 5), per_kg, 1e-5 * per_kg);
        EXPECT_EQ(q(5, 2, 5), 0) << "inside";
    }
}

TEST_F(LateralBoundaryTest, OutgoingNormalWindIsCarriedThroughTheOutermostHalfCell) {
    const Patch p = c.patch();
    const BegunBoundary b(c, config(c.file()), p);
    Array3 wind(p.shape), flux(p.shape), out(p.shape), in(p.shape);
    const auto set = [&](real west, real inner_west, real inner_east, real east) {
        for (int j = 0; j < c.ny; ++j) {
            wind(0, 1, j) = west, wind(1, 1, j) = inner_west;
            wind(13, 1, j) = inner_east, wind(14, 1, j) = east;
            for (const int i : {0, 1, 13, 14}) flux(i, 1, j) = 1000 * wind(i, 1, j);
        }
    };
    const Range faces{0, 15, 0, 12, 0, 4};
    const GridView g(b.grid);
    const OutflowFaces at = b.boundary.outflow_faces();
    set(-2, -6, 5, 3);
    correct_outflow(faces, g, at, Axis::x, wind.view(), flux.view(), out.view());
    const real m = b.grid.msfux(1, 5), me = b.grid.msfux(13, 5);
    // The flux 0.5 (f0 + f1) 0.5 (u0 + u1) becomes 0.5 (f0 + f1) u1.
    EXPECT_NEAR(out(1, 1, 5), m / 2000 * (-4000 * (-6 - -4)), 1e-4);
    EXPECT_NEAR(out(13, 1, 5), -me / 2000 * (4000 * (5 - 4)), 1e-4);
    EXPECT_EQ(out(0, 1, 5), 0);
    EXPECT_EQ(out(2, 1, 5), 0);
    EXPECT_EQ(out(1, 1, 0), 0) << "specified rows are left alone";
    set(-2, 6, -5, 3);
    correct_outflow(faces, g, at, Axis::x, wind.view(), flux.view(), in.view());
    EXPECT_EQ(in(1, 1, 5), 0);
    EXPECT_EQ(in(13, 1, 5), 0);

    Array3 v(p.shape), rv(p.shape), tend(p.shape);
    for (int i = 0; i < c.nx; ++i) {
        v(i, 1, 0) = -2, v(i, 1, 1) = -6, rv(i, 1, 0) = -2000, rv(i, 1, 1) = -6000;
        v(i, 1, 11) = 5, v(i, 1, 12) = 3, rv(i, 1, 11) = 5000, rv(i, 1, 12) = 3000;
    }
    correct_outflow({0, 14, 0, 13, 0, 4}, g, at, Axis::y, v.view(), rv.view(), tend.view());
    EXPECT_NEAR(tend(5, 1, 1), b.grid.msfvy(5, 1) / 2000 * 8000, 1e-4);
    EXPECT_NEAR(tend(5, 1, 11), -b.grid.msfvy(5, 11) / 2000 * 4000, 1e-4);
}

TEST_F(LateralBoundaryTest, BeyondTheDomainFieldsAreThoseOfItsOutermostPoints) {
    const Patch p = c.patch();
    Halo halo(MPI_COMM_SELF, p, BoundaryCase::boundaries());
    State s = c.state(p);
    const HaloField fields[] = {HaloField::of(s.u, c.nz, Points::x_faces), HaloField::of(s.theta, c.nz)};
    halo.fill(fields, halo_width);
    EXPECT_EQ(s.u(-2, 1, 5), s.u(0, 1, 5));
    EXPECT_EQ(s.u(16, 1, 5), s.u(14, 1, 5));
    EXPECT_EQ(s.u(3, 1, -1), s.u(3, 1, 0));
    EXPECT_EQ(s.theta(-3, 1, 13), s.theta(0, 1, 11));
    EXPECT_NE(s.theta(0, 1, 11), s.theta(1, 1, 10));
}

TEST_F(LateralBoundaryTest, SurfaceWindFollowsTheTerrain) {
    const Patch p = c.patch();
    Grid g = c.grid(p);
    Array3 u(p.shape), v(p.shape), w(p.shape);
    u.fill(10);
    v.fill(-4);
    BoundaryCase::each(p, [&](int i, int j, int x, int y) {
        g.msftx(i, j) = g.msfty(i, j) = 1;
        g.terrain(i, j) = real(20 * x + 30 * y);
    });
    set_surface_w(BoundaryCase::whole(p), GridView(g), u.view(), v.view(), w.view());
    const double sum = g.vertical.cf1 + g.vertical.cf2 + g.vertical.cf3;
    EXPECT_NEAR(w(4, 0, 5), sum * (10 * 20 - 4 * 30) / 2000.0, 1e-5);
    EXPECT_EQ(w(4, 1, 5), 0);
}

TEST_F(LateralBoundaryTest, TheBitsDoNotDependOnPatchesOrTiles) {
    const Config config = c.config(testing_support::drifting(c.file()).write(path()));
    const testing_support::RimImage wanted = testing_support::work_on(c, config, 1, 1, 14, 12);
    EXPECT_GT(wanted.sum(), 0);
    for (const auto &[px, py] : {std::pair{2, 1}, {1, 3}, {4, 4}, {3, 2}})
        EXPECT_TRUE(testing_support::work_on(c, config, px, py, 14, 12) == wanted) << px << " x " << py;
    for (const auto &[x, y] : {std::pair{5, 3}, {1, 1}, {14, 2}, {3, 12}})
        EXPECT_TRUE(testing_support::work_on(c, config, 1, 1, x, y) == wanted) << x << " x " << y;
}

} // namespace
} // namespace squall
