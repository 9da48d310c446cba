#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

#include "diffusion_case.hpp"

namespace squall::test {
namespace {

ScalarSet water_and_tracer(bool tke) {
    ScalarSet set;
    set.all = {{"QVAPOR", "kg kg-1", ""}, {"QCLOUD", "kg kg-1", ""}};
    set.vapour = 0, set.cloud = 1, set.waters = 2;
    if (tke) {
        set.tke = set.size();
        set.all.push_back({"TKE", "m2 s-2", ""});
    }
    set.first_tracer = set.size();
    set.all.push_back({"smoke", "kg kg-1", ""});
    return set;
}

ScalarSet tracer_alone(bool tke) {
    ScalarSet set;
    if (tke) {
        set.tke = 0;
        set.all.push_back({"TKE", "m2 s-2", ""});
    }
    set.all.push_back({"smoke", "kg kg-1", ""});
    return set;
}

std::vector<DiffusionConfig> all_schemes() {
    std::vector<DiffusionConfig> schemes = {
        constant("coordinate", 75, 30),
        constant("physical", 75, 30),
        smagorinsky("smagorinsky-2d", "coordinate"),
        smagorinsky("smagorinsky-2d", "physical"),
        smagorinsky("smagorinsky-3d", "physical"),
        smagorinsky("tke", "physical"),
    };
    for (DiffusionConfig &scheme : schemes) scheme.mix_full_fields = true;
    schemes[2].vertical = 30;
    return schemes;
}

std::string name(const DiffusionConfig &c) { return c.scheme + " on " + c.surfaces + " surfaces"; }

/// Air of rough winds over terrain (unless flat), part of it cloudy, with a tracer last.
MixingCase rough_air(const DiffusionConfig &scheme, bool moist, bool flat = false) {
    const bool tke = scheme.scheme == "tke";
    MixingCase c({37, 23, 8}, 1000, 800, 300);
    c.carry(moist ? water_and_tracer(tke) : tracer_alone(tke));
    const Shape sh = c.shape;
    if (!flat) c.set_terrain([&](int i, int j) { return 200 * noise(sh, 5, i, 0, j); });
    c.set(c.p, [&](int i, int k, int j) { return 95e3 - 3e3 * k + 100 * noise(sh, 6, i, k, j); });
    c.set(c.s.theta, [&](int i, int k, int j) { return 3 + 2 * k + noise(sh, 4, i, k, j); });
    c.set(c.alt, [&](int i, int k, int j) {
        return 287 * (300 + c.s.theta(i, k, j)) * std::pow(c.p(i, k, j) / 1e5, 2.0 / 7) / c.p(i, k, j);
    });
    c.set(c.s.u, [&](int i, int k, int j) { return 10 * noise(sh, 1, i, k, j); });
    c.set(c.s.v, [&](int i, int k, int j) { return 10 * noise(sh, 2, i, k, j); });
    c.set(c.s.w, [&](int i, int k, int j) { return noise(sh, 3, i, k, j); });
    if (moist)
        c.set(c.s.scalars[0], [&](int i, int k, int j) { return 0.012 + 0.004 * noise(sh, 7, i, k, j); });
    if (moist)
        c.set(c.s.scalars[1],
              [&](int i, int k, int j) { return std::max(0.0, 1e-4 * noise(sh, 8, i, k, j)); });
    if (tke)
        c.set(c.s.scalars[std::size_t(c.scalars.tke)],
              [&](int i, int k, int j) { return std::max(0.0, 2 * noise(sh, 9, i, k, j)); });
    c.set(c.s.scalars.back(), [&](int i, int k, int j) { return 1 + noise(sh, 10, i, k, j); });
    return c;
}

bool same_bits(const Array3 &a, const Array3 &b, const Shape &sh) {
    for (int j = 0; j < sh.ny; ++j)
        for (int k = 0; k < sh.nz; ++k)
            if (std::memcmp(&a(0, k, j), &b(0, k, j), std::size_t(sh.nx) * sizeof(real)) != 0) return false;
    return true;
}

TEST(ScalarMixing, LeavesAConstantAlone) {
    for (const DiffusionConfig &scheme : all_schemes()) {
        MixingCase c = rough_air(scheme, true);
        c.s.scalars.back().fill(real(0.3));
        mix(c, scheme, 20);
        double theta = 0;
        for (int j = 0; j < c.shape.ny; ++j)
            for (int k = 0; k < c.shape.nz; ++k)
                for (int i = 0; i < c.shape.nx; ++i) {
                    ASSERT_EQ(c.t.scalars.back()(i, k, j), 0) << name(scheme) << i << " " << k << " " << j;
                    theta += std::abs(double(c.t.theta(i, k, j)));
                }
        EXPECT_GT(theta, 0);
    }
}

TEST(ScalarMixing, ConservesWaterAndTracersOfAPeriodicBox) {
    for (const DiffusionConfig &scheme : all_schemes()) {
        const bool coordinate = scheme.surfaces == "coordinate";
        MixingCase c = rough_air(scheme, true, coordinate);
        if (coordinate) c.alt.fill(1); // M d/dz(K dq/dz) is not a flux's else
        mix(c, scheme, 20);
        for (int n = 0; n < c.scalars.size(); ++n) {
            if (n == c.scalars.tke) continue; // has sources
            double sum = 0, size = 0;
            for (int j = 0; j < c.shape.ny; ++j)
                for (int k = 0; k < c.shape.nz; ++k)
                    for (int i = 0; i < c.shape.nx; ++i) {
                        const double tend = c.t.scalars[std::size_t(n)](i, k, j);
                        sum += tend, size += std::abs(tend);
                    }
            EXPECT_GT(size, 0) << name(scheme) << " " << n;
            EXPECT_LT(std::abs(sum), 1e-6 * size) << name(scheme) << " " << n;
        }
    }
}

/// The first run with K of momentum, the second with that times three.
TEST(ScalarMixing, OfConstantViscosityIsThatOfMomentumOverThePrandtlNumber) {
    for (const char *surfaces : {"coordinate", "physical"}) {
        DiffusionConfig scheme = constant(surfaces, 75, 30);
        scheme.mix_full_fields = true;
        MixingCase once = rough_air(scheme, true), thrice = rough_air(scheme, true);
        mix(once, scheme, 20);
        scheme.prandtl = 1.0 / 3;
        mix(thrice, scheme, 20);
        const auto ratio = [](const Array3 &a, const Array3 &b) { return double(a(7, 3, 5)) / b(7, 3, 5); };
        EXPECT_NEAR(ratio(thrice.t.theta, once.t.theta), 3, 1e-4) << surfaces;
        for (std::size_t n = 0; n < once.t.scalars.size(); ++n)
            EXPECT_NEAR(ratio(thrice.t.scalars[n], once.t.scalars[n]), 3, 1e-4) << surfaces << " " << n;
        for (auto wind : {&Tendencies::u, &Tendencies::v, &Tendencies::w})
            EXPECT_TRUE(same_bits(once.t.*wind, thrice.t.*wind, once.shape)) << surfaces;
    }
}

/// Over flat ground WRF's form in physical space is the flux form but for rounding; over hills it is another,
/// and makes or loses some of what it mixes.
TEST(ScalarMixing, InWrfsFormIsNoDifferenceOfFluxesOverHills) {
    Config config;
    config.diffusion = smagorinsky("smagorinsky-3d", "physical");
    config.diffusion.mix_full_fields = true;
    const auto mixed = [&](const char *compatibility, bool flat) {
        MixingCase c = rough_air(config.diffusion, true, flat);
        config.run.compatibility = compatibility;
        mix(c, config, 20);
        return c;
    };
    const auto excess = [](const MixingCase &c) {
        double sum = 0, size = 0;
        for (int j = 0; j < c.shape.ny; ++j)
            for (int k = 0; k < c.shape.nz; ++k)
                for (int i = 0; i < c.shape.nx; ++i) {
                    sum += c.t.scalars.back()(i, k, j);
                    size += std::abs(double(c.t.scalars.back()(i, k, j)));
                }
        return std::abs(sum) / size;
    };
    EXPECT_LT(excess(mixed("wrf", true)), 1e-6);
    EXPECT_LT(excess(mixed("none", false)), 1e-6);
    EXPECT_GT(excess(mixed("wrf", false)), 1e-5);
    const MixingCase ours = mixed("none", true), wrf = mixed("wrf", true);
    for (int k = 0; k < ours.shape.nz; ++k) {
        const double here = ours.t.scalars.back()(7, k, 5);
        EXPECT_NEAR(wrf.t.scalars.back()(7, k, 5), here, 1e-3 * std::abs(here)) << k;
    }
}

TEST(ScalarMixing, IsThatOfThetaForTheSameField) {
    for (const DiffusionConfig &scheme : all_schemes()) {
        MixingCase c = rough_air(scheme, true);
        c.s.scalars.back().copy_from(c.s.theta);
        mix(c, scheme, 20);
        EXPECT_TRUE(same_bits(c.t.theta, c.t.scalars.back(), c.shape)) << name(scheme);
        EXPECT_NE(c.t.theta(7, 3, 5), 0) << name(scheme);
    }
}

TEST(ScalarMixing, GivesTheSameBitsWhateverTheTiles) {
    for (const DiffusionConfig &scheme : all_schemes())
        for (const bool moist : {false, true}) {
            MixingCase whole = rough_air(scheme, moist), tiled = rough_air(scheme, moist);
            Config config;
            config.diffusion = scheme;
            for (MixingCase *c : {&whole, &tiled}) c->patch.west = c->patch.north = MPI_PROC_NULL;
            config.domain.boundaries.west = config.domain.boundaries.north = Boundary::open;
            mix(whole, config, 20);
            mix(tiled, config, 20, {7, 5});
            for (const Variable v : {Variable::u, Variable::v, Variable::w, Variable::theta})
                EXPECT_TRUE(same_bits(member(v, whole.t), member(v, tiled.t), whole.shape)) << name(scheme);
            for (std::size_t n = 0; n < whole.t.scalars.size(); ++n) {
                EXPECT_TRUE(same_bits(whole.t.scalars[n], tiled.t.scalars[n], whole.shape))
                    << name(scheme) << " scalar " << n;
                EXPECT_NE(whole.t.scalars[n](9, 3, 9), 0) << name(scheme) << " scalar " << n;
            }
        }
}

TEST(ScalarMixing, LeavesTheBaseVapourAloneUnlessToldOtherwise) {
    for (const std::string surfaces : {"coordinate", "physical"}) {
        MixingCase c({4, 4, 6}, 100, 100, 100);
        c.carry(water_and_tracer(false));
        for (std::size_t k = 0; k < 6; ++k) c.grid.qv_base[k] = real(0.001 * k * k);
        for (const std::size_t n : {0, 2})
            c.set(c.s.scalars[n],
                  [&](int, int k, int) { return c.grid.qv_base[std::size_t(std::min(k, 5))]; });
        DiffusionConfig config = constant(surfaces, 75, 75);
        mix(c, config);
        for (int k = 0; k < 6; ++k) EXPECT_EQ(c.t.scalars[0](1, k, 1), 0) << surfaces;
        EXPECT_GT(c.t.scalars[2](1, 2, 1), 0) << "a tracer has no base";
        config.mix_full_fields = true;
        mix(c, config);
        EXPECT_GT(c.t.scalars[0](1, 2, 1), 0) << surfaces;
    }
}

TEST(ScalarMixing, CountsTheMassOfVapourInPhysicalSpace) {
    const auto tendency = [](double vapour) {
        MixingCase c({16, 4, 4}, 100, 100, 100);
        c.carry(water_and_tracer(false));
        c.s.scalars[0].fill(real(vapour));
        c.set(c.s.scalars[2], [](int i, int, int) { return std::sin(2 * pi * i / 16); });
        mix(c, constant("physical", 75, 75));
        return double(c.t.scalars[2](4, 1, 1));
    };
    EXPECT_NEAR(tendency(0.5) / tendency(0), 1.5, 1e-5);
    EXPECT_LT(tendency(0), 0);
}

TEST(ScalarMixing, EndsOneRowInsideOpenAndSpecifiedSides) {
    for (const Boundary side : {Boundary::open, Boundary::specified}) {
        MixingCase c({16, 12, 4}, 1000, 1000, 500);
        c.carry(tracer_alone(false));
        c.patch.west = c.patch.east = c.patch.south = c.patch.north = MPI_PROC_NULL;
        Config config;
        config.diffusion = smagorinsky("smagorinsky-2d", "coordinate");
        Boundaries &b = config.domain.boundaries;
        b.west = b.east = b.south = b.north = side;
        // v = shear x, so that K is the same everywhere but in the outermost row, which has none.
        const double shear = 1e-3, k_heat = 3 * 0.0625 * 1e6 * shear;
        c.set(c.s.v, [&](int i, int, int) { return shear * 1000 * i; });
        c.set(c.s.scalars[0], [](int i, int, int) { return 1.0 * i; });
        c.set(c.s.theta, [&](int i, int k, int j) { return noise(c.shape, 1, i, k, j); });
        mix(c, config, 20);
        EXPECT_NE(c.t.theta(1, 1, 1), 0);
        const double flux = c.mass() * k_heat / 1e6;
        for (int j = 0; j < 12; ++j)
            for (int i = 0; i < 16; ++i) {
                const bool rim = i == 0 || i == 15 || j == 0 || j == 11;
                const double expected = rim ? 0 : i == 1 ? flux / 2 : i == 14 ? -flux / 2 : 0;
                ASSERT_NEAR(c.t.scalars[0](i, 1, j), expected, 1e-4 * flux) << i << " " << j;
                if (rim) {
                    ASSERT_EQ(c.t.theta(i, 1, j), 0);
                }
            }
    }
}

TEST(ScalarMixing, RefusesTurbulentEnergyWithoutItsSchemeAndTheReverse) {
    MixingCase c({4, 4, 4}, 100, 100, 100);
    EXPECT_THROW(mix(c, smagorinsky("tke", "physical")), std::invalid_argument);
    c.carry(tracer_alone(true));
    EXPECT_THROW(mix(c, smagorinsky("smagorinsky-3d", "physical")), std::invalid_argument);
    EXPECT_THROW(mix(c, smagorinsky("smagorinsky-3d", "coordinate")), std::invalid_argument);
    c.p.fill(real(9e4));
    EXPECT_NO_THROW(mix(c, smagorinsky("tke", "physical")));
}

} // namespace
} // namespace squall::test
