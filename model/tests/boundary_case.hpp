/// A domain with specified boundaries for tests: its run file, its grid, and a smooth state that the
/// boundary file can be made of.
#pragma once

#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "boundary/boundary_theta.hpp"
#include "boundary/file_rim.hpp"
#include "boundary/lateral_boundary.hpp"
#include "core/constants.hpp"
#include "fake_wrfbdy.hpp"
#include "parallel/tiles.hpp"
#include "physics/declared_state.hpp"
#include "physics/microphysics_scheme.hpp"

namespace squall::testing_support {

/// Uncoupled values at 0-based global places; hybrid levels and map factors that vary.
struct BoundaryCase {
    int nx = 14, ny = 12, nz = 4;
    VerticalGrid vertical = VerticalGrid::make({1, 0.8, 0.55, 0.3, 0}, 10000, 0.2);

    static double mub(int j, int i) { return 85000 + 30.0 * i - 20.0 * j; }
    static double mu(int j, int i) { return 100 + 7.0 * i + 5.0 * j; }
    static double u(int k, int j, int i) { return 10 + k - 0.5 * i + 0.25 * j; }
    static double v(int k, int j, int i) { return -5 + 0.5 * k + 0.25 * i - 0.5 * j; }
    static double theta(int k, int j, int i) { return 5.0 * k + 0.1 * i + 0.2 * j; }
    static double ph(int k, int j, int i) { return 100.0 * k + 3.0 * i + 2.0 * j; }
    static double vapour(int k, int j, int i) { return 0.01 - 0.002 * k + 1e-4 * i + 5e-5 * j; }
    static double map(int j, int i) { return 1 + 0.01 * i + 0.005 * j; }

    /// Full column mass of a cell, of the outermost beyond the domain.
    double column(int j, int i) const {
        const int x = std::clamp(i, 0, nx - 1), y = std::clamp(j, 0, ny - 1);
        return mub(y, x) + mu(y, x);
    }
    double mass(int k, int j, int i) const { return vertical.c1h[k] * column(j, i) + vertical.c2h[k]; }
    double mass_w(int k, int j, int i) const { return vertical.c1f[k] * column(j, i) + vertical.c2f[k]; }
    double mass_u(int k, int j, int i) const { return 0.5 * (mass(k, j, i) + mass(k, j, i - 1)); }
    double mass_v(int k, int j, int i) const { return 0.5 * (mass(k, j, i) + mass(k, j - 1, i)); }

    /// The file of this state, which stays as it is.
    FakeBoundary file() const {
        FakeBoundary f;
        f.nx = nx, f.ny = ny, f.nz = nz;
        f.variables["U"].value = [c = *this](int, int k, int j, int i) {
            return c.mass_u(k, j, i) * u(k, j, i) / map(j, i);
        };
        f.variables["V"].value = [c = *this](int, int k, int j, int i) {
            return c.mass_v(k, j, i) * v(k, j, i) / map(j, i);
        };
        f.variables["T"].value = [c = *this](int, int k, int j, int i) {
            return c.mass(k, j, i) * theta(k, j, i);
        };
        f.variables["PH"].value = [c = *this](int, int k, int j, int i) {
            return c.mass_w(k, j, i) * ph(k, j, i);
        };
        f.variables["QVAPOR"].value = [c = *this](int, int k, int j, int i) {
            return c.mass(k, j, i) * vapour(k, j, i);
        };
        f.variables["MU"].value = [](int, int, int j, int i) { return mu(j, i); };
        return f;
    }

