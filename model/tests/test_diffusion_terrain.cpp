#include <gtest/gtest.h>

#include <algorithm>

#include "diffusion_case.hpp"
#include "dynamics/diffusion/axis.hpp"

namespace squall::test {
namespace {

/// Deformation of a wind on a patch, with all that it takes.
struct DeformationCase : MixingCase {
    Array3 rdzw, rdz, zx, zy, xx, yy, zz, xy, xz, yz;
    diffusion::Metrics metrics;
    diffusion::SymmetricTensor d;

    explicit DeformationCase(Shape sh)
        : MixingCase(sh, 100, 100, 50), rdzw(sh), rdz(sh), zx(sh), zy(sh), xx(sh), yy(sh), zz(sh), xy(sh),
          xz(sh),
          yz(sh), metrics{rdzw.view(), rdz.view(), zx.view(), zy.view()}, d{xx.view(), yy.view(), zz.view(),
                                                                            xy.view(), xz.view(), yz.view()} {
    }

    void compute() {
        const Range inner = diffusion::widened(cells(), -1, -1), edges = diffusion::widened(inner, 0, 1);
        const std::vector<real> none(std::size_t(shape.nz), 0);
        compute_metrics(diffusion::widened(cells(), 1, 1), GridView(grid), s.ph.view(), metrics);
        compute_horizontal_deformation(inner, edges, GridView(grid), metrics, s.u.view(), s.v.view(), d);
        compute_vertical_deformation(inner, edges, GridView(grid), metrics, s.u.view(), s.v.view(),
                                     s.w.view(), none.data(), none.data(), d);
    }
    /// Positions [m] of the points where fields live, on the ground plan and up.
    double x(int i, bool face) const { return 100 * (i + (face ? 0 : 0.5)); }
    double z_west(int i, int k, int j) const { return 0.5 * (z_layer(i - 1, k, j) + z_layer(i, k, j)); }
    double z_south(int i, int k, int j) const { return 0.5 * (z_layer(i, k, j - 1) + z_layer(i, k, j)); }

    /// Wind with gradient g[a][b] = du_a/dx_b everywhere in space.
    void set_linear_wind(const double (&g)[3][3]) {
        set(s.u, [&](int i, int k, int j) {
            return g[0][0] * x(i, true) + g[0][1] * x(j, false) + g[0][2] * z_west(std::max(i, -2), k, j);
        });
        set(s.v, [&](int i, int k, int j) {
            return g[1][0] * x(i, false) + g[1][1] * x(j, true) + g[1][2] * z_south(i, k, std::max(j, -2));
        });
        set(s.w, [&](int i, int k, int j) {
            return g[2][0] * x(i, false) + g[2][1] * x(j, false) + g[2][2] * z_interface(i, k, j);
        });
    }

