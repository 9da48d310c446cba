// Open boundaries: a tile changes only its own points, so the bits depend neither on tiles nor on threads and
// ranks, at all points that open sides set.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>
#include <omp.h>

#include "initial/initial.hpp"
#include "patch_of.hpp"
#include "solver/solver.hpp"

namespace squall {
namespace {

/// A mountain in an isothermal wind between open sides, 24 x 6 x 20.
Config mountain_config(int tile_x, int tile_y) {
    Config c;
    c.file = "test.toml";
    c.run.time_step = 12;
    c.domain.nx = 24;
    c.domain.ny = 6;
    c.domain.nz = 20;
    c.domain.dx = c.domain.dy = 2e3;
    c.domain.boundaries = {Boundary::open, Boundary::open, Boundary::open, Boundary::open};
    c.vertical.top = 30e3;
    c.initial.case_name = "mountain-hydrostatic";
    for (const CaseParameter &p : cases().at(c.initial.case_name).parameters)
        c.initial.parameters[p.key] = p.value;
    c.parallel.tile_x = tile_x;
    c.parallel.tile_y = tile_y;
    return c;
}

/// Calls f(place, value) for each point that a patch owns, with the outermost faces of the domain, which open
/// sides set, and its top; `place`: a number that is the point's own on all patches.
template <class F> void for_each_own_point(const Patch &p, const State &s, F f) {
    struct Field {
        const Array3 *field;
        bool x, y, z; ///< it has a point more in that direction
    };
    const Field all[] = {{&s.u, true, false, false},
                         {&s.v, false, true, false},
                         {&s.w, false, false, true},
                         {&s.theta, false, false, false},
                         {&s.ph, false, false, true}};
    const int nx = p.shape.nx, ny = p.shape.ny, nz = p.shape.nz;
    const auto place = [&](std::size_t field, int i, int k, int j) {
        return ((field * std::size_t(nz + 1) + std::size_t(k)) * std::size_t(p.ny_domain + 1) +
                std::size_t(p.y0 + j)) *
                   std::size_t(p.nx_domain + 1) +
               std::size_t(p.x0 + i);
    };
    for (std::size_t n = 0; n < std::size(all); ++n)
        for (int j = 0; j < ny + (all[n].y && p.at_north()); ++j)
            for (int k = 0; k < nz + all[n].z; ++k)
                for (int i = 0; i < nx + (all[n].x && p.at_east()); ++i)
                    f(place(n, i, k, j), (*all[n].field)(i, k, j));
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) f(place(std::size(all), i, 0, j), s.mu(i, j));
}

/// What the whole domain has after some steps, by place.
std::map<std::size_t, real> fields_after(int steps, const Config &c) {
    const Patch patch = make_patch(0, 1, 1, c.domain.nx, c.domain.ny, c.domain.nz, c.domain.boundaries);
    Solver dynamics(c, patch, MPI_COMM_SELF, make_initial_state(c, patch));
    for (int n = 0; n < steps; ++n) dynamics.step();
    std::map<std::size_t, real> values;
    for_each_own_point(patch, dynamics.state(), [&](std::size_t place, real value) {
        EXPECT_TRUE(values.try_emplace(place, value).second);
    });
    return values;
}

TEST(OpenBoundary, TheBitsDoNotDependOnTilesOrThreads) {
    const auto whole = fields_after(20, mountain_config(24, 6));
    for (const auto &[tile_x, tile_y] : {std::pair{8, 6}, std::pair{24, 2}, std::pair{7, 3}})
        EXPECT_TRUE(fields_after(20, mountain_config(tile_x, tile_y)) == whole) << tile_x << " x " << tile_y;
    const int threads = omp_get_max_threads();
    omp_set_num_threads(3);
    EXPECT_TRUE(fields_after(20, mountain_config(24, 2)) == whole);
    omp_set_num_threads(threads);
}

TEST(OpenBoundary, TheBitsDoNotDependOnRanks) {
    const Config c = mountain_config(24, 6);
    const auto whole = fields_after(20, c);
    const Patch patch = test::patch_of(c, MPI_COMM_WORLD);
    Solver dynamics(c, patch, MPI_COMM_WORLD, make_initial_state(c, patch));
    for (int n = 0; n < 20; ++n) dynamics.step();
    int points = 0, others = 0;
    for_each_own_point(patch, dynamics.state(), [&](std::size_t place, real value) {
        ++points;
        others += whole.at(place) != value;
    });
    EXPECT_EQ(others, 0);
    MPI_Allreduce(MPI_IN_PLACE, &points, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(points, int(whole.size())); // each has one owner
}

/// Air with vertical shear that converges below and diverges aloft in the outermost cells of the west and
/// the east, uniform from south to north, between open sides in the west and the east; 12 x 8 x 10.
Config sheared_channel(Boundary south, Boundary north, const char *compatibility) {
    Config c;
    c.run.compatibility = compatibility;
    c.file = "test.toml";
    c.run.time_step = 2;
    c.domain.nx = 12;
    c.domain.ny = 8;
    c.domain.nz = 10;
    c.domain.dx = c.domain.dy = 2e3;
    c.domain.boundaries = {Boundary::open, Boundary::open, south, north};
    c.vertical.top = 10e3;
    c.initial.case_name = "inertia-gravity-wave";
    for (const CaseParameter &p : cases().at(c.initial.case_name).parameters)
        c.initial.parameters[p.key] = p.value;
    c.initial.parameters["amplitude"] = 0;
    return c;
}

/// Fluxes through the outermost faces: 5 m/s at the ground to 32 m/s at the top, less by this [m s-1] on
/// the layers than inside.
real inward_jump(int k) { return real(0.5) * (real(4.5) - real(k)); }

InitialState sheared_air(const Config &c, const Patch &patch) {
    InitialState s = make_initial_state(c, patch);
    const int nx = c.domain.nx;
    for (int j = 0; j < c.domain.ny; ++j)
        for (int k = 0; k < c.domain.nz; ++k)
            for (int i = 0; i <= nx; ++i)
                s.state.u(i, k, j) = real(5 + 3 * k) + (i == 0    ? inward_jump(k)
                                                        : i == nx ? -inward_jump(k)
                                                                  : 0);
    return s;
}

/// The normal wind of the row in the middle after one step, on the western and on the eastern side.
std::array<std::vector<real>, 2> outermost_wind(Boundary south, Boundary north, const char *compatibility) {
    const Config c = sheared_channel(south, north, compatibility);
    const Patch patch = make_patch(0, 1, 1, c.domain.nx, c.domain.ny, c.domain.nz, c.domain.boundaries);
    Solver dynamics(c, patch, MPI_COMM_SELF, sheared_air(c, patch));
    dynamics.step();
    std::array<std::vector<real>, 2> wind;
    for (int k = 0; k < c.domain.nz; ++k)
        for (int side : {0, 1}) wind[side].push_back(dynamics.state().u(side * c.domain.nx, k, 4));
    return wind;
}

/// What vertical transport changes of u on the western (0) or eastern (1) face in one step, to first order.
std::vector<double> lifted_wind(int side) {
    const Config c = sheared_channel(Boundary::periodic, Boundary::periodic, "wrf");
    const Patch patch = make_patch(0, 1, 1, c.domain.nx, c.domain.ny, c.domain.nz, c.domain.boundaries);
    const InitialState s = sheared_air(c, patch);
    const VerticalGrid &v = s.grid.vertical;
    const double mass = s.grid.mub(0, 4) + s.state.mu(0, 4);
    const auto divergence = [&](int k) { return -mass * inward_jump(k) / c.domain.dx; };
    double column = 0, omega = 0, below = 0;
    for (int k = 0; k < v.nz; ++k) column += v.dnw[k] * divergence(k);
    std::vector<double> change;
    for (int k = 0; k < v.nz; ++k) {
        omega -= v.dnw[k] * (column + divergence(k));
        const auto wind = [&](int layer) { return s.state.u(side * c.domain.nx, layer, 4); };
        const double u = k + 1 < v.nz ? v.fnm[k + 1] * wind(k + 1) + v.fnp[k + 1] * wind(k) : 0;
        change.push_back(-c.run.time_step * v.rdnw[k] * (omega * u - below) / mass);
        below = omega * u;
    }
    return change;
}

/// The mean departure of column mass [Pa] after air of that wind has gone over a hill for two hours.
real mass_of_channel(double wind) {
    Config c = mountain_config(24, 1);
    c.domain.ny = 1;
    c.domain.boundaries = {Boundary::open, Boundary::open, Boundary::periodic, Boundary::periodic};
    c.initial.parameters["u"] = wind;
    c.initial.parameters["height"] = 100;
    const Patch patch = make_patch(0, 1, 1, c.domain.nx, c.domain.ny, c.domain.nz, c.domain.boundaries);
    Solver dynamics(c, patch, MPI_COMM_SELF, make_initial_state(c, patch));
    for (int n = 0; n < 600; ++n) dynamics.step();
    double sum = 0;
    for (int i = 0; i < c.domain.nx; ++i) sum += dynamics.state().mu(i, 0);
    return real(sum / c.domain.nx);
}

/// Rounding of the winds through open sides fills or empties a channel. Products of mass and wind whose
/// difference was taken, in place of departures, let its mass go astray by tenths of a pascal here; what is
/// left in single precision are up to 0.035 Pa over a dozen winds.
TEST(OpenBoundary, RoundingOfTheWindDoesNotFillAChannel) {
    const real mass = mass_of_channel(20);
    for (double wind : {20.00001, 20.00002, 20.00003, 20.00004})
        EXPECT_NEAR(mass_of_channel(wind), mass, sizeof(real) == 4 ? 0.05 : 0.002) << wind;
}

/// In WRF, what vertical transport does to the wind through a western side hangs on the southern one,
/// through an eastern side on the northern one.
TEST(OpenBoundary, AsInWrfTheNormalWindIsLiftedWhereTheSideBesideItIsNotOpen) {
    using enum Boundary;
    const auto none = outermost_wind(open, open, "wrf");
    const auto both = outermost_wind(periodic, periodic, "wrf");
    for (int side : {0, 1}) {
        const std::vector<double> lifted = lifted_wind(side);
        double largest = 0;
        for (double change : lifted) largest = std::max(largest, std::abs(change));
        ASSERT_GT(largest, 0.005);
        for (std::size_t k = 0; k < lifted.size(); ++k)
            EXPECT_NEAR(both[side][k] - none[side][k], lifted[k], 0.1 * largest)
                << "side " << side << ", layer " << k;
    }
    const auto south = outermost_wind(open, symmetric, "wrf"), north = outermost_wind(symmetric, open, "wrf");
    EXPECT_EQ(south[0], none[0]);
    EXPECT_EQ(north[1], none[1]);
    EXPECT_NE(south[1], none[1]);
    EXPECT_NE(north[0], none[0]);
}

/// What happens to the wind through a side hangs on that side alone.
TEST(OpenBoundary, TheNormalWindDoesNotHangOnTheSidesBesideIt) {
    using enum Boundary;
    const auto alone = outermost_wind(open, open, "none");
    for (const auto &[south, north] : {std::pair{periodic, periodic}, {open, symmetric}, {symmetric, open}})
        EXPECT_EQ(outermost_wind(south, north, "none"), alone);
}

/// The channel of sheared air, and the same turned by a quarter: its air, and the sides that are open.
TEST(OpenBoundary, AChannelTurnedByAQuarterHasTheSameWind) {
    const Config c = sheared_channel(Boundary::periodic, Boundary::periodic, "none");
    Config turned = c;
    std::swap(turned.domain.nx, turned.domain.ny);
    turned.domain.boundaries = {Boundary::periodic, Boundary::periodic, Boundary::open, Boundary::open};
    const auto patch_of = [](const Config &of) {
        return make_patch(0, 1, 1, of.domain.nx, of.domain.ny, of.domain.nz, of.domain.boundaries);
    };
    InitialState air = sheared_air(c, patch_of(c)), turned_air = make_initial_state(turned, patch_of(turned));
    for (int along = 0; along <= c.domain.nx; ++along)
        for (int k = 0; k < c.domain.nz; ++k)
            for (int across = 0; across <= c.domain.ny; ++across) {
                turned_air.state.v(across, k, along) = air.state.u(along, k, across);
                turned_air.state.u(across, k, along) = air.state.v(along, k, across);
            }
    Solver straight(c, patch_of(c), MPI_COMM_SELF, std::move(air)),
        quarter(turned, patch_of(turned), MPI_COMM_SELF, std::move(turned_air));
    for (int n = 0; n < 5; ++n) straight.step(), quarter.step();
    for (int along = 0; along <= c.domain.nx; ++along)
        for (int k = 0; k < c.domain.nz; ++k)
            EXPECT_NEAR(quarter.state().v(4, k, along), straight.state().u(along, k, 4), 2e-4)
                << along << ", " << k;
}

} // namespace
} // namespace squall