    Config config(const std::string &path) const {
        Config c;
        c.run.start = "2001-02-03T04:00:00";
        c.run.time_step = 60;
        c.run.duration = 7200;
        c.domain = {nx, ny, nz, 2000, 2000, boundaries()};
        c.physics.microphysics = "kessler";
        c.dynamics.moist_theta = false;
        c.boundary.file = path;
        return c;
    }
    static Boundaries boundaries() {
        using enum Boundary;
        return {specified, specified, specified, specified};
    }
    Patch patch(int rank = 0, int px = 1, int py = 1) const {
        return make_patch(rank, px, py, nx, ny, nz, boundaries());
    }
    Grid grid(const Patch &p) const {
        Grid g;
        g.shape = p.shape;
        g.dx = g.dy = 2000;
        g.rdx = g.rdy = real(1) / 2000;
        g.vertical = vertical;
        for (Array2 *a : {&g.msftx, &g.msfty, &g.msfux, &g.msfuy, &g.msfvx, &g.msfvy, &g.terrain, &g.mub})
            *a = Array2(p.shape);
        each(p, [&](int i, int j, int x, int y) {
            for (Array2 *a : {&g.msftx, &g.msfty, &g.msfux, &g.msfuy, &g.msfvx, &g.msfvy})
                (*a)(i, j) = real(map(y, x));
            g.mub(i, j) = real(mub(std::clamp(y, 0, ny - 1), std::clamp(x, 0, nx - 1)));
        });
        return g;
    }
    /// The state that the file is made of, halos included.
    State state(const Patch &p) const {
        State s(p.shape, 3);
        each(p, [&](int i, int j, int x, int y) {
            s.mu(i, j) = real(column(y, x)) - real(mub(std::clamp(y, 0, ny - 1), std::clamp(x, 0, nx - 1)));
            for (int k = 0; k <= nz; ++k) {
                s.ph(i, k, j) = real(ph(k, y, x));
                if (k == nz) continue;
                s.u(i, k, j) = real(u(k, y, x));
                s.v(i, k, j) = real(v(k, y, x));
                s.theta(i, k, j) = real(theta(k, y, x));
                s.scalars[0](i, k, j) = real(vapour(k, y, x));
            }
        });
        return s;
    }
    /// Its mass fluxes.
    void fluxes(const Patch &p, Array3 &ru, Array3 &rv) const {
        each(p, [&](int i, int j, int x, int y) {
            for (int k = 0; k < nz; ++k) {
                ru(i, k, j) = real(mass_u(k, y, x) * u(k, y, x) / map(y, x));
                rv(i, k, j) = real(mass_v(k, y, x) * v(k, y, x) / map(y, x));
            }
        });
    }
    ScalarSet scalars(const Config &c) const { return scalars_of(c); }

    static Range whole(const Patch &p) { return {0, p.shape.nx, 0, p.shape.ny, 0, p.shape.nz}; }

    /// f(i, j, x, y) for local and global places, two halo points included.
    template <class F> static void each(const Patch &p, F f) {
        for (int j = -2; j < p.shape.ny + 3; ++j)
            for (int i = -2; i < p.shape.nx + 3; ++i) f(i, j, i + p.x0, j + p.y0);
    }
};

/// The rim of boundary.file, as a run of one rank opens it.
inline std::unique_ptr<RimSource> file_rim(const Config &config, const Patch &p, const ScalarSet &scalars) {
    BoundaryFile file(config);
    const bool moist = scalars.moist() && theta_of(file, config).moist;
    const bool aerosol = carries_aerosol(config.physics) && file.holds("QNWFA") && file.holds("QNIFA");
    return std::make_unique<FileRim>(std::move(file), FileRim::Holds{moist, aerosol}, config, p, scalars);
}

/// Tests with a boundary file of their own.
class BoundaryFileTest : public testing::Test {
  protected:
    std::string path() const {
        const auto *test = testing::UnitTest::GetInstance()->current_test_info();
        return testing::TempDir() + "wrfbdy_" + test->name();
    }
    void TearDown() override { std::filesystem::remove(path()); }

    Config config(const FakeBoundary &file) const { return c.config(file.write(path())); }

