#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/constants.hpp"
#include "dynamics/state_equation.hpp"
#include "grid/grid_view.hpp"
#include "grid/scalar_named.hpp"
#include "initial/initial.hpp"
#include "physics/thompson/aerosol.hpp"

namespace squall {
namespace {

/// A run of a built-in case with its default parameters.
Config config_for(const std::string &name, int nx, int ny, int nz, double dx, double top) {
    Config c;
    c.file = "test.toml";
    c.domain.nx = nx;
    c.domain.ny = ny;
    c.domain.nz = nz;
    c.domain.dx = c.domain.dy = dx;
    c.vertical.top = top;
    c.initial.case_name = name;
    for (const CaseParameter &p : cases().at(name).parameters) c.initial.parameters[p.key] = p.value;
    return c;
}

Config jet_config() {
    Config c = config_for("baroclinic-wave", 20, 40, 40, 200e3, 20e3);
    c.dynamics.coriolis = "f-plane";
    c.dynamics.f = 1e-4;
    c.domain.boundaries.south = c.domain.boundaries.north = Boundary::symmetric;
    return c;
}

Config schaer_config() { return config_for("mountain-schaer", 100, 1, 40, 500, 20e3); }

Patch whole(const Config &c) {
    return make_patch(0, 1, 1, c.domain.nx, c.domain.ny, c.domain.nz, c.domain.boundaries);
}

/// What the dynamics makes of a state.
struct Diagnosed {
    Array3 al, p, alt, php;
    Diagnosed(const Config &c, const InitialState &s)
        : al(s.grid.shape), p(s.grid.shape), alt(s.grid.shape), php(s.grid.shape) {
        const Shape n = s.grid.shape;
        diagnose_pressure({0, n.nx, 0, n.ny, 0, n.nz}, GridView(s.grid), c.dynamics.hypsometric == 2,
                          s.state.theta.view(), {}, s.state.ph.view(), s.state.mu.view(), al.view(), p.view(),
                          alt.view(), php.view());
    }
};

/// Greatest vertical acceleration [m s-2] by the vertical momentum equation at rest.
double greatest_acceleration(const Config &c, const InitialState &s) {
    const Diagnosed d(c, s);
    const VerticalGrid &v = s.grid.vertical;
    double greatest = 0;
    for (int j = 0; j < c.domain.ny; ++j)
        for (int i = 0; i < c.domain.nx; ++i)
            for (int k = 1; k <= v.nz; ++k) {
                const double slope = k < v.nz ? v.rdn[k] * (double(d.p(i, k, j)) - d.p(i, k - 1, j))
                                              : 2 * v.rdnw[k - 1] * -double(d.p(i, k - 1, j));
                const double mass = v.c1f[k] * (double(s.grid.mub(i, j)) + s.state.mu(i, j)) + v.c2f[k];
                greatest = std::max(
                    greatest, std::abs(constants::g * (slope - v.c1f[k] * double(s.state.mu(i, j))) / mass));
            }
    return greatest;
}

class OverTerrain : public testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(OverTerrain, AtmosphereAtRestHasNoDepartureWhatever) {
    Config c = schaer_config();
    std::tie(c.vertical.coordinate, c.dynamics.hypsometric) = GetParam();
    c.initial.parameters["height"] = 2000;
    c.initial.parameters["u"] = 0;
    const InitialState s = make_initial_state(c, whole(c));
    const Diagnosed d(c, s);
    for (int i = 0; i < c.domain.nx; ++i) {
        EXPECT_EQ(s.state.mu(i, 0), 0);
        for (int k = 0; k < c.domain.nz; ++k) {
            EXPECT_EQ(s.state.theta(i, k, 0), s.grid.theta_init(i, k, 0));
            EXPECT_EQ(s.state.ph(i, k + 1, 0), 0);
            EXPECT_EQ(d.al(i, k, 0), 0);
            EXPECT_EQ(d.p(i, k, 0), 0);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Coordinates, OverTerrain,
                         testing::Combine(testing::Values("sigma", "hybrid"), testing::Values(1, 2)));

TEST(IdealAtmosphere, AirThatCarriesAerosolBeginsWithTheUsualOne) {
    Config c = schaer_config();
    c.physics.microphysics = "thompson-aerosol";
    c.initial.parameters["height"] = 2000;
    const InitialState s = make_initial_state(c, whole(c));
    const Array3 &water = s.state.scalars[std::size_t(scalar_named("QNWFA", s.scalars))],
                 &ice = s.state.scalars[std::size_t(scalar_named("QNIFA", s.scalars))];
    for (int i = 0; i < c.domain.nx; ++i)
        for (int k = 0; k < c.domain.nz; ++k) {
            // as WRF: of a layer's lower face, of the lowest layer's upper one
            const double ground = s.grid.terrain(i, 0);
            const double height = s.grid.phb(i, std::max(k, 1), 0) / constants::g - ground;
            ASSERT_NEAR(water(i, k, 0), thompson::usual_water_friendly(height, ground), 2e4);
            ASSERT_NEAR(ice(i, k, 0), thompson::usual_ice_friendly(height, ground), 100);
        }
    EXPECT_GT(water(0, 0, 0), 1.5 * water(0, 10, 0)) << "less aloft";
}

TEST(IdealAtmosphere, BaseStateFollowsTheSounding) {
    const Config c = schaer_config();
    const InitialState s = make_initial_state(c, whole(c));
    const Grid &g = s.grid;
    for (int i = 0; i < c.domain.nx; ++i) {
        EXPECT_NEAR(g.phb(i, 0, 0), constants::g * g.terrain(i, 0), 0.01);
        EXPECT_NEAR(g.phb(i, 40, 0) / constants::g, 20e3, 20);
        for (int k = 0; k < c.domain.nz; ++k) {
            const double z = 0.5 * (double(g.phb(i, k, 0)) + g.phb(i, k + 1, 0)) / constants::g;
            EXPECT_NEAR(g.theta_init(i, k, 0) + 300, 288 * std::exp(1e-4 * z / constants::g), 0.3);
            const double rho = g.pb(i, k, 0) / (constants::r_d * (g.theta_init(i, k, 0) + 300) *
                                                std::pow(g.pb(i, k, 0) / 1e5, 2.0 / 7));
            EXPECT_NEAR(g.alb(i, k, 0) * rho, 1, 1e-6);
        }
    }
    EXPECT_FLOAT_EQ(g.terrain(50, 0), 250 * std::exp(-0.0025) * std::pow(std::cos(M_PI / 16), 2));
}

TEST(IdealAtmosphere, LayersAreEquallyThickInHeightUnlessStretched) {
    Config c = schaer_config();
    const auto thickness = [](const InitialState &s, int k) {
        return (double(s.grid.phb(0, k + 1, 0)) - s.grid.phb(0, k, 0)) / constants::g;
    };
    const InitialState even = make_initial_state(c, whole(c));
    for (int k = 0; k < 40; ++k) EXPECT_NEAR(thickness(even, k), 500, 1);
    c.vertical.stretch = 1.05;
    const InitialState stretched = make_initial_state(c, whole(c));
    for (int k = 1; k < 40; ++k)
        EXPECT_NEAR(thickness(stretched, k) / thickness(stretched, k - 1), 1.05, 0.002);
}

class Disturbed : public testing::TestWithParam<std::tuple<std::string, int>> {
  protected:
    static Config configure() {
        const auto [name, hypsometric] = GetParam();
        Config c = name == "baroclinic-wave"        ? jet_config()
                   : name == "inertia-gravity-wave" ? config_for(name, 300, 1, 10, 1e3, 10e3)
                   : name == "warm-bubble"          ? config_for(name, 100, 1, 50, 200, 10e3)
                                                    : config_for(name, 256, 1, 32, 200, 6.4e3);
        c.dynamics.hypsometric = hypsometric;
        return c;
    }
};

// What is left is the rounding of ph, about 1e-7 of it, in pressure.
TEST_P(Disturbed, StartsInDiscreteHydrostaticBalance) {
    const Config c = configure();
    const double acceleration = greatest_acceleration(c, make_initial_state(c, whole(c)));
    EXPECT_LT(acceleration, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Cases, Disturbed,
                         testing::Combine(testing::Values("baroclinic-wave", "density-current",
                                                          "inertia-gravity-wave", "warm-bubble"),
                                          testing::Values(1, 2)));

TEST(DensityCurrent, IsColdByFifteenKelvinInTemperatureUnderAnUndisturbedTop) {
    const Config c = config_for("density-current", 512, 1, 64, 100, 6.4e3);
    const InitialState s = make_initial_state(c, whole(c));
    const Diagnosed d(c, s);
    double coldest = 0;
    for (int i = 0; i < 512; ++i) {
        EXPECT_NEAR(s.state.ph(i, 64, 0), 0, 0.01);
        EXPECT_GE(s.state.mu(i, 0), 0);
        for (int k = 0; k < 64; ++k) {
            const double exner = std::pow((s.grid.pb(i, k, 0) + d.p(i, k, 0)) / 1e5, 2.0 / 7);
            coldest = std::min(coldest, (s.state.theta(i, k, 0) - s.grid.theta_init(i, k, 0)) * exner);
        }
    }
    EXPECT_NEAR(coldest, -15, 0.05);
    EXPECT_GT(s.state.mu(255, 0), 100);
    EXPECT_EQ(s.state.mu(0, 0), 0);
    EXPECT_EQ(s.state.mu(255, 0), s.state.mu(256, 0));
}

TEST(InertiaGravityWave, HasTheAmplitudeAndWidthOfSkamarockAndKlemp) {
    const Config c = config_for("inertia-gravity-wave", 300, 1, 10, 1e3, 10e3);
    const InitialState s = make_initial_state(c, whole(c));
    const auto warm = [&](int i) { return s.state.theta(i, 5, 0) - s.grid.theta_init(i, 5, 0); };
    EXPECT_NEAR(warm(99), 0.01 * std::sin(M_PI * 0.55) / 1.01, 1e-4);
    EXPECT_NEAR(warm(104) / warm(99), 1.01 / (1 + 4.5 * 4.5 / 25), 0.01);
    EXPECT_EQ(s.state.u(7, 3, 0), 20);
    EXPECT_EQ(s.grid.u_base[3], 20);
}

TEST(BaroclinicWave, JetIsGeostrophicAndStaticallyStable) {
    Config c = jet_config();
    c.initial.parameters["amplitude"] = 0;
    const InitialState s = make_initial_state(c, whole(c));
    double worst = 0, fastest = 0;
    for (int j = 1; j < c.domain.ny; ++j)
        for (int k = 0; k < c.domain.nz; ++k) {
            const auto phi = [&](int row) {
                return 0.5 * (double(s.state.ph(3, k, row)) + s.state.ph(3, k + 1, row));
            };
            const double u = 0.5 * (double(s.state.u(3, k, j)) + s.state.u(3, k, j - 1));
            worst = std::max(worst, std::abs(1e-4 * u + (phi(j) - phi(j - 1)) / 200e3));
            fastest = std::max(fastest, u);
            if (k > 0) {
                EXPECT_GT(s.state.theta(3, k, j), s.state.theta(3, k - 1, j) + 0.2);
            }
        }
    EXPECT_NEAR(fastest, 45 * std::exp(-0.5) * std::sqrt(2.0), 0.3);
    EXPECT_LT(worst, 0.002 * 1e-4 * fastest);
}

TEST(BaroclinicWave, NeedsRotationAndWalls) {
    Config c = jet_config();
    c.dynamics.coriolis = "none";
    EXPECT_THROW(make_initial_state(c, whole(c)), ConfigError);
    c = jet_config();
    c.domain.boundaries.south = c.domain.boundaries.north = Boundary::periodic;
    EXPECT_THROW(make_initial_state(c, whole(c)), ConfigError);
}

TEST(IdealAtmosphere, RefusesATopAboveTheAtmosphere) {
    const Config c = config_for("density-current", 16, 1, 10, 100, 40e3);
    EXPECT_THROW(make_initial_state(c, whole(c)), ConfigError);
}

TEST(Cases, GiveTheSameBitsInEveryDecomposition) {
    const Config c = jet_config();
    const InitialState all = make_initial_state(c, whole(c));
    for (int rank = 0; rank < 6; ++rank) {
        const Patch patch =
            make_patch(rank, 2, 3, c.domain.nx, c.domain.ny, c.domain.nz, c.domain.boundaries);
        const InitialState part = make_initial_state(c, patch);
        for (int j = 0; j < patch.shape.ny; ++j)
            for (int k = 0; k < patch.shape.nz; ++k)
                for (int i = 0; i < patch.shape.nx; ++i) {
                    const int x = i + patch.x0, y = j + patch.y0;
                    ASSERT_EQ(part.state.u(i, k, j), all.state.u(x, k, y));
                    ASSERT_EQ(part.state.theta(i, k, j), all.state.theta(x, k, y));
                    ASSERT_EQ(part.state.ph(i, k + 1, j), all.state.ph(x, k + 1, y));
                    ASSERT_EQ(part.grid.alb(i, k, j), all.grid.alb(x, k, y));
                }
    }
}

TEST(InitialW, FollowsTheSlopeAndDecaysWithEta) {
    Config c = schaer_config();
    InitialState s = make_initial_state(c, whole(c));
    for (int i = -1; i <= 1; i += 2) s.grid.terrain(i < 0 ? -1 : 100, 0) = s.grid.terrain(i < 0 ? 99 : 0, 0);
    for (int i = -1; i <= 100; ++i) s.grid.terrain(i, -1) = s.grid.terrain(i, 1) = s.grid.terrain(i, 0);
    set_initial_w(s);
    for (int i = 0; i < 100; ++i) {
        const double slope = (double(s.grid.terrain(i + 1, 0)) - s.grid.terrain(i - 1, 0)) / 1000;
        EXPECT_NEAR(s.state.w(i, 0, 0), 10 * slope, 1e-4);
        EXPECT_NEAR(s.state.w(i, 20, 0), s.state.w(i, 0, 0) * std::pow(s.grid.vertical.znw[20], 2), 1e-5);
    }
}

} // namespace
} // namespace squall
