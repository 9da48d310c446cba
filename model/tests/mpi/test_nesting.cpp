// What a nest and its parent tell each other across ranks.
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/loop.hpp"
#include "nesting/feedback.hpp"
#include "nesting/parent_window.hpp"

namespace squall {
namespace {

constexpr int nx = 26, ny = 24, nz = 2; // of the parent
const NestPlace place{4, 3, 3, 54, 48};

struct Pair {
    Patch parent, nest;
    Pair() {
        int rank = 0, ranks = 1;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        const auto [px, py] = choose_process_grid(ranks, nx, ny);
        parent = make_patch(rank, px, py, nx, ny, nz, {});
        const auto [qx, qy] = choose_process_grid(ranks, place.nx, place.ny, 0, 0, place.ratio);
        using enum Boundary;
        nest = make_patch(rank, qx, qy, place.nx, place.ny, nz, {specified, specified, specified, specified},
                          place.ratio);
    }
};

real value(int x, int k, int y) { return real(x + 100 * y + 10000 * k); }

TEST(ParentWindow, HasTheParentsStateAroundEveryPatchOfTheNest) {
    const Pair p;
    State parent(p.parent.shape, 1);
    for_each({0, p.parent.shape.nx, 0, p.parent.shape.ny, 0, nz}, [&](int i, int k, int j) {
        const real v = value(i + p.parent.x0, k, j + p.parent.y0);
        parent.u(i, k, j) = v, parent.scalars[0](i, k, j) = -v;
        if (k == 0) parent.mu(i, j) = v;
    });
    ParentWindow window(MPI_COMM_WORLD, place, p.parent, p.nest, 1);
    window.fetch(parent, parent.ph);
    const Region r = window.region();
    // What the patch's points are interpolated from, and one more for the masses of faces.
    EXPECT_LE(r.i0, place.i0 + p.nest.x0 / 3 - 3);
    EXPECT_GE(r.i1, place.i0 + (p.nest.x0 + p.nest.shape.nx) / 3 + 3);
    const ConstField3 u = window.in_parent(ConstField3(window.state().u.view())),
                      q = window.in_parent(ConstField3(window.state().scalars[0].view())),
                      mu = window.in_parent(window.state().mu.view());
    int wrong = 0;
    for_each({r.i0, r.i1, r.j0, r.j1, 0, nz}, [&](int x, int k, int y) {
        wrong +=
            u(x, k, y) != value(x, k, y) || q(x, k, y) != -value(x, k, y) || mu(x, 0, y) != value(x, 0, y);
    });
    EXPECT_EQ(wrong, 0);
}

TEST(Feedback, GivesCellsAndFacesTheMeanOfWhatFillsThem) {
    const Pair p;
    Feedback feedback(MPI_COMM_WORLD, place, p.parent, p.nest);
    Array3 fine(p.nest.shape);
    for_each({0, p.nest.shape.nx, 0, p.nest.shape.ny, 0, nz},
             [&](int i, int k, int j) { fine(i, k, j) = value(i + p.nest.x0, k, j + p.nest.y0); });
    for (const Points kind : {Points::cells, Points::x_faces, Points::y_faces}) {
        Array3 coarse(p.parent.shape);
        coarse.fill(-1);
        const FedBack variable[] = {{fine.view(), coarse.view(), nz, kind}};
        feedback.give(variable);
        const int last_x = 4 + 18 - (kind != Points::x_faces), last_y = 3 + 16 - (kind != Points::y_faces);
        for_each({0, p.parent.shape.nx, 0, p.parent.shape.ny, 0, nz}, [&](int i, int k, int j) {
            const int x = i + p.parent.x0, y = j + p.parent.y0;
            const bool inside = x > 4 && x < last_x && y > 3 && y < last_y;
            const int fx = 3 * (x - 4) + (kind == Points::x_faces ? 0 : 1),
                      fy = 3 * (y - 3) + (kind == Points::y_faces ? 0 : 1);
            EXPECT_NEAR(coarse(i, k, j), inside ? value(fx, k, fy) : -1, 4e-3) << x << ' ' << y;
        });
    }
}

/// 1-2-1 of a wave of `cells` along each direction: what is left of its amplitude, by strength.
double response(double strength, double cells) { return 1 - strength * (1 - std::cos(2 * M_PI / cells)); }

TEST(Feedback, SmoothsWhatTheParentWasGivenOneRowFurtherInside) {
    const Pair p;
    const double cells = 6; // of a wave that runs along x, and along y
    for (const std::pair<Smoothing, double> &filter :
         {std::pair{Smoothing::one_two_one, response(0.5, cells)},
          std::pair{Smoothing::smooth_desmooth, response(0.5, cells) * response(-0.52, cells)}})
        for (const Points kind : {Points::cells, Points::x_faces, Points::y_faces}) {
            const Smoothing smoothing = filter.first;
            const double left = filter.second;
            Feedback feedback(MPI_COMM_WORLD, place, p.parent, p.nest, smoothing);
            const auto wave = [&](double x, double y) {
                return std::cos(2 * M_PI * x / cells) * std::cos(2 * M_PI * y / cells);
            };
            // Every point of the nest has what the parent's has that it is part of.
            Array3 fine(p.nest.shape), coarse(p.parent.shape), as_it_is(p.parent.shape);
            for_each({0, p.nest.shape.nx, 0, p.nest.shape.ny, 0, nz}, [&](int i, int k, int j) {
                fine(i, k, j) = real(wave(4 + (i + p.nest.x0) / 3, 3 + (j + p.nest.y0) / 3));
            });
            for (Array3 *a : {&coarse, &as_it_is})
                for_each({0, p.parent.shape.nx, 0, p.parent.shape.ny, 0, nz}, [&](int i, int k, int j) {
                    (*a)(i, k, j) = real(wave(i + p.parent.x0, j + p.parent.y0));
                });
            const FedBack variables[] = {{fine.view(), coarse.view(), nz, kind},
                                         {fine.view(), as_it_is.view(), nz, kind, false}};
            feedback.give(variables);
            const int x0 = 4 + 2, x1 = 4 + 18 - 2 + (kind == Points::x_faces), y0 = 3 + 2,
                      y1 = 3 + 16 - 2 + (kind == Points::y_faces);
            for_each({0, p.parent.shape.nx, 0, p.parent.shape.ny, 0, nz}, [&](int i, int k, int j) {
                const int x = i + p.parent.x0, y = j + p.parent.y0;
                const double before = wave(x, y);
                const bool inside = x >= x0 && x < x1 && y >= y0 && y < y1;
                // Beside the sides a filter meets what the other has left alone.
                const int m = smoothing == Smoothing::one_two_one ? 1 : 2;
                const bool deep = x >= x0 + m && x < x1 - m && y >= y0 + m && y < y1 - m;
                if (deep || !inside) {
                    EXPECT_NEAR(coarse(i, k, j), deep ? left * left * before : before, 1e-5);
                }
                EXPECT_NEAR(as_it_is(i, k, j), before, 1e-6);
            });
        }
}

/// Vapour is most in the lowest layer, so that whatever a nest adds there is more than all that was there.
TEST(Feedback, OfAmountsOnOtherLevelsMovesTheParentByAsLittleAsTheNestHasMoved) {
    constexpr int layers = 16, others = 11;
    constexpr real moved = real(1e-4);
    std::vector<double> eta;
    for (int k = 0; k <= layers; ++k) eta.push_back(1 - double(k) / layers);
    const VerticalGrid above = VerticalGrid::make(eta, 1e4, 0),
                       inside = levels_inside(above, divided(above.znw, others));
    Pair p;
    p.parent.shape.nz = layers, p.nest.shape.nz = others;
    Feedback feedback(MPI_COMM_WORLD, place, p.parent, p.nest, Smoothing::none, 0, LevelRemap(inside, above),
                      LevelRemap(above, inside));
    Array2 mass(p.parent.shape);
    mass.fill(9e4);
    Array3 parent(p.parent.shape), nest(p.nest.shape);
    const auto profile = [](int k) { return real(0.016 * std::exp(-0.3 * k)); };
    for_each({0, p.parent.shape.nx, 0, p.parent.shape.ny, 0, layers},
             [&](int i, int k, int j) { parent(i, k, j) = profile(k); });
    const std::vector<real> told = [&] { // one column of the parent's on the nest's levels
        std::vector<real> from, to(others);
        for (int k = 0; k < layers; ++k) from.push_back(profile(k));
        const real mu = 9e4;
        LevelRemap(above, inside)
            .set(OnLevels::amounts, {from.data(), 1, 0}, {&mu, 0}, {0, 1, 0, 1, 0, 1}, {to.data(), 1, 0});
        return to;
    }();
    for_each({0, p.nest.shape.nx, 0, p.nest.shape.ny, 0, others},
             [&](int i, int k, int j) { nest(i, k, j) = told[std::size_t(k)] * (1 + moved); });
    const FedBack amounts[] = {
        {.nest = nest.view(), .parent = parent.view(), .levels = others, .column = OnLevels::amounts}};
    feedback.give(amounts, mass.view());
    for_each_column(feedback.given(), [&](int i, int j) {
        double is = 0, was = 0;
        for (int k = 0; k < layers; ++k) {
            EXPECT_NEAR(parent(i, k, j) / profile(k), 1, 10 * moved) << k;
            EXPECT_LE(parent(i, k, j), profile(0));
            is += double(parent(i, k, j)), was += double(profile(k));
        }
        EXPECT_NEAR(is / was, 1 + moved, 2e-6);
    });
}

TEST(RegionExchange, SendsEachOtherRankOneMessageAtMost) {
    const Pair p;
    const RegionExchange exchange(
        MPI_COMM_WORLD, [&](int rank) { return region_of(p.parent, rank); },
        [&](int) {
            return Region{0, nx, 0, ny};
        });
    EXPECT_EQ(exchange.messages(), p.parent.px * p.parent.py - 1);
}

} // namespace
} // namespace squall
