// From a parent's points to those of a nest, and how a nest is cut into patches.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/loop.hpp"
#include "nesting/interpolation.hpp"
#include "nesting/place.hpp"
#include "parallel/decomposition.hpp"

namespace squall {
namespace {

/// A parent of 16 x 14 cells with a nest in its middle.
struct Nested {
    explicit Nested(int ratio) : place{4, 3, ratio, 6 * ratio, 5 * ratio} {
        each_parent([&](int i, int k, int j) { parent(i, k, j) = 0; });
    }
    template <class F> static void each_parent(F f) { for_each({0, 17, 0, 15, 0, 2}, f); }

    /// The nest's values of a kind of points, made from the parent's.
    Array3 down(Points kind, Interpolation rule = Interpolation::monotone) {
        Array3 nest({place.nx, place.ny, 2});
        Interpolator(place, rule).set(kind, parent.view(), all(kind), nest.view());
        return nest;
    }
    Range all(Points kind) const {
        return {0, place.nx + (kind == Points::x_faces), 0, place.ny + (kind == Points::y_faces), 0, 2};
    }
    /// Where a point of the nest lies among the parent's of its kind.
    double x(int i, Points kind) const {
        return place.i0 + (kind == Points::x_faces ? double(i) / place.ratio : (i + 0.5) / place.ratio - 0.5);
    }
    double y(int j, Points kind) const {
        return place.j0 + (kind == Points::y_faces ? double(j) / place.ratio : (j + 0.5) / place.ratio - 0.5);
    }

