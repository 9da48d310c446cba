#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/constants.hpp"
#include "dynamics/state_equation.hpp"
#include "grid/grid_view.hpp"
#include "initial/initial.hpp"
#include "initial/moist_sounding.hpp"

namespace squall {
namespace {

constexpr double rv_over_rd = double(constants::r_v) / constants::r_d;

Config config_for(const std::string &name, int nx, int ny, int nz, double dx, double top) {
    Config c;
    c.file = "test.toml";
    c.domain.nx = nx, c.domain.ny = ny, c.domain.nz = nz;
    c.domain.dx = c.domain.dy = dx;
    c.vertical.top = top;
    c.physics.microphysics = name == "moist-bubble" ? "condensation" : "kessler";
    c.initial.case_name = name;
    for (const CaseParameter &p : cases().at(name).parameters) c.initial.parameters[p.key] = p.value;
    return c;
}

Config of_case(const std::string &name) {
    return name == "supercell"     ? config_for(name, 21, 21, 40, 2e3, 20e3)
           : name == "squall-line" ? config_for(name, 80, 1, 40, 500, 20e3)
                                   : config_for(name, 40, 1, 50, 500, 10e3);
}

Patch whole(const Config &c) {
    return make_patch(0, 1, 1, c.domain.nx, c.domain.ny, c.domain.nz, c.domain.boundaries);
}

/// Perturbation pressure as the dynamics finds it.
Array3 pressure_of(const Config &c, const InitialState &s) {
    const Shape n = s.grid.shape;
    Array3 al(n), p(n), alt(n), php(n);
    const ConstField3 vapour =
        c.dynamics.moist_theta ? ConstField3{} : s.state.scalars[s.scalars.vapour].view();
    diagnose_pressure({0, n.nx, 0, n.ny, 0, n.nz}, GridView(s.grid), c.dynamics.hypsometric == 2,
                      s.state.theta.view(), vapour, s.state.ph.view(), s.state.mu.view(), al.view(), p.view(),
                      alt.view(), php.view());
    return p;
}

double water_at(const InitialState &s, int i, int k, int j) {
    double sum = 0;
    for (int n = 0; n < s.scalars.waters; ++n) sum += s.state.scalars[n](i, k, j);
    return sum;
}

double dry_theta(const Config &c, const InitialState &s, int i, int k, int j) {
    const double q = s.state.scalars[s.scalars.vapour](i, k, j);
    return (300.0 + s.state.theta(i, k, j)) / (c.dynamics.moist_theta ? 1 + rv_over_rd * q : 1);
}

/// Greatest vertical acceleration [m s-2] by the vertical momentum equation of moist air at rest.
double greatest_acceleration(const Config &c, const InitialState &s) {
    const Array3 p = pressure_of(c, s);
    const VerticalGrid &v = s.grid.vertical;
    double greatest = 0;
    for (int j = 0; j < c.domain.ny; ++j)
        for (int i = 0; i < c.domain.nx; ++i)
            for (int k = 1; k <= v.nz; ++k) {
                const int below = std::min(k, v.nz - 1);
                const double q = 0.5 * (water_at(s, i, below, j) + water_at(s, i, below - 1, j));
                const double f = 1 / (1 + q);
                const double slope = k < v.nz ? v.rdn[k] * (double(p(i, k, j)) - p(i, k - 1, j))
                                              : 2 * v.rdnw[k - 1] * -double(p(i, k - 1, j));
                const double base = double(v.c1f[k]) * s.grid.mub(i, j) + v.c2f[k];
                const double mass = base + double(v.c1f[k]) * s.state.mu(i, j);
                const double force = f * slope - double(v.c1f[k]) * s.state.mu(i, j) - (1 - f) * base;
                greatest = std::max(greatest, std::abs(constants::g * force / mass));
            }
    return greatest;
}

class MoistCases : public testing::TestWithParam<std::tuple<std::string, int, bool>> {};

// What is left is the rounding of ph in pressure, as in dry cases.
TEST_P(MoistCases, StartInDiscreteHydrostaticBalanceWithTheirWater) {
    Config c = of_case(std::get<0>(GetParam()));
    c.dynamics.hypsometric = std::get<1>(GetParam());
    c.dynamics.moist_theta = std::get<2>(GetParam());
    EXPECT_LT(greatest_acceleration(c, make_initial_state(c, whole(c))), 2e-4);
}

INSTANTIATE_TEST_SUITE_P(All, MoistCases,
                         testing::Combine(testing::Values("supercell", "squall-line", "moist-bubble"),
                                          testing::Values(1, 2), testing::Bool()));

TEST(Supercell, IsTheSoundingOfWeismanAndKlempWithItsThermal) {
    const Config c = of_case("supercell");
    const InitialState s = make_initial_state(c, whole(c));
    const Array3 &qv = s.state.scalars[s.scalars.vapour];
    double warmest = 0;
    for (int k = 0; k < 40; ++k) {
        const double z = 0.5 *
                         (double(s.grid.phb(0, k, 0)) + s.state.ph(0, k, 0) + s.grid.phb(0, k + 1, 0) +
                          s.state.ph(0, k + 1, 0)) /
                         constants::g;
        const double theta = z < 12000 ? 300 + 43 * std::pow(z / 12000, 1.25)
                                       : 343 * std::exp(9.81 * (z - 12000) / (1004.5 * 213));
        EXPECT_NEAR(dry_theta(c, s, 0, k, 0), theta, 0.4) << z;
        warmest = std::max(warmest, dry_theta(c, s, 10, k, 10) - dry_theta(c, s, 0, k, 0));
        EXPECT_EQ(qv(10, k, 10), qv(0, k, 0)) << "the thermal has the sounding's vapour";
        EXPECT_EQ(s.state.mu(10, 10), s.state.mu(0, 0));
    }
    EXPECT_NEAR(warmest, 3 * std::pow(std::cos(M_PI / 12), 2), 0.1) << "250 m from its centre";
    EXPECT_FLOAT_EQ(qv(0, 0, 0), 0.014f);
    EXPECT_LT(s.state.u(3, 0, 3), -7.9);
    EXPECT_FLOAT_EQ(s.state.u(3, 39, 3), 27.15f);
    EXPECT_FLOAT_EQ(s.state.v(3, 39, 3), 3.5f);
    EXPECT_EQ(s.grid.u_base[39], s.state.u(0, 39, 0));
    EXPECT_EQ(s.grid.qv_base[5], qv(0, 5, 0));
}

TEST(Supercell, VapourIsThatOfWrfsSounding) {
    const MoistSounding sounding(1e5, weisman_klemp_levels(1e5, 0.014));
    // WRF's em_quarter_ss/input_sounding
    for (const auto &[z, qv] : {std::pair{1000, 14.0},
                                {2000, 10.236333},
                                {3700, 5.007156},
                                {6200, 1.508036},
                                {9200, 0.247464},
                                {12200, 0.025378}})
        EXPECT_NEAR(1000 * sounding.at(z).vapour, qv, 0.03 * qv) << z;
}

TEST(MoistBubble, IsSaturatedEverywhereWithTheSameWater) {
    const Config c = of_case("moist-bubble");
    const InitialState s = make_initial_state(c, whole(c));
    const Array3 p = pressure_of(c, s);
    double warmest = 0;
    for (int i = 0; i < 40; ++i)
        for (int k = 0; k < 50; ++k) {
            const double pressure = double(p(i, k, 0)) + s.grid.pb(i, k, 0);
            const double t = dry_theta(c, s, i, k, 0) * std::pow(pressure / 1e5, 2.0 / 7);
            EXPECT_NEAR(s.state.scalars[0](i, k, 0) / saturation_mixing_ratio(t, pressure), 1, 2e-4);
            EXPECT_NEAR(water_at(s, i, k, 0), 0.02, 1e-8);
            warmest = std::max(warmest, double(s.state.theta(i, k, 0)) - s.state.theta(0, k, 0));
        }
    // theta (1 + r_v / r_d qv) exceeds the surroundings' as 2 K do 300 K
    EXPECT_NEAR(warmest, 2 * (300 + s.state.theta(0, 10, 0)) / 300, 0.1);
}

TEST(MoistCase, NeedsWaterAndASoundingThatReachesTheTop) {
    Config c = of_case("supercell");
    c.physics.microphysics = "none";
    EXPECT_THROW(make_initial_state(c, whole(c)), ConfigError);
    c = of_case("supercell");
    c.vertical.top = 45e3;
    EXPECT_THROW(make_initial_state(c, whole(c)), ConfigError);
    c = of_case("moist-bubble");
    c.physics.microphysics = "vapour";
    EXPECT_THROW(make_initial_state(c, whole(c)), ConfigError);
}

TEST(MoistCase, GivesTheSameBitsInEveryDecomposition) {
    const Config c = of_case("supercell");
    const InitialState all = make_initial_state(c, whole(c));
    for (int rank = 0; rank < 4; ++rank) {
        const Patch patch = make_patch(rank, 2, 2, 21, 21, 40, c.domain.boundaries);
        const InitialState part = make_initial_state(c, patch);
        for (int j = 0; j < patch.shape.ny; ++j)
            for (int k = 0; k < patch.shape.nz; ++k)
                for (int i = 0; i < patch.shape.nx; ++i) {
                    const int x = i + patch.x0, y = j + patch.y0;
                    ASSERT_EQ(part.state.theta(i, k, j), all.state.theta(x, k, y));
                    ASSERT_EQ(part.state.ph(i, k + 1, j), all.state.ph(x, k + 1, y));
                    ASSERT_EQ(part.state.scalars[0](i, k, j), all.state.scalars[0](x, k, y));
                }
    }
}

class SoundingFile : public testing::Test {
  protected:
    std::string path = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() +
                       "_input_sounding_of_test"; // one each: tests run side by side
    void TearDown() override { std::filesystem::remove(path); }

