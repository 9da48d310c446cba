// Which ranks have which domain.
#include <gtest/gtest.h>

#include "parallel/decomposition.hpp"
#include "run/shares.hpp"
#include "settings/nests.hpp"

namespace squall {
namespace {

struct Sized {
    const char *name, *parent;
    int i, j, nx, ny;
};

Config with(int nx, int ny, std::initializer_list<Sized> nests) {
    Config c;
    c.domain.nx = nx, c.domain.ny = ny, c.domain.nz = 40;
    c.domain.dx = c.domain.dy = 9e3;
    for (const Sized &n : nests) {
        NestConfig nest;
        nest.name = n.name, nest.parent = n.parent;
        nest.i_parent_start = n.i, nest.j_parent_start = n.j;
        nest.nx = n.nx, nest.ny = n.ny;
        c.nests.push_back(nest);
    }
    return c;
}

TEST(Shares, OneNestAfterTheOtherHasAllRanksWhereAllMakeItFaster) {
    const Config c =
        with(356, 196, {{"inner", "", 50, 50, 318, 321}, {"innermost", "inner", 50, 50, 390, 327}});
    for (const int ranks : {1, 2, 8, 96})
        for (const Share &s : choose_shares(c, ranks)) EXPECT_EQ(s, (Share{0, ranks})) << ranks;
}

TEST(Shares, EqualSiblingsStepSideBySide) {
    const Config c = with(100, 100, {{"west", "", 10, 10, 90, 90}, {"east", "", 60, 10, 90, 90}});
    const auto shares = choose_shares(c, 8);
    EXPECT_EQ(shares[0], (Share{0, 8}));
    EXPECT_EQ(shares[1], (Share{0, 4}));
    EXPECT_EQ(shares[2], (Share{4, 4}));
}

TEST(Shares, TheLargerSiblingHasMoreRanks) {
    const Config c = with(100, 100, {{"west", "", 10, 10, 120, 120}, {"east", "", 60, 10, 60, 60}});
    const auto shares = choose_shares(c, 10);
    EXPECT_EQ(shares[1].first, 0);
    EXPECT_EQ(shares[2].first + shares[2].count, 10);
    EXPECT_GE(shares[1].count, 6);
    EXPECT_GE(shares[2].count, 1);
}

TEST(Shares, ANestTooSmallForAllRanksHasFewer) {
    const Config c = with(200, 200, {{"inner", "", 50, 50, 12, 9}});
    const auto shares = choose_shares(c, 64);
    EXPECT_LE(shares[1].count, 4 * 3);
    EXPECT_GT(shares[1].count, 1);
}

TEST(Shares, EveryNestCanBeCutForItsRanksAndLiesWithinItsParentsShare) {
    const Config c = with(60, 60,
                          {{"a", "", 5, 5, 36, 30},
                           {"b", "", 30, 5, 27, 60},
                           {"a1", "a", 4, 4, 9, 9},
                           {"a2", "a", 20, 4, 24, 12},
                           {"c", "", 5, 30, 60, 60}});
    for (int ranks = 1; ranks <= 40; ++ranks) {
        const auto shares = choose_shares(c, ranks);
        EXPECT_EQ(shares[0], (Share{0, ranks}));
        for (const Config &domain : with_nests(c)) {
            const auto &id = domain.identity;
            const Share &mine = shares[std::size_t(id.id - 1)];
            if (id.id == 1) continue;
            const Share &parents = shares[std::size_t(id.parent_id - 1)];
            EXPECT_TRUE(parents.has(mine.first) && parents.has(mine.first + mine.count - 1));
            EXPECT_NO_THROW(choose_process_grid(mine.count, domain.domain.nx, domain.domain.ny, 0, 0, 3));
        }
    }
}

} // namespace
} // namespace squall