    NestPlace place;
    Array3 parent{{16, 14, 2}};
};

class Ratios : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Nests, Ratios, testing::Values(2, 3, 4, 5, 7));

constexpr Points kinds[] = {Points::cells, Points::x_faces, Points::y_faces};

TEST_P(Ratios, EveryPointOfTheNestIsMeasuredFromTheNearestOfTheParents) {
    const Nested n(GetParam());
    for (int i = -2; i <= n.place.nx + 2; ++i) {
        const auto cell = place_of_cell(i, n.place.i0, n.place.ratio);
        EXPECT_NEAR(cell.base - cell.offset, n.x(i, Points::cells), 1e-5);
        EXPECT_LE(std::abs(cell.offset), 0.5);
        const auto face = place_of_face(i, n.place.i0, n.place.ratio);
        EXPECT_NEAR(face.base - face.offset, n.x(i, Points::x_faces), 1e-5);
        EXPECT_LE(std::abs(face.offset), 0.5);
    }
}

TEST_P(Ratios, UniformFieldsStayUniformToTheLastBit) {
    Nested n(GetParam());
    Nested::each_parent([&](int i, int k, int j) { n.parent(i, k, j) = real(7.3); });
    for (const Points kind : kinds) {
        const Array3 nest = n.down(kind);
        for_each(n.all(kind), [&](int i, int k, int j) { EXPECT_EQ(nest(i, k, j), real(7.3)); });
    }
}

TEST_P(Ratios, LinearFieldsArePlacedWhereTheyBelong) {
    Nested n(GetParam());
    Nested::each_parent([&](int i, int k, int j) { n.parent(i, k, j) = real(3 * i - 2 * j + 10 * k); });
    for (const Points kind : kinds) {
        const Array3 nest = n.down(kind);
        for_each(n.all(kind), [&](int i, int k, int j) {
            EXPECT_NEAR(nest(i, k, j), 3 * n.x(i, kind) - 2 * n.y(j, kind) + 10 * k, 2e-4);
        });
    }
}

TEST_P(Ratios, PointsThatCoincideKeepTheirValues) {
    Nested n(GetParam());
    Nested::each_parent(
        [&](int i, int k, int j) { n.parent(i, k, j) = real(std::sin(1.7 * i) * std::cos(2.3 * j) + k); });
    const Array3 faces = n.down(Points::x_faces);
    const int r = n.place.ratio;
    if (r % 2 == 0) return; // no row of cells coincides
    for (int c = 0; c <= n.place.nx / r; ++c)
        EXPECT_EQ(faces(c * r, 1, r / 2), n.parent(n.place.i0 + c, 1, n.place.j0));
}

TEST_P(Ratios, NoNewExtremesAriseBesideAStep) {
    Nested n(GetParam());
    Nested::each_parent([&](int i, int k, int j) { n.parent(i, k, j) = i + j < 13 ? 0 : 1; });
    for (const Points kind : kinds) {
        const Array3 nest = n.down(kind);
        for_each(n.all(kind), [&](int i, int k, int j) {
            EXPECT_GE(nest(i, k, j), -1e-6);
            EXPECT_LE(nest(i, k, j), 1 + 1e-6);
        });
    }
}

TEST_P(Ratios, BilinearValuesLieOnTheLinesBetweenThePointsAround) {
    Nested n(GetParam());
    Nested::each_parent([&](int i, int k, int j) { n.parent(i, k, j) = real(i * i - 3 * i * j + k); });
    for (const Points kind : kinds) {
        const Array3 nest = n.down(kind, Interpolation::bilinear);
        for_each(n.all(kind), [&](int i, int k, int j) {
            const double x = n.x(i, kind), y = n.y(j, kind);
            const int a = int(std::floor(x)), b = int(std::floor(y));
            const double p = x - a, q = y - b;
            const auto at = [&](int c, int d) { return double(n.parent(c, k, d)); };
            EXPECT_NEAR(nest(i, k, j),
                        (1 - q) * ((1 - p) * at(a, b) + p * at(a + 1, b)) +
                            q * ((1 - p) * at(a, b + 1) + p * at(a + 1, b + 1)),
                        1e-4);
        });
    }
}

TEST_P(Ratios, TheNearestPointGivesItsValue) {
    Nested n(GetParam());
    Nested::each_parent([&](int i, int k, int j) { n.parent(i, k, j) = real(100 * i + j + k); });
    const Array3 nest = n.down(Points::cells, Interpolation::nearest);
    for_each(n.all(Points::cells), [&](int i, int k, int j) {
        EXPECT_EQ(nest(i, k, j), n.parent(n.place.i0 + i / n.place.ratio, k, n.place.j0 + j / n.place.ratio));
    });
}

TEST(Interpolation, IsOfThirdOrderOrBetterOnSmoothFields) {
    const auto error = [](int waves) {
        NestPlace place{8, 8, 3, 48, 3};
        Array3 parent({40, 20, 1}), nest({48, 3, 1});
        const double k = 2 * M_PI / waves;
        for_each({0, 40, 0, 20, 0, 1}, [&](int i, int, int j) { parent(i, 0, j) = real(std::sin(k * i)); });
        Interpolator(place).set(Points::cells, parent.view(), {0, 48, 0, 3, 0, 1}, nest.view());
        // Crests are flattened by the limiter, as they must be: the mean error tells.
        double sum = 0;
        for (int i = 0; i < 48; ++i) sum += std::abs(nest(i, 0, 1) - std::sin(k * (8 + (i + 0.5) / 3 - 0.5)));
        return sum / 48;
    };
    EXPECT_LT(error(20), error(10) / 6);
    EXPECT_LT(error(20), 2e-3);
}

TEST(Grain, PatchesOfANestNeverCutACellOfItsParent) {
    for (const int ranks : {1, 2, 3, 4, 6}) {
        const auto [px, py] = choose_process_grid(ranks, 48, 45, 0, 0, 3);
        int cells = 0;
        for (int rank = 0; rank < ranks; ++rank) {
            const Patch p = make_patch(rank, px, py, 48, 45, 4, {}, 3);
            EXPECT_EQ(p.x0 % 3 + p.y0 % 3 + p.shape.nx % 3 + p.shape.ny % 3, 0);
            const Region r = region_of(p, rank);
            EXPECT_EQ(r.i1 - r.i0, p.shape.nx);
            cells += p.shape.nx * p.shape.ny;
        }
        EXPECT_EQ(cells, 48 * 45);
    }
}

} // namespace
} // namespace squall