    void expect_deformation(double dxx, double dyy, double dzz, double dxy, double dxz, double dyz) const {
        for (int j = 2; j < shape.ny - 2; ++j)
            for (int k = 1; k < shape.nz; ++k)
                for (int i = 2; i < shape.nx - 2; ++i) {
                    const double tolerance = 3e-5;
                    ASSERT_NEAR(xx(i, k - 1, j), dxx, tolerance);
                    ASSERT_NEAR(yy(i, k - 1, j), dyy, tolerance);
                    ASSERT_NEAR(zz(i, k - 1, j), dzz, tolerance);
                    ASSERT_NEAR(xy(i, k - 1, j), dxy, tolerance);
                    ASSERT_NEAR(xz(i, k, j), dxz, tolerance);
                    ASSERT_NEAR(yz(i, k, j), dyz, tolerance);
                }
    }
};

TEST(Deformation, OfUniformStrainIsTheSymmetricPartOfTheGradient) {
    DeformationCase c({9, 9, 6});
    c.set_linear_wind({{0.01, 0.02, 0.03}, {-0.01, 0.04, 0.05}, {0.02, -0.03, -0.05}});
    c.compute();
    c.expect_deformation(0.02, 0.08, -0.10, 0.01, 0.05, 0.02);
}

TEST(Deformation, OfSolidRotationIsZero) {
    DeformationCase c({9, 9, 6});
    c.set_linear_wind({{0, -0.02, 0.03}, {0.02, 0, -0.01}, {-0.03, 0.01, 0}});
    c.compute();
    c.expect_deformation(0, 0, 0, 0, 0, 0);
}

TEST(Deformation, IsThatAtConstantHeightOverSlopes) {
    DeformationCase c({9, 9, 6});
    c.raise([](int i, int j) { return 5.0 * i + 3.0 * j; });
    c.set_linear_wind({{0.01, 0.02, 0.03}, {-0.01, 0.04, 0.05}, {0.02, -0.03, -0.05}});
    c.compute();
    c.expect_deformation(0.02, 0.08, -0.10, 0.01, 0.05, 0.02);
}

TEST(Diffusion, BalancesStressAtConstantHeightOverSlopes) {
    // With a wind component rate x z (or y z), K d(div u)/dx_i is all that mixing does at constant
    // height: it moves w where u = rate x z, u where w = rate x z. Along the coordinate surfaces,
    // which rise by 1 in 20 and 1 in 25, the stress varies otherwise.
    const double rate = 1e-4, viscosity = 75;
    for (const Variable variable : {Variable::u, Variable::v, Variable::w})
        for (const bool along_x : {true, false}) {
            DeformationCase c({9, 9, 8});
            c.raise([](int i, int j) { return 5.0 * i + 4.0 * j; });
            c.set(member(variable, c.s), [&](int i, int k, int j) {
                const int low_i = std::max(i, -2), low_j = std::max(j, -2);
                const double z = variable == Variable::u   ? c.z_west(low_i, k, j)
                                 : variable == Variable::v ? c.z_south(i, k, low_j)
                                                           : c.z_interface(i, k, j);
                const double x = c.x(i, variable == Variable::u), y = c.x(j, variable == Variable::v);
                return rate * (along_x ? x : y) * z;
            });
            mix(c, constant("physical", viscosity, viscosity));
            const double moved = c.mass() * viscosity * rate;
            const bool diverges = variable == Variable::w || (variable == Variable::u) == along_x;
            const auto expected = [&](Variable v) {
                if (!diverges || v == variable) return 0.0;
                const Variable horizontal = along_x ? Variable::u : Variable::v;
                return v == (variable == Variable::w ? horizontal : Variable::w) ? moved : 0.0;
            };
            for (int j = 1; j < 8; ++j)
                for (int k = 2; k < 6; ++k)
                    for (int i = 1; i < 8; ++i)
                        for (const Variable v : {Variable::u, Variable::v, Variable::w})
                            ASSERT_NEAR(member(v, c.t)(i, k, j), expected(v), 0.003 * moved)
                                << "variable " << int(variable) << " along x " << along_x;
        }
}

TEST(Diffusion, SeesNoHorizontalGradientInAStratifiedFieldOverTerrain) {
    DeformationCase c({10, 8, 6});
    c.set_terrain([](int i, int j) { return 20 * std::sin(0.7 * i) + 15 * std::cos(0.9 * j); });
    const auto horizontal_mixing = [&] {
        c.t.theta.fill(0);
        mix(c, constant("physical", 100, 0));
    };
    const auto largest = [&](int k0, int k1) {
        double m = 0;
        for (int j = 0; j < c.shape.ny; ++j)
            for (int k = k0; k < k1; ++k)
                for (int i = 0; i < c.shape.nx; ++i) m = std::max(m, std::abs(double(c.t.theta(i, k, j))));
        return m;
    };
    // The same gradient along the coordinate surfaces instead would give about 100.
    c.set(c.s.theta, [&](int i, int k, int j) { return 0.01 * c.z_layer(i, k, j); });
    horizontal_mixing();
    EXPECT_LT(largest(0, 6), 0.02);
    // A uniform horizontal gradient is not mixed either, except next to the sloping boundaries,
    // through which nothing may flow.
    c.set(c.s.theta, [&](int i, int k, int j) { return 0.01 * c.z_layer(i, k, j) + 0.002 * c.x(i, false); });
    horizontal_mixing();
    EXPECT_LT(largest(1, 5), 0.02);
}

} // namespace
} // namespace squall::test