    BoundaryCase c;
};

/// A boundary that has begun the step at `seconds`, with the grid it views.
struct BegunBoundary {
    BegunBoundary(const BoundaryCase &c, const Config &config, const Patch &p, double seconds = 0)
        : grid(c.grid(p)),
          boundary(config, p, grid, scalars_of(config), file_rim(config, p, scalars_of(config))) {
        boundary.set_time(seconds, {});
    }
    Grid grid;
    LateralBoundary boundary;
};

/// The file of a case with tendencies that vary from place to place.
inline FakeBoundary drifting(FakeBoundary file) {
    for (auto &[name, variable] : file.variables) {
        const double scale = name == "MU" ? 0.01 : name == "QVAPOR" ? 0.002 : 2;
        variable.tendency = [scale](int, int k, int j, int i) { return scale * (1 + k + 0.3 * i - 0.2 * j); };
    }
    return file;
}

/// Everything that the boundary computes, on the whole domain.
struct RimImage {
    std::map<std::array<int, 4>, real> points; ///< by variable, k, j, i

    double sum() const {
        double s = 0;
        for (const auto &[place, x] : points) s += std::abs(x);
        return s;
    }
    bool operator==(const RimImage &) const = default;

    void collect(const Patch &p, int variable, ConstField3 q) {
        for (int j = 0; j < p.shape.ny + p.at_north(); ++j)
            for (int k = 0; k <= p.shape.nz; ++k)
                for (int i = 0; i < p.shape.nx + p.at_east(); ++i)
                    points[{variable, k, j + p.y0, i + p.x0}] = q(i, k, j);
    }
    void collect(const Patch &p, int variable, const Array2 &q) {
        for (int j = 0; j < p.shape.ny; ++j)
            for (int i = 0; i < p.shape.nx; ++i) points[{variable, 0, j + p.y0, i + p.x0}] = q(i, j);
    }
};

/// Lets the boundary do all it does to a departure from the file's state on one patch.
inline void work_on(const BoundaryCase &c, const Config &config, const Patch &p, int tile_x, int tile_y,
                    RimImage &image) {
    const BegunBoundary b(c, config, p, 600);
    State s = c.state(p);
    BoundaryCase::each(p, [&](int i, int j, int x, int y) { s.mu(i, j) += real((x * 7 + y * 3) % 5); });
    Array3 ru(p.shape), rv(p.shape);
    c.fluxes(p, ru, rv);
    Tendencies t(p.shape, 3);
    AcousticState a(p.shape);
    a.w.copy_from(s.theta);
    const auto tiles = make_tiles(BoundaryCase::whole(p), tile_x, tile_y);
    for (const Range &tile : tiles) {
        b.boundary.add_relaxation(Chain(tile), s, ru.view(), rv.view(), 1, t);
        b.boundary.specified().advance_momentum(tile, 20, a.fields());
        b.boundary.specified().advance_columns(tile, 20, s.ph.view(), s.mu.view(), a.fields());
        b.boundary.specified().set_by_flow(tile, ru.view(), rv.view(), {}, s.scalars[1].view());
    }
    for (const Range &tile : tiles) b.boundary.specified().finish_w(tile, 20, a.w.view());
    for (const Range &tile : tiles) b.boundary.impose(Chain(tile), s);
    int n = 0;
    for (const Array3 *q : {&t.u, &t.v, &t.theta, &t.ph, &t.scalars[0], &a.u, &a.v, &a.theta, &a.ph, &a.w,
                            &s.u, &s.v, &s.theta, &s.ph, &s.scalars[0], &s.scalars[1]})
        image.collect(p, n++, q->view());
    for (const Array2 *q : {&t.mu, &a.mu, &s.mu}) image.collect(p, n++, *q);
}

/// The same patch by patch.
inline RimImage work_on(const BoundaryCase &c, const Config &config, int px, int py, int tile_x, int tile_y) {
    RimImage image;
    for (int rank = 0; rank < px * py; ++rank)
        work_on(c, config, c.patch(rank, px, py), tile_x, tile_y, image);
    return image;
}

} // namespace squall::testing_support
