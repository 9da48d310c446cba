#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "diffusion_case.hpp"
#include "dynamics/diffusion/stability.hpp"
#include "dynamics/diffusion/tke.hpp"

namespace squall::test {
namespace {

constexpr double g = constants::g;

ScalarSet energy_alone() {
    ScalarSet set;
    set.tke = 0;
    set.all = {{"TKE", "m2 s-2", ""}};
    return set;
}

DiffusionConfig full_fields() {
    DiffusionConfig c = smagorinsky("tke", "physical");
    c.mix_full_fields = true;
    return c;
}

/// Air at rest in layers of 100 m, of uniform stability n2 and pressure in hydrostatic proportion, with
/// uniform turbulent energy.
struct TurbulentCase : MixingCase {
    TurbulentCase(double n2, double energy, Shape sh = {4, 4, 8}, double dx = 100)
        : MixingCase(sh, dx, dx, 100) {
        carry(energy_alone());
        set(s.theta, [=](int, int k, int) { return 300 * (std::exp(n2 / g * (k + 0.5) * 100) - 1); });
        set(p, [](int, int k, int) { return 1e5 * std::exp(-(k + 0.5) * 100 / 8800); });
        set(alt, [&](int i, int k, int j) {
            return 287 * (300 + s.theta(i, k, j)) * std::pow(p(i, k, j) / 1e5, 2.0 / 7) / p(i, k, j);
        });
        set(s.scalars[0], [=](int, int, int) { return energy; });
    }
    double energy_rate(int k) const { return t.scalars[0](1, k, 1) / mass(); }
};

TEST(TurbulentEnergy, IsBroughtBackWithinItsBounds) {
    MixingCase c({4, 3, 3}, 100, 100, 100);
    c.set(c.s.theta, [](int i, int, int) { return i == 0 ? -1e-3 : i == 1 ? 0.7 : i == 2 ? 1e4 : 1000; });
    bound_tke(c.cells(), c.s.theta.view());
    for (int i = 0; i < 4; ++i) EXPECT_EQ(c.s.theta(i, 1, 2), i == 0 ? real(0) : i == 1 ? real(0.7) : 1000);
}

TEST(TurbulentEnergy, RestsWhereShearMakesWhatDissipationTakes) {
    // K S^2 = 0.15 dz sqrt(e) S^2 balances 0.93 e^1.5 / (dx dy dz)^(1/3) at e = 0.15 / 0.93 dz l S^2.
    const double shear = 0.02, rest = 0.15 / 0.93 * 100 * 100 * shear * shear;
    const auto rate = [&](double energy) {
        TurbulentCase c(0, energy);
        c.set(c.s.u, [&](int, int k, int) { return shear * 100 * k; });
        mix(c, full_fields());
        return c.energy_rate(4);
    };
    const double production = 0.15 * 100 * std::sqrt(rest) * shear * shear;
    EXPECT_NEAR(rate(rest), 0, 1e-4 * production);
    EXPECT_GT(rate(0.9 * rest), 0.05 * production);
    EXPECT_LT(rate(1.1 * rest), -0.05 * production);
    EXPECT_NEAR(rate(rest / 4), (0.5 - 0.125) * production, 1e-4 * production);
}

TEST(TurbulentEnergy, LosesToStratificationAndDissipatesMoreNextToWalls) {
    const double energy = 0.4, n2 = 1e-4, dt = 1;
    TurbulentCase c(n2, energy);
    mix(c, full_fields(), dt);
    const double l = 0.76 * std::sqrt(energy / n2); // 48 m, below the 100 m of the cell
    const double k_heat = 0.15 * l * std::sqrt(energy) * (1 + 2 * l / 100);
    const double factor = 1.9 * 0.15 + (0.93 - 1.9 * 0.15) * l / 100;
    const double inside = -k_heat * n2 - factor * std::pow(energy, 1.5) / l;
    EXPECT_NEAR(c.energy_rate(4), inside, 2e-3 * std::abs(inside));
    const double at_top = -k_heat * n2 - 3.9 * std::pow(energy, 1.5) / l;
    EXPECT_LT(c.energy_rate(7), 1.5 * inside);
    EXPECT_NEAR(c.energy_rate(7), at_top, 0.1 * std::abs(at_top));
    EXPECT_LT(c.energy_rate(0), 1.5 * inside);
}

TEST(TurbulentEnergy, LosesNoMoreThanThereIsInATimeStep) {
    TurbulentCase c(1e-4, 0.5);
    mix(c, full_fields(), 1000);
    for (int k = 0; k < 8; ++k) EXPECT_NEAR(c.energy_rate(k), -0.5 / 1000, 1e-8);
}

TEST(TurbulentEnergy, MixesWithTwiceTheViscosityOfMomentum) {
    // One column has a little more of it; the next ones get that from it, whatever the sources.
    const double energy = 0.5, more = 0.01;
    TurbulentCase c(0, energy, {12, 4, 8});
    c.set(c.s.scalars[0], [=](int i, int, int) { return energy + (i == 5 ? more : 0); });
    mix(c, full_fields());
    const double k = 0.15 * 100 * 0.5 * (std::sqrt(energy) + std::sqrt(energy + more));
    const double rho = 1 / double(c.alt(4, 4, 1));
    const double expected = 2 * rho * k * more / (100 * 100);
    const double got = (c.t.scalars[0](4, 4, 1) - c.t.scalars[0](1, 4, 1)) / c.mass();
    EXPECT_NEAR(got, expected, 1e-3 * expected);
}

/// What mixing does to a case beside a scheme of the boundary layer of this name.
void mix_beside(TurbulentCase &c, const char *boundary_layer) {
    Config config;
    config.diffusion = full_fields();
    config.physics.boundary_layer = boundary_layer;
    mix(c, config);
}

TEST(TurbulentEnergy, BesideABoundaryLayerMixesHorizontallyOnly) {
    const double energy = 0.5, more = 0.01;
    const auto rates = [&](const char *boundary_layer) {
        TurbulentCase c(0, energy, {12, 4, 8});
        c.set(c.s.u, [](int, int k, int) { return k == 5 ? 1.0 : 0.0; });
        c.set(c.s.theta, [](int, int k, int) { return k == 5 ? 0.1 : 0.0; });
        c.set(c.s.scalars[0], [=](int i, int, int) { return energy + (i == 5 ? more : 0); });
        mix_beside(c, boundary_layer);
        const double made = c.t.scalars[0](1, 5, 1) / c.mass();
        const double spread = (c.t.scalars[0](4, 1, 1) - c.t.scalars[0](1, 1, 1)) / c.mass();
        return std::array{double(c.t.u(1, 5, 1)), double(c.t.theta(1, 5, 1)), made,
                          spread * double(c.alt(4, 1, 1))};
    };
    const auto alone = rates("none"), beside = rates("ysu");
    EXPECT_LT(alone[0], -1e-3);
    EXPECT_LT(alone[1], -1e-4);
    EXPECT_EQ(beside[0], 0);
    EXPECT_EQ(beside[1], 0);
    EXPECT_EQ(beside[2], alone[2]) << "shear and buoyancy are as ever";
    const double k = 0.15 * 100 * 0.5 * (std::sqrt(energy) + std::sqrt(energy + more));
    EXPECT_NEAR(beside[3], 2 * k * more / (100 * 100), 1e-3 * beside[3]);
}

TEST(TurbulentEnergy, GainsFromTheSurfaceWhatItsDragAndHeatMake) {
    const double energy = 0.5, shear = 0.01, drag = 0.3, heat = 100;
    const auto rate = [&](int k, bool fed) {
        TurbulentCase c(0, energy);
        c.set(c.s.u, [&](int, int level, int) { return 5 + shear * 100 * level; });
        Array2 friction({4, 4}), flux({4, 4});
        friction.fill(real(drag)), flux.fill(real(heat));
        Config config;
        config.diffusion = full_fields();
        Diffusion diffusion(config, c.scalars, c.grid, c.patch, 1, {4, 4});
        AirView air{c.alt.view(), c.p.view()};
        if (fed) air.friction_velocity = friction.view(), air.sensible_heat = flux.view();
        ScratchMemory scratch(Diffusion::scratch_rows(c.shape.nz), c.shape.nx + 1);
        diffusion.add_tendencies(Chain(c.cells(), scratch.rows()), c.s, air, c.t);
        return c.energy_rate(k);
    };
    TurbulentCase c(0, energy);
    const double made =
        drag * drag * shear + 0.5 * g / (300 + c.s.theta(1, 0, 1)) * heat * double(c.alt(1, 0, 1)) / 1004.5;
    EXPECT_NEAR(rate(0, true) - rate(0, false), made, 1e-3 * made);
    EXPECT_EQ(rate(1, true), rate(1, false));
}

TEST(TurbulentEnergy, OnCoordinateSurfacesIsOnlyCarriedAndMixed) {
    TurbulentCase c(1e-4, 0, {12, 4, 8}, 1000);
    c.set(c.s.u, [](int i, int k, int) { return 0.02 * 100 * k + (i == 5 ? 1 : 0); });
    mix(c, smagorinsky("tke", "coordinate"), 10);
    for (int k = 0; k < 8; ++k) EXPECT_EQ(c.t.scalars[0](5, k, 1), 0) << "no sources";
    // The least K there is, 1e-6 l^2 s-1: of the bump a share of 2 K / dx^2 in a second.
    EXPECT_NEAR(c.t.u(5, 3, 1) / c.mass(), -2e-6, 2e-8);
}

/// The viscosities of the closure in layer k of a case.
struct TkeViscosity {
    Array3 rdzw, rdz, zx, zy, theta, temperature, momentum_h, momentum_v, scalar_h, scalar_v;
    TkeViscosity(TurbulentCase &c, real dt)
        : rdzw(c.shape), rdz(c.shape), zx(c.shape), zy(c.shape), theta(c.shape), temperature(c.shape),
          momentum_h(c.shape), momentum_v(c.shape), scalar_h(c.shape), scalar_v(c.shape) {
        const GridView grid(c.grid);
        const diffusion::Metrics metrics{rdzw.view(), rdz.view(), zx.view(), zy.view()};
        const diffusion::Thermodynamics t{theta.view(), temperature.view(), {}, {}, {}};
        diffusion::compute_metrics(c.cells(), grid, c.s.ph.view(), metrics);
        diffusion::find_thermodynamics(c.cells(), grid,
                                       {c.s.theta.view(), c.alt.view(), c.p.view(), {}, {}, {}}, t);
        diffusion::find_tke_viscosity(
            c.cells(), grid, metrics, c.s.scalars[0].view(), t, c.p.view(),
            {real(0.15), real(1.0 / 3), dt, tke_seed},
            {momentum_h.view(), momentum_v.view(), scalar_h.view(), scalar_v.view()});
    }
};

TEST(TurbulentViscosity, HasTheLengthOfTheGridInNeutralAirAndLessInStableAir) {
    const double energy = 0.4, root = std::sqrt(energy);
    TurbulentCase neutral(0, energy, {4, 4, 8}, 1000), stable(1e-4, energy, {4, 4, 8}, 1000);
    const TkeViscosity a(neutral, 1), b(stable, 1);
    EXPECT_NEAR(a.momentum_h(1, 4, 1), 0.15 * root * 1000, 1e-2);
    EXPECT_NEAR(a.scalar_h(1, 4, 1), 3 * 0.15 * root * 1000, 3e-2);
    EXPECT_NEAR(a.momentum_v(1, 4, 1), 0.15 * root * 100, 1e-3);
    EXPECT_NEAR(a.scalar_v(1, 4, 1), 3 * 0.15 * root * 100, 3e-3);
    const double l = 0.76 * root / 0.01;
    EXPECT_NEAR(b.momentum_h(1, 4, 1), 0.15 * root * 1000, 1e-2);
    EXPECT_NEAR(b.momentum_v(1, 4, 1), 0.15 * root * l, 1e-3 * l);
    EXPECT_NEAR(b.scalar_v(1, 4, 1), 0.15 * root * l * (1 + 2 * l / 100), 2e-3 * l);
}

TEST(TurbulentViscosity, StaysWithinItsBounds) {
    TurbulentCase strong(0, 900, {4, 4, 8}, 1000), none(0, 0, {4, 4, 8}, 1000);
    const TkeViscosity a(strong, 20), b(none, 20);
    EXPECT_NEAR(a.momentum_h(1, 4, 1), 0.15 * 30 * 1000, 1);
    EXPECT_NEAR(a.momentum_v(1, 4, 1), 0.1 * 1e4 / 20, 1e-3);
    EXPECT_NEAR(b.momentum_h(1, 4, 1), 1e-6 * 1e6, 1e-5) << "from below";
    EXPECT_NEAR(b.momentum_v(1, 4, 1), 0.15 * 1e-3 * 100, 1e-5) << "from the seed of turbulence";
}

TEST(TurbulentViscosity, NextToTheSurfaceTakesThetaExtrapolatedToIt) {
    TurbulentCase c(1e-4, 0.04);
    const TkeViscosity v(c, 1);
    // d theta/dz: from the surface to the middle of the second layer, 150 m, over 200 m.
    const double n = std::sqrt(1e-4 * 150.0 / 200), l = 0.76 * 0.2 / n;
    EXPECT_NEAR(v.momentum_v(1, 0, 1), 0.15 * 0.2 * l, 0.01 * 0.15 * 0.2 * l);
    EXPECT_LT(v.momentum_v(1, 7, 1), 0.15 * 0.2 * 0.76 * 0.2 / 0.01 * 1.01);
}

/// N^2 of a column, and what it should be by the formulae of Durran and Klemp (1982).
struct StabilityCase : MixingCase {
    Array3 rdzw, rdz, zx, zy, theta, temperature, theta_e, saturation, water, n2, qv, qc;
    explicit StabilityCase(double cloud) : MixingCase({3, 3, 6}, 100, 100, 200) {
        for (Array3 *a :
             {&rdzw, &rdz, &zx, &zy, &theta, &temperature, &theta_e, &saturation, &water, &n2, &qv, &qc})
            *a = Array3(shape);
        set(p, [](int, int k, int) { return 9e4 - 1900.0 * k; });
        set(qv, [](int, int k, int) { return 0.009 - 0.0007 * k; });
        set(qc, [=](int, int k, int) { return cloud * (1 + 0.1 * k); });
        set(s.theta, [&](int i, int k, int j) { // moist
            return (295 + 0.9 * k) * (1 + 461.6 / 287 * qv(i, k, j)) - 300;
        });
        set(alt, [&](int i, int k, int j) {
            return 287 * (300 + s.theta(i, k, j)) * std::pow(p(i, k, j) / 1e5, 2.0 / 7) / p(i, k, j);
        });
    }
    void compute(bool with_cloud) {
        const GridView view(grid);
        const diffusion::Metrics metrics{rdzw.view(), rdz.view(), zx.view(), zy.view()};
        const diffusion::Thermodynamics found{theta.view(), temperature.view(), theta_e.view(),
                                              saturation.view(), water.view()};
        const diffusion::MoistAir air{s.theta.view(),
                                      alt.view(),
                                      p.view(),
                                      qv.view(),
                                      with_cloud ? std::as_const(qc).view() : ConstField3{},
                                      {},
                                      true};
        compute_metrics(cells(), view, s.ph.view(), metrics);
        find_thermodynamics(cells(), view, air, found);
        find_stability(cells(), view, metrics, air, found, n2.view());
    }
    static double th(int k) { return 295 + 0.9 * k; }
    double temp(int k) const { return th(k) * std::pow(p(1, k, 1) / 1e5, 2.0 / 7); }
    double q_s(int k) const {
        const double es = 611.2 * std::exp(17.67 * (temp(k) - 273.15) / (temp(k) - 29.65));
        return 287 / 461.6 * es / (p(1, k, 1) - es);
    }
};

TEST(MoistStability, IsThatOfSaturatedAirInCloud) {
    StabilityCase c(1e-3);
    c.compute(true);
    const double L = 2.5e6, cp = 1004.5, T = c.temp(3), qv = c.qv(1, 3, 1);
    const auto theta_e = [&](int k) { return c.th(k) * (1 + L * c.q_s(k) / (cp * c.temp(k))); };
    const double factor = (1 + L * qv / (287 * T)) / (1 + L * L * qv / (cp * 461.6 * T * T)) / c.th(3);
    const double water = 2 * (-0.0007 + 1e-4);
    const double expected = g * (factor * (theta_e(4) - theta_e(2)) - water) / 400;
    EXPECT_NEAR(c.n2(1, 3, 1), expected, 2e-3 * std::abs(expected) + 2e-7);
    EXPECT_LT(c.n2(1, 3, 1), 0.5 * g * 1.8 / (c.th(3) * 400)) << "less stable than dry air";
    EXPECT_EQ(c.n2(1, 5, 1), c.n2(1, 4, 1)) << "the highest layer has that of the one below";
}

TEST(MoistStability, CountsVapourAsBuoyantInClearAir) {
    for (const bool with_cloud : {true, false}) {
        StabilityCase c(with_cloud ? 1e-6 : 1e-3); // too little to count; or of no kind that the run has
        c.set(c.qv, [](int, int k, int) { return 0.004 - 0.0003 * k; });
        c.set(c.s.theta,
              [&](int i, int k, int j) { return (295 + 0.9 * k) * (1 + 461.6 / 287 * c.qv(i, k, j)) - 300; });
        c.compute(with_cloud);
        const double floating = -0.0006 + (with_cloud ? 2e-7 : 0);
        const double expected = g * (1.8 / c.th(3) - 1.61 * 0.0006 - floating) / 400;
        ASSERT_LT(c.qv(1, 3, 1), c.q_s(3));
        EXPECT_NEAR(c.n2(1, 3, 1), expected, 2e-3 * expected);
        const double below = g * (0.9 / c.th(0) + 1.61 * -0.00045 + 0.00045) / 200;
        EXPECT_NEAR(c.n2(1, 0, 1), below, 3e-3 * below) << "from the surface, for vapour";
    }
}

TEST(MoistStability, WithoutVapourIsThatOfDryAir) {
    MixingCase c({3, 3, 6}, 100, 100, 200);
    Array3 rdzw(c.shape), rdz(c.shape), zx(c.shape), zy(c.shape), theta(c.shape), n2(c.shape);
    c.set(c.s.theta, [](int, int k, int) { return 2.0 * k; });
    const GridView grid(c.grid);
    const diffusion::Metrics metrics{rdzw.view(), rdz.view(), zx.view(), zy.view()};
    const diffusion::Thermodynamics t{theta.view(), {}, {}, {}, {}};
    const diffusion::MoistAir air{c.s.theta.view(), {}, {}, {}, {}, {}, true};
    compute_metrics(c.cells(), grid, c.s.ph.view(), metrics);
    find_thermodynamics(c.cells(), grid, air, t);
    find_stability(c.cells(), grid, metrics, air, t, n2.view());
    EXPECT_NEAR(n2(1, 0, 1), g * 2 / 300 / 200, 1e-8);
    EXPECT_NEAR(n2(1, 3, 1), g * 4 / 306 / 400, 1e-8);
    EXPECT_EQ(n2(1, 5, 1), n2(1, 4, 1));
}

} // namespace
} // namespace squall::test
