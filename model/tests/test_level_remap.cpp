// From the levels of one domain to those of another.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/constants.hpp"
#include "nesting/level_remap.hpp"

namespace squall {
namespace {

constexpr real p_top = 5000;

/// Layers that thicken upwards, as those of weather models.
std::vector<double> stretched(int nz) {
    std::vector<double> eta;
    for (int k = 0; k <= nz; ++k) {
        const double below = double(k) / nz;
        eta.push_back((1 - below) * (1 - 0.5 * below));
    }
    eta.front() = 1, eta.back() = 0;
    return eta;
}

VerticalGrid levels(int nz, double etac = 0) { return VerticalGrid::make(stretched(nz), p_top, etac); }

/// Pressure of dry air at interface k, less that of the top.
double above(const VerticalGrid &v, int k, double mu) {
    return double(v.c3f[std::size_t(k)]) * mu + v.c4f[std::size_t(k)];
}

/// One column of mass `mu`.
struct Columns {
    VerticalGrid from, to;
    real mu = 92000;

    std::vector<real> map(OnLevels kind, const std::vector<real> &q) const {
        const bool on_layers = kind == OnLevels::layers || kind == OnLevels::amounts;
        std::vector<real> out(std::size_t(to.nz + (on_layers ? 0 : 1)));
        LevelRemap(from, to).set(kind, {q.data(), 1, 0}, {&mu, 0}, {0, 1, 0, 1, 0, 1}, {out.data(), 1, 0});
        return out;
    }
    static double integral(const VerticalGrid &v, const std::vector<real> &q, double mu) {
        double sum = 0;
        for (int k = 0; k < v.nz; ++k) sum += q[std::size_t(k)] * (above(v, k, mu) - above(v, k + 1, mu));
        return sum;
    }
};

/// Of more and of fewer layers, sigma and hybrid, over low and high ground.
std::vector<Columns> pairs() {
    std::vector<Columns> all;
    for (const double etac : {0.0, 0.2})
        for (const auto &[a, b] : {std::pair{17, 34}, {17, 40}, {40, 17}, {30, 29}})
            for (const real mu : {real(92000), real(55000)})
                all.push_back({levels(a, etac), levels(b, etac), mu});
    return all;
}

std::vector<real> wavy(int n) {
    std::vector<real> q;
    for (int k = 0; k < n; ++k) q.push_back(real(2 + std::sin(0.9 * k) + (k == n / 2 ? 3 : 0)));
    return q;
}

TEST(LevelRemap, TheSameLevelsAreKnown) {
    EXPECT_TRUE(LevelRemap(levels(20), levels(20)).same());
    EXPECT_FALSE(LevelRemap(levels(20), levels(20, 0.2)).same());
    EXPECT_FALSE(LevelRemap(levels(20), levels(21)).same());
}

TEST(LevelRemap, ConstantsStayToTheLastBit) {
    for (const Columns &c : pairs())
        for (const OnLevels kind :
             {OnLevels::layers, OnLevels::amounts, OnLevels::interfaces, OnLevels::geopotential})
            for (const real q : c.map(kind, std::vector<real>(std::size_t(c.from.nz) + 1, real(7.3))))
                EXPECT_EQ(q, real(7.3));
}

TEST(LevelRemap, TheIntegralOverTheColumnStays) {
    for (const Columns &c : pairs())
        for (const OnLevels kind : {OnLevels::layers, OnLevels::amounts}) {
            const auto q = wavy(c.from.nz);
            const double before = Columns::integral(c.from, q, c.mu),
                         after = Columns::integral(c.to, c.map(kind, q), c.mu);
            EXPECT_NEAR(after / before, 1, 1e-6);
        }
}

TEST(LevelRemap, AmountsHaveNoNewExtremes) {
    for (const Columns &c : pairs()) {
        std::vector<real> q(std::size_t(c.from.nz), 0);
        q[0] = 1, q[5] = 3, q[6] = 1, q.back() = 2;
        for (const real value : c.map(OnLevels::amounts, q)) {
            EXPECT_GE(value, -1e-6);
            EXPECT_LE(value, 3 + 1e-6);
        }
    }
}

TEST(LevelRemap, BackFromDividedLayersIsWhatWasThere) {
    for (const double etac : {0.0, 0.2}) {
        const VerticalGrid coarse = levels(17, etac);
        const VerticalGrid fine = levels_inside(coarse, divided(coarse.znw, 51));
        for (int k = 0; k <= 17; ++k)
            EXPECT_NEAR(fine.znw[std::size_t(3 * k)], coarse.znw[std::size_t(k)], 1e-7);
        for (const OnLevels kind :
             {OnLevels::layers, OnLevels::amounts, OnLevels::interfaces, OnLevels::geopotential}) {
            const auto q = wavy(17 + (kind == OnLevels::interfaces || kind == OnLevels::geopotential));
            const auto back = Columns{fine, coarse}.map(kind, Columns{coarse, fine}.map(kind, q));
            for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(back[k], q[k], 1e-4);
        }
    }
}

TEST(LevelRemap, DividedLayersFallAndThickenSmoothly) {
    const VerticalGrid coarse = levels(17);
    for (const int n : {9, 17, 23, 34, 60}) {
        const auto eta = divided(coarse.znw, n);
        ASSERT_EQ(int(eta.size()), n + 1);
        EXPECT_EQ(eta.front(), 1);
        EXPECT_EQ(eta.back(), 0);
        for (int k = 1; k < n; ++k) {
            const double ratio = (eta[std::size_t(k)] - eta[std::size_t(k) + 1]) /
                                 (eta[std::size_t(k) - 1] - eta[std::size_t(k)]);
            EXPECT_GT(ratio, 0.7);
            EXPECT_LT(ratio, 1.1);
        }
    }
}

TEST(LevelRemap, LevelsInsideAParentTurnIntoPressureWhereItsDo) {
    for (const double etac : {0.0, 0.1, 0.2, 0.4}) {
        const VerticalGrid wanted = levels(40, etac), made = levels_inside(levels(17, etac), stretched(40));
        for (std::size_t k = 0; k < wanted.c3f.size(); ++k) EXPECT_NEAR(made.c3f[k], wanted.c3f[k], 2e-6);
    }
}

/// Air of 250 K as the base state, and what warms it to 265 K, mapped to twice the layers: how far the
/// pressure that the equation of state makes of theta and geopotential in a layer is from the mean of those
/// beside it, of the pressure, at most below 100 hPa.
double sawtooth(OnLevels kind_of_geopotential) {
    using namespace constants;
    const double base = 250, warmer = 15, kappa = double(r_d) / c_p, gamma = double(c_p) / c_v;
    const VerticalGrid coarse = levels(30);
    const Columns c{coarse, VerticalGrid::make(divided(coarse.znw, 60), p_top, 0)};
    const auto p = [&](const VerticalGrid &v, int k) { return above(v, k, c.mu) + p_top; };
    const auto middle = [&](const VerticalGrid &v, int k) { return (p(v, k) + p(v, k + 1)) / 2; };
    std::vector<real> theta, ph{0};
    for (int k = 0; k < c.from.nz; ++k) {
        theta.push_back(real(warmer * std::pow(double(p0) / middle(c.from, k), kappa)));
        ph.push_back(ph.back() + real(r_d * warmer / middle(c.from, k) * (p(c.from, k) - p(c.from, k + 1))));
    }
    const auto t = c.map(OnLevels::layers, theta), z = c.map(kind_of_geopotential, ph);
    std::vector<double> error;
    for (int k = 0; k < c.to.nz && middle(c.to, k) > 10000; ++k) {
        const double pm = middle(c.to, k), thickness = p(c.to, k) - p(c.to, k + 1);
        const double alpha =
            r_d * base / pm + (double(z[std::size_t(k) + 1]) - z[std::size_t(k)]) / thickness;
        const double full = base * std::pow(double(p0) / pm, kappa) + t[std::size_t(k)];
        error.push_back(p0 * std::pow(r_d * full / (p0 * alpha), gamma) / pm - 1);
    }
    double worst = 0;
    for (std::size_t k = 1; k + 1 < error.size(); ++k)
        worst = std::max(worst, std::abs(error[k] - (error[k - 1] + error[k + 1]) / 2));
    return worst;
}

TEST(LevelRemap, PressureHasHardlyAnyOfTheSawtoothThatLinesBetweenInterfacesMake) {
    const double mapped = sawtooth(OnLevels::geopotential), along_lines = sawtooth(OnLevels::interfaces);
    std::printf("of the pressure: %.1e; along lines %.1e\n", mapped, along_lines);
    EXPECT_LT(mapped, 2.5e-4);
    EXPECT_GT(along_lines, 20 * mapped);
}

} // namespace
} // namespace squall
