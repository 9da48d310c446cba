// What a nest and its parent tell each other across ranks.
#include <array>

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
    window.fetch(parent);
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
    for (const Stagger kind : {Stagger::none, Stagger::x, Stagger::y}) {
        Array3 coarse(p.parent.shape);
        coarse.fill(-1);
        const FedBack variable[] = {{fine.view(), coarse.view(), nz, kind}};
        feedback.give(variable);
        const int last_x = 4 + 18 - (kind != Stagger::x), last_y = 3 + 16 - (kind != Stagger::y);
        for_each({0, p.parent.shape.nx, 0, p.parent.shape.ny, 0, nz}, [&](int i, int k, int j) {
            const int x = i + p.parent.x0, y = j + p.parent.y0;
            const bool inside = x > 4 && x < last_x && y > 3 && y < last_y;
            const int fx = 3 * (x - 4) + (kind == Stagger::x ? 0 : 1),
                      fy = 3 * (y - 3) + (kind == Stagger::y ? 0 : 1);
            EXPECT_NEAR(coarse(i, k, j), inside ? value(fx, k, fy) : -1, 4e-3) << x << ' ' << y;
        });
    }
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