    std::string complaint(const std::string &text) const {
        std::ofstream(path) << text;
        try {
            read_sounding({}, path);
        } catch (const std::runtime_error &e) {
            return e.what();
        }
        return "";
    }
};

TEST_F(SoundingFile, IsReadAsWrfReadsIt) {
    std::ofstream(path) << "1000. 300. 14.\n 100. 301. 13. 1. 2.\n 1100. 303. 9. 3. 4.\n2100 305 5 3 4\n";
    const MoistSounding s = read_sounding({}, path);
    EXPECT_NEAR(s.at(600).theta, 302, 1e-12);
    EXPECT_NEAR(s.at(600).vapour, 0.011, 1e-12);
    EXPECT_NEAR(s.at(600).u, 2, 1e-12);
    EXPECT_NEAR(s.at(0).vapour, 0.014, 1e-12);
    EXPECT_NEAR(s.pressure(0), 1e5, 1e-9);
    EXPECT_NEAR(s.height_of(s.pressure(777)), 777, 1e-9);
    // Hydrostatic: the pressures of the layer differ by the weight of its air, with its water.
    const double rho =
        1e5 / (287 * 302 * (1 + rv_over_rd * 0.011)) * std::pow(s.pressure(600) / 1e5, 5.0 / 7);
    EXPECT_NEAR((s.pressure(100) - s.pressure(1100)) / 1000, 9.81 * rho * 1.011, 0.02);
    EXPECT_NEAR((s.dry_pressure(100) - s.dry_pressure(1100)) / 1000, 9.81 * rho, 0.02);
}

TEST_F(SoundingFile, ErrorsNameTheLine) {
    EXPECT_NE(complaint("").find("_of_test:1: the first line"), std::string::npos);
    EXPECT_NE(complaint("1000 300 14\n100 301 13 1 2\n200 302 x 1 2\n").find("_of_test:3: not five numbers"),
              std::string::npos);
    EXPECT_NE(complaint("1000 300 14\n100 301 13 1 2\n90 302 13 1 2\n")
                  .find("90 m is not above the level at 100 m"),
              std::string::npos);
    EXPECT_NE(complaint("10 300 14\n").find("10 hPa is impossible"), std::string::npos);
    EXPECT_NE(complaint("1000 300 14\n100 301 -13 1 2\n200 302 1 1 2\n").find("impossible values at 100 m"),
              std::string::npos);
}

} // namespace
} // namespace squall
