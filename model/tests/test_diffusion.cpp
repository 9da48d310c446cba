#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

#include "diffusion_case.hpp"

namespace squall::test {
namespace {

enum class Direction { x, y, z };

/// The rate at which mixing with K = 75 m2/s damps a wave of one variable in one direction, on n
/// points of 100 m, over K times the squared wave number. In the vertical a half wave that lets
/// nothing through surface and top.
double relative_decay_rate(const std::string &surfaces, Variable variable, Direction direction, int n) {
    const double viscosity = 75;
    const double spacing = 3200.0 / n;
    const bool vertical = direction == Direction::z;
    const Shape shape{direction == Direction::x ? n : 4, direction == Direction::y ? n : 4, vertical ? n : 4};
    MixingCase c(shape, spacing, spacing, spacing);
    const double phase = vertical ? pi / n : 2 * pi / n; // per point
    c.set(member(variable, c.s), [&](int i, int k, int j) {
        if (direction == Direction::x) return std::sin(phase * (i + 0.3));
        if (direction == Direction::y) return std::sin(phase * (j + 0.3));
        return variable == Variable::w ? std::sin(phase * k) : std::cos(phase * (k + 0.5));
    });
    mix(c, constant(surfaces, viscosity, viscosity));
    const int at = n / 4;
    const int i = direction == Direction::x ? at : 1, j = direction == Direction::y ? at : 1;
    const int k = vertical ? at : 1;
    const double wavenumber = phase / spacing;
    return -double(member(variable, c.t)(i, k, j)) /
           (c.mass() * member(variable, c.s)(i, k, j) * viscosity * wavenumber * wavenumber);
}

TEST(Diffusion, DampsWavesAtTheLaplacianRateOnCoordinateSurfaces) {
    for (const Variable v : {Variable::u, Variable::v, Variable::w, Variable::theta})
        for (const Direction d : {Direction::x, Direction::y, Direction::z}) {
            const double coarse = relative_decay_rate("coordinate", v, d, 16) - 1;
            const double fine = relative_decay_rate("coordinate", v, d, 32) - 1;
            EXPECT_LT(std::abs(fine), 4e-3);
            EXPECT_NEAR(coarse / fine, 4, 0.1) << "variable " << int(v) << " direction " << int(d);
        }
}

TEST(Diffusion, DampsWavesAtTheRateOfTheStressTensorInPhysicalSpace) {
    for (const Variable v : {Variable::u, Variable::v, Variable::w, Variable::theta})
        for (const Direction d : {Direction::x, Direction::y, Direction::z}) {
            // Along its own axis a wind component has the strain 2 du/dx.
            const double expected = int(v) == int(d) && v != Variable::theta ? 2 : 1;
            const double coarse = relative_decay_rate("physical", v, d, 16) / expected - 1;
            const double fine = relative_decay_rate("physical", v, d, 32) / expected - 1;
            EXPECT_LT(std::abs(fine), 4e-3);
            EXPECT_NEAR(coarse / fine, 4, 0.1) << "variable " << int(v) << " direction " << int(d);
        }
}

/// What is WRF's own along coordinate surfaces: no mass in the fluxes of v along y, and none through the
/// lowest layer's floor or ceiling, so that it keeps what it has.
TEST(Diffusion, HasWrfsFormsWhereTheyAreAskedFor) {
    Config config;
    config.diffusion = constant("coordinate", 75, 75);
    const auto mixed = [&](const std::string &compatibility) {
        MixingCase c({4, 16, 8}, 100, 100, 100);
        for (const Variable v : {Variable::u, Variable::v, Variable::theta})
            c.set(member(v, c.s), [&](int, int k, int j) { return std::sin(pi / 8 * j) + 0.1 * k * k; });
        config.run.compatibility = compatibility;
        mix(c, config);
        return c;
    };
    const MixingCase ours = mixed("none"), wrf = mixed("wrf");
    const auto in_the_middle = [](const MixingCase &c, Variable v) { return member(v, c.t)(1, 4, 5); };
    EXPECT_EQ(in_the_middle(wrf, Variable::u), in_the_middle(ours, Variable::u));
    EXPECT_EQ(in_the_middle(wrf, Variable::theta), in_the_middle(ours, Variable::theta));
    // In the lowest layer nothing is left of the mixing of v but 1 / (column mass) of that along y.
    EXPECT_NEAR(member(Variable::v, wrf.t)(1, 0, 5), 0,
                1e-3 * std::abs(member(Variable::v, ours.t)(1, 0, 5)));
    const auto along_y = [&](Variable v) { return double(member(v, wrf.t)(1, 0, 5)); };
    EXPECT_LT(along_y(Variable::u), -1);
    EXPECT_NEAR(along_y(Variable::u) / along_y(Variable::theta), 1, 1e-5);
    EXPECT_NEAR(along_y(Variable::v) * wrf.mass() / along_y(Variable::u), 1, 1e-3);
}

TEST(Diffusion, FollowsTheExactExponentialInTime) {
    MixingCase c({32, 4, 4}, 100, 100, 100);
    const double phase = 2 * pi / 32, rate = 75 * std::pow(phase / 100, 2), dt = 4;
    c.set(c.s.theta, [&](int i, int, int) { return std::sin(phase * i); });
    for (int step = 0; step < 50; ++step) {
        c.t = Tendencies(c.shape);
        mix(c, constant("coordinate", 75, 0));
        c.set(c.s.theta, [&](int i, int k, int j) {
            const int at = (i + 32) % 32;
            return c.s.theta(at, k, j) + dt * c.t.theta(at, std::min(k, 3), (j + 4) % 4) / c.mass();
        });
    }
    EXPECT_NEAR(c.s.theta(8, 1, 1), std::exp(-rate * dt * 50), 2e-3);
}

void set_noise(MixingCase &c) {
    c.set(c.s.u, [&](int i, int k, int j) { return 10 * noise(c.shape, 1, i, k, j); });
    c.set(c.s.v, [&](int i, int k, int j) { return 10 * noise(c.shape, 2, i, k, j); });
    c.set(c.s.w, [&](int i, int k, int j) { return noise(c.shape, 3, i, k, j); });
    c.set(c.s.theta, [&](int i, int k, int j) { return 5 * noise(c.shape, 4, i, k, j); });
}

/// Sum over sum of magnitudes of a tendency over all layers of a patch.
double imbalance(const MixingCase &c, const Array3 &a) {
    double sum = 0, size = 0;
    for (int j = 0; j < c.shape.ny; ++j)
        for (int k = 0; k < c.shape.nz; ++k)
            for (int i = 0; i < c.shape.nx; ++i) {
                sum += double(a(i, k, j));
                size += std::abs(double(a(i, k, j)));
            }
    EXPECT_GT(size, 0);
    return std::abs(sum) / size;
}

const std::vector<DiffusionConfig> all_schemes = {
    constant("coordinate", 75, 30),
    constant("physical", 75, 30),
    smagorinsky("smagorinsky-2d", "coordinate"),
    smagorinsky("smagorinsky-2d", "physical"),
    smagorinsky("smagorinsky-3d", "physical"),
};

TEST(Diffusion, ConservesMomentumAndHeatOfAPeriodicBox) {
    for (const DiffusionConfig &config : all_schemes) {
        MixingCase c({13, 11, 8}, 1000, 800, 300);
        set_noise(c);
        mix(c, config, 20);
        for (const Array3 *a : {&c.t.u, &c.t.v, &c.t.theta})
            EXPECT_LT(imbalance(c, *a), 1e-6) << config.scheme << " " << config.surfaces;
    }
}

TEST(Diffusion, LeavesFieldsOfUniformGradientAlone) {
    for (const std::string surfaces : {"coordinate", "physical"}) {
        MixingCase c({8, 8, 8}, 100, 100, 100);
        const auto linear = [](int i, int k, int j) { return 0.5 * i - 0.25 * j + 2 * k; };
        for (Array3 *a : {&c.s.u, &c.s.v, &c.s.w, &c.s.theta}) c.set(*a, linear);
        mix(c, constant(surfaces, 75, 75));
        // A gradient of 1 per cell, were it not balanced, would give M K / dx^2 = 60.
        for (int j = 0; j < 8; ++j)
            for (int k = 2; k < 6; ++k)
                for (int i = 0; i < 8; ++i)
                    for (const Array3 *a : {&c.t.u, &c.t.v, &c.t.w, &c.t.theta})
                        ASSERT_NEAR((*a)(i, k, j), 0, 1e-3) << surfaces << i << " " << k << " " << j;
    }
}

TEST(Diffusion, LetsNothingThroughTheSurfaceAndTheTop) {
    for (const std::string surfaces : {"coordinate", "physical"}) {
        MixingCase c({4, 4, 6}, 100, 100, 100);
        c.set(c.s.theta, [](int, int k, int) { return 3.0 * k * k; });
        c.set(c.s.u, [](int, int k, int) { return -2.0 * k * k; });
        mix(c, constant(surfaces, 75, 75));
        EXPECT_LT(imbalance(c, c.t.theta), 1e-6) << surfaces;
        EXPECT_LT(imbalance(c, c.t.u), 1e-6) << surfaces;
        EXPECT_GT(c.t.theta(1, 0, 1), 0) << "the lowest layer is warmed by the one above";
    }
}

TEST(Diffusion, MixesTheDepartureFromTheBaseStateUnlessToldOtherwise) {
    for (const std::string surfaces : {"coordinate", "physical"}) {
        MixingCase c({4, 4, 6}, 100, 100, 100);
        for (std::size_t k = 0; k < 6; ++k) {
            c.grid.u_base[k] = real(10 + k * k);
            c.grid.theta_base[k] = real(3 * k * k);
        }
        c.set(c.s.u, [](int, int k, int) { return 10.0 + k * k; });
        c.set(c.s.theta, [](int, int k, int) { return 3.0 * k * k; });
        c.set(c.grid.theta_init, [](int, int k, int) { return 3.0 * k * k; });
        DiffusionConfig config = constant(surfaces, 75, 75);
        mix(c, config);
        for (int k = 0; k < 6; ++k) {
            EXPECT_EQ(c.t.u(1, k, 1), 0) << surfaces;
            EXPECT_EQ(c.t.theta(1, k, 1), 0) << surfaces;
        }
        config.mix_full_fields = true;
        mix(c, config);
        EXPECT_GT(c.t.u(1, 2, 1), 0) << surfaces;
        EXPECT_GT(c.t.theta(1, 2, 1), 0) << surfaces;
    }
}

TEST(Viscosity, OfTheTwoDimensionalClosureGrowsWithDeformationUpToItsBound) {
    for (const auto &[shear, expected] : {std::pair{1e-3, 0.0625 * 1e6 * 1e-3}, std::pair{1.0, 10 * 1e3}}) {
        MixingCase c({16, 4, 4}, 1000, 1000, 500);
        // v = shear x, and a wave in theta to see K / Pr by.
        c.set(c.s.v, [&, s = shear](int i, int, int) { return s * 1000 * i; });
        c.set(c.s.theta, [](int i, int, int) { return std::sin(2 * pi * i / 16); });
        mix(c, smagorinsky("smagorinsky-2d", "coordinate"));
        const double k2 = std::pow(2 * std::sin(pi / 16) / 1000, 2);
        EXPECT_NEAR(-c.t.theta(4, 1, 1) / (c.mass() * k2), 3 * expected, 0.002 * 3 * expected);
    }
}

/// K_v / Pr of the three-dimensional closure in a flow u = strain x + shear z over uniform
/// stratification n2, from the mixing of a small wave in theta.
double vertical_diffusivity(double shear, double n2, double dt, double strain = 0) {
    MixingCase c({4, 4, 16}, 1000, 1000, 100);
    DiffusionConfig config = smagorinsky("smagorinsky-3d", "physical");
    const double phase = pi / 16;
    const auto base = [&](int k) { return 300 * (std::exp(n2 / constants::g * (k + 0.5) * 100) - 1); };
    for (int k = 0; k < 16; ++k) c.grid.theta_base[std::size_t(k)] = real(base(k));
    c.set(c.s.u, [&](int i, int k, int) { return strain * 1000 * i + shear * 100 * k; });
    c.set(c.s.theta, [&](int, int k, int) { return base(k) + 1e-2 * std::cos(phase * (k + 0.5)); });
    mix(c, config, real(dt));
    const double k2 = std::pow(2 * std::sin(phase / 2) / 100, 2);
    return -c.t.theta(1, 4, 1) / (c.mass() * 1e-2 * std::cos(phase * 4.5) * k2);
}

TEST(Viscosity, OfTheThreeDimensionalClosureFollowsShearAndStability) {
    const double c_s2_dz2 = 0.0625 * 1e4, upper = 0.1 * 1e4;
    const double shear = 0.02; // |D|^2 = shear^2
    EXPECT_NEAR(vertical_diffusivity(shear, 0, 1), 3 * c_s2_dz2 * shear, 0.8);
    EXPECT_NEAR(vertical_diffusivity(shear, 1e-4 / 3, 1), 3 * c_s2_dz2 * std::sqrt(shear * shear - 1e-4),
                0.8);
    EXPECT_NEAR(vertical_diffusivity(0, 0, 1, 0.01), 3 * c_s2_dz2 * std::sqrt(2.0) * 0.01, 0.8)
        << "D_xx = 2 du/dx";
    EXPECT_NEAR(vertical_diffusivity(shear, 1e-3, 1), 3e-6 * 1e4, 5e-3) << "stable: the lower bound";
    EXPECT_NEAR(vertical_diffusivity(shear, 0, 100), upper / 100, 0.2) << "the bound by the time step";
}

TEST(Diffusion, MixesAlongCoordinateSurfacesTheDepartureFromTheBaseState) {
    MixingCase c({8, 8, 4}, 1000, 1000, 500);
    for (Array3 *a : {&c.s.theta, &c.grid.theta_init})
        c.set(*a, [&](int i, int k, int j) { return 10 * noise(c.shape, 1, i, k, j); });
    mix(c, constant("coordinate", 100, 0));
    for (int k = 0; k < 4; ++k) EXPECT_EQ(c.t.theta(3, k, 3), 0);
}

bool same_bits(const Array3 &a, const Array3 &b, const Shape &sh) {
    for (int j = 0; j < sh.ny; ++j)
        for (int k = 0; k <= sh.nz; ++k)
            if (std::memcmp(&a(0, k, j), &b(0, k, j), std::size_t(sh.nx) * sizeof(real)) != 0) return false;
    return true;
}

MixingCase rough_case() {
    MixingCase c({37, 23, 8}, 1000, 800, 300);
    c.set_terrain([&](int i, int j) { return 200 * noise(c.shape, 5, i, 0, j); });
    c.set(c.alt, [&](int i, int k, int j) { return 1 + 0.1 * k + 0.05 * noise(c.shape, 6, i, k, j); });
    set_noise(c);
    return c;
}

TEST(Diffusion, OfMomentumAndHeatIsProportionalToDensity) {
    for (const DiffusionConfig &config : all_schemes) {
        MixingCase light = rough_case(), dense = rough_case();
        dense.grid.mub.fill(real(2 * dense.mass()));
        dense.set(dense.alt, [&](int i, int k, int j) { return light.alt(i, k, j) / 2; });
        mix(light, config, 20);
        mix(dense, config, 20);
        for (const Variable v : {Variable::u, Variable::v, Variable::w, Variable::theta})
            for (int j = 0; j < light.shape.ny; ++j)
                for (int k = 1; k < light.shape.nz; ++k)
                    for (int i = 0; i < light.shape.nx; ++i)
                        ASSERT_EQ(member(v, dense.t)(i, k, j), 2 * member(v, light.t)(i, k, j))
                            << config.scheme << " " << config.surfaces << " variable " << int(v);
    }
}

TEST(Diffusion, GivesTheSameBitsWhateverTheTiles) {
    for (const DiffusionConfig &config : all_schemes) {
        MixingCase whole = rough_case(), tiled = rough_case();
        mix(whole, config, 20);
        mix(tiled, config, 20, {7, 5});
        for (const Variable v : {Variable::u, Variable::v, Variable::w, Variable::theta})
            EXPECT_TRUE(same_bits(member(v, whole.t), member(v, tiled.t), whole.shape))
                << config.scheme << " " << config.surfaces << " variable " << int(v);
    }
}

TEST(Diffusion, AddsNothingToTheNormalWindOnAClosedEdge) {
    for (const DiffusionConfig &config : all_schemes) {
        MixingCase c = rough_case();
        c.patch.west = c.patch.south = MPI_PROC_NULL;
        mix(c, config, 20);
        EXPECT_EQ(c.t.u(0, 3, 5), 0);
        EXPECT_EQ(c.t.v(5, 3, 0), 0);
        EXPECT_NE(c.t.u(1, 3, 5), 0);
        EXPECT_NE(c.t.v(5, 3, 1), 0);
    }
}

TEST(Diffusion, IsIndifferentToTheRowOfATwoDimensionalDomain) {
    for (const DiffusionConfig &config : all_schemes) {
        const auto along = [](const Shape &sh, int seed, int i, int k) { return noise(sh, seed, i, k, 0); };
        MixingCase row({21, 1, 8}, 100, 100, 100), sheet({21, 4, 8}, 100, 100, 100);
        for (MixingCase *c : {&row, &sheet}) {
            const Shape line{21, 1, 8};
            c->set(c->s.u, [&](int i, int k, int) { return 10 * along(line, 1, i, k); });
            c->set(c->s.w, [&](int i, int k, int) { return along(line, 3, i, k); });
            c->set(c->s.theta, [&](int i, int k, int) { return along(line, 4, i, k); });
            mix(*c, config);
        }
        for (int k = 0; k < 8; ++k)
            for (int i = 0; i < 21; ++i) {
                ASSERT_EQ(row.t.u(i, k, 0), sheet.t.u(i, k, 2));
                ASSERT_EQ(row.t.w(i, k, 0), sheet.t.w(i, k, 2));
                ASSERT_EQ(row.t.v(i, k, 0), 0);
                ASSERT_EQ(row.t.theta(i, k, 0), sheet.t.theta(i, k, 2));
            }
    }
}

TEST(Diffusion, RefusesWhatCannotWork) {
    MixingCase c({4, 4, 4}, 100, 100, 100);
    EXPECT_THROW(mix(c, smagorinsky("smagorinsky-3d", "coordinate")), std::invalid_argument);
    EXPECT_THROW(mix(c, smagorinsky("prandtl", "coordinate")), std::invalid_argument);
    EXPECT_THROW(mix(c, constant("isentropic", 1, 1)), std::invalid_argument);
    c.grid.theta_base.clear();
    EXPECT_THROW(mix(c, constant("physical", 1, 1)), std::invalid_argument);
}

/// K is at least number cos^2(pi/2 d / depth) dx^2 / dt, d the distance of a layer's middle from the top.
TEST(Diffusion, RaisesTheViscosityInASpongeBelowTheTop) {
    constexpr double dx = 100, dz = 50, dt = 2, depth = 300, number = 0.1, elsewhere = 5;
    for (const std::string surfaces : {"coordinate", "physical"}) {
        Config config;
        config.diffusion = constant(surfaces, elsewhere, elsewhere);
        config.damping = {.scheme = "diffusion", .depth = depth, .diffusion_number = number};
        const auto mixed = [&](TileSize tile) {
            MixingCase c({16, 6, 10}, dx, dx, dz);
            c.set(c.s.theta, [&](int i, int, int) { return std::sin(2 * pi / 16 * i); });
            mix(c, config, dt, tile);
            return c;
        };
        const MixingCase c = mixed({16, 6}), in_tiles = mixed({5, 4});
        const double per_k = c.mass() * std::pow(2 * std::sin(pi / 16) / dx, 2) * c.s.theta(4, 0, 2);
        for (int k = 0; k < 10; ++k) {
            const double d = (9.5 - k) * dz;
            const double raised =
                d < depth ? number * std::pow(std::cos(pi / 2 * d / depth), 2) * dx * dx / dt : 0;
            EXPECT_NEAR(-c.t.theta(4, k, 2) / per_k, std::max(raised, elsewhere), 0.01) << surfaces << k;
            for (int i = 0; i < 16; ++i) EXPECT_EQ(in_tiles.t.theta(i, k, 2), c.t.theta(i, k, 2));
        }
    }
}

/// WRF adds up the spacing one layer further down. Rows that follow a file are left alone.
TEST(Diffusion, HasWrfsSpongeWhereItIsAskedFor) {
    Config config;
    config.diffusion = constant("coordinate", 0, 0);
    config.damping = {.scheme = "diffusion", .depth = 300, .diffusion_number = 0.1};
    const auto viscosity = [&](int at, const std::string &compatibility) {
        config.run.compatibility = compatibility;
        MixingCase c({16, 4, 10}, 100, 100, 50);
        c.set(c.grid.phb, [](int, int k, int) { return constants::g * 5 * k * k; });
        c.set(c.s.theta, [&](int i, int, int) { return std::sin(2 * pi / 16 * i); });
        if (config.domain.boundaries.west == Boundary::specified) c.patch.west = MPI_PROC_NULL;
        mix(c, config);
        return -c.t.theta(at, 7, 2) /
               (c.mass() * std::pow(2 * std::sin(pi / 16) / 100, 2) * c.s.theta(at, 7, 2));
    };
    const auto expected = [](double distance) {
        return 1000 * std::pow(std::cos(pi / 2 * distance / 300), 2);
    };
    EXPECT_NEAR(viscosity(4, "none"), expected(217.5), 0.1);
    EXPECT_NEAR(viscosity(4, "wrf"), expected(197.5), 0.1);
    config.domain.boundaries.west = Boundary::specified;
    EXPECT_EQ(viscosity(2, "wrf"), 0);
    EXPECT_NEAR(viscosity(5, "wrf"), expected(197.5), 0.1);
}

} // namespace
} // namespace squall::test
