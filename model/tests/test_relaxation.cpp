// The relaxation of the rows inside specified boundaries: with what strength, and of what.
#include <gtest/gtest.h>

#include "boundary_case.hpp"

namespace squall {
namespace {

using testing_support::BegunBoundary;
using testing_support::BoundaryCase;
using testing_support::FakeBoundary;

class RelaxationTest : public testing_support::BoundaryFileTest {
  protected:
    /// The relaxation of a state towards a file.
    Tendencies relaxation(const FakeBoundary &file, const State &s, const char *compatibility = "none",
                          double decay = 0) const {
        const Patch p = c.patch();
        Config settings = config(file);
        settings.run.compatibility = compatibility;
        settings.boundary.relaxation_decay = decay;
        const BegunBoundary b(c, settings, p);
        Array3 ru(p.shape), rv(p.shape);
        c.fluxes(p, ru, rv);
        Tendencies t(p.shape, 3);
        b.boundary.add_relaxation(Chain(BoundaryCase::whole(p)), s, ru.view(), rv.view(), 0, t);
        return t;
    }
};

TEST_F(RelaxationTest, AStateThatEqualsTheFileIsNotRelaxed) {
    const Tendencies t = relaxation(c.file(), c.state(c.patch()));
    for (int j = 0; j < c.ny; ++j)
        for (int i = 0; i < c.nx; ++i) {
            EXPECT_NEAR(t.mu(i, j), 0, 1e-7);
            for (int k = 0; k < c.nz; ++k) { // a rounding of 1e6 times F1 = 0.1 / 60 s
                EXPECT_NEAR(t.u(i, k, j), 0, 3e-3);
                EXPECT_NEAR(t.v(i, k, j), 0, 3e-3);
                EXPECT_NEAR(t.theta(i, k, j), 0, 3e-3);
                EXPECT_NEAR(t.ph(i, k, j), 0, 3e-2);
                EXPECT_NEAR(t.scalars[0](i, k, j), 0, 3e-6);
            }
        }
}

TEST_F(RelaxationTest, AUniformDepartureIsDrawnBackLessWithEachRow) {
    FakeBoundary file = c.file();
    const auto raise = [&](const std::string &name, double by) {
        auto &f = file.variables[name].value;
        f = [f, by](int r, int k, int j, int i) { return f(r, k, j, i) + by; };
    };
    raise("MU", 30);
    raise("U", 6e5);
    raise("T", 6e5);
    raise("PH", 6e6);
    raise("QVAPOR", 600);
    const Tendencies t = relaxation(file, c.state(c.patch()), "wrf");
    const double share[] = {0, 1, 2.0 / 3, 1.0 / 3, 0, 0}; // of F1 = 0.1 / 60 s
    for (int d = 0; d < 6; ++d) {
        const double f1 = 0.1 / 60 * share[d];
        for (const auto &[i, j] : {std::pair{d, 6}, {13 - d, 6}, {6, d}, {6, 11 - d}, {d, d}, {13 - d, d}}) {
            const double m = BoundaryCase::map(j, i);
            EXPECT_NEAR(t.mu(i, j), 30 * f1, 1e-6) << i << ", " << j;
            EXPECT_NEAR(t.theta(i, 2, j), 6e5 * f1 / m, 0.01);
            EXPECT_NEAR(t.ph(i, 3, j), 6e6 * f1 / m, 0.1);
            EXPECT_NEAR(t.scalars[0](i, 2, j), 600 * f1 / m, 1e-5);
        }
        EXPECT_NEAR(t.u(d, 2, 6), 6e5 * f1, 0.01);
        EXPECT_NEAR(t.u(14 - d, 2, 6), 6e5 * f1, 0.01) << "faces count from the last one";
        EXPECT_NEAR(t.u(7, 2, d), 6e5 * f1, 0.01);
    }
    EXPECT_EQ(t.w(3, 2, 3), 0);
    EXPECT_EQ(t.scalars[1](1, 2, 3), 0);
}

/// As WRF's spec_exp: by e^-0.33 from row to row beside the linear decrease.
TEST_F(RelaxationTest, ItMayDecreaseExponentiallyInwards) {
    FakeBoundary file = c.file();
    auto &mass = file.variables["MU"].value;
    mass = [f = mass](int r, int k, int j, int i) { return f(r, k, j, i) + 30; };
    const Tendencies t = relaxation(file, c.state(c.patch()), "wrf", 0.33);
    const double share[] = {0, 1, 2.0 / 3 * std::exp(-0.33), 1.0 / 3 * std::exp(-0.66), 0};
    for (int d = 0; d < 5; ++d) EXPECT_NEAR(t.mu(d, 6), 30 * 0.1 / 60 * share[d], 1e-6) << d;
}

/// The file has the same air under more mass, as of other weather at its sides: in WRF's form, which draws
/// the product of both, the ratio of what the air carries rises by the share by which the mass does.
TEST_F(RelaxationTest, WhereNothingDiffersButTheMassWhatAirCarriesIsLeftAlone) {
    const auto more = [](double mass, double levels) { return mass + 400 * levels; };
    FakeBoundary file = c.file();
    file.variables["MU"].value = [](int, int, int j, int i) { return BoundaryCase::mu(j, i) + 400; };
    file.variables["QVAPOR"].value = [c = c, more](int, int k, int j, int i) {
        return more(c.mass(k, j, i), c.vertical.c1h[k]) * BoundaryCase::vapour(k, j, i);
    };
    const State s = c.state(c.patch());
    const Tendencies own = relaxation(file, s), wrf = relaxation(file, s, "wrf");
    EXPECT_NEAR(wrf.scalars[0](1, 0, 6),
                400 * c.vertical.c1h[0] * BoundaryCase::vapour(0, 6, 1) * 0.1 / 60 / BoundaryCase::map(6, 1),
                1e-5);
    for (int j = 0; j < c.ny; ++j)
        for (int k = 0; k < c.nz; ++k)
            for (int i = 0; i < c.nx; ++i) EXPECT_NEAR(own.scalars[0](i, k, j), 0, 3e-6);
}

/// By the ratio in the file less that of the state, under the mass of the state.
TEST_F(RelaxationTest, WhatAirCarriesIsDrawnToTheRatioOfTheFile) {
    FakeBoundary file = c.file();
    file.variables["MU"].value = [](int, int, int j, int i) { return BoundaryCase::mu(j, i) + 400; };
    file.variables["QVAPOR"].value = [c = c](int, int k, int j, int i) {
        return (c.mass(k, j, i) + 400 * c.vertical.c1h[k]) * (BoundaryCase::vapour(k, j, i) + 0.002);
    };
    const Tendencies t = relaxation(file, c.state(c.patch()));
    const double share[] = {0, 1, 2.0 / 3, 1.0 / 3, 0, 0}; // of F1 = 0.1 / 60 s
    for (int d = 0; d < 6; ++d)
        EXPECT_NEAR(t.scalars[0](d, 2, 6),
                    c.mass(2, 6, d) * 0.002 * 0.1 / 60 * share[d] / BoundaryCase::map(6, d), 1e-3);
}

TEST_F(RelaxationTest, ASpikeIsSmoothedAlongAndAcrossTheRows) {
    State s = c.state(c.patch());
    s.mu(2, 6) -= 60; // the file is 60 Pa above it
    s.mu(6, 9) -= 60;
    const Tendencies t = relaxation(c.file(), s);
    const double f1 = 0.1 / 60, f2 = 0.02 / 60;
    EXPECT_NEAR(t.mu(2, 6), 60 * (f1 + 4 * f2) * 2 / 3, 1e-6);
    EXPECT_NEAR(t.mu(2, 5), -60 * f2 * 2 / 3, 1e-6);
    EXPECT_NEAR(t.mu(2, 7), -60 * f2 * 2 / 3, 1e-6);
    EXPECT_NEAR(t.mu(1, 6), -60 * f2, 1e-6);
    EXPECT_NEAR(t.mu(3, 6), -60 * f2 / 3, 1e-6);
    EXPECT_EQ(t.mu(0, 6), 0);
    EXPECT_NEAR(t.mu(6, 9), 60 * (f1 + 4 * f2) * 2 / 3, 1e-6);
    EXPECT_NEAR(t.mu(6, 10), -60 * f2, 1e-6);
    EXPECT_NEAR(t.mu(5, 9), -60 * f2 * 2 / 3, 1e-6);
}

} // namespace
} // namespace squall
