// Who hands how much work to whom, and which columns of a patch make that up.
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "parallel/even_out.hpp"
#include "physics/radiation_queue.hpp"

namespace squall {
namespace {

TEST(EvenOut, HandsWhatIsAboveTheMeanToThoseBelow) {
    const double work[] = {10, 10, 20, 20};
    EXPECT_EQ(even_out(work, 0.01), (std::vector<Handover>{{2, 0, 5}, {3, 1, 5}}));
    const double one[] = {0, 40, 8, 0};
    EXPECT_EQ(even_out(one, 0.01), (std::vector<Handover>{{1, 0, 12}, {1, 2, 4}, {1, 3, 12}}));
}

TEST(EvenOut, LeavesWhatIsNotWorthAMessage) {
    const double nearly[] = {100, 102, 98, 100};
    EXPECT_TRUE(even_out(nearly, 0.03).empty());
    EXPECT_EQ(even_out(nearly, 0.01), (std::vector<Handover>{{1, 2, 2}}));
    const double few[] = {100, 110, 99, 91};
    EXPECT_EQ(even_out(few, 0.03), (std::vector<Handover>{{1, 3, 9}}));
    const double none[] = {0, 0, 0};
    EXPECT_TRUE(even_out(none, 0.03).empty());
    EXPECT_TRUE(even_out({}, 0.03).empty());
}

TEST(EvenOut, ManySharesTakeFewHandovers) {
    std::mt19937 random(7);
    for (const int count : {2, 3, 17, 64}) {
        std::vector<double> work;
        for (int n = 0; n < count; ++n) work.push_back(1 + double(random() % 1000));
        const double mean = std::accumulate(work.begin(), work.end(), 0.0) / count;
        std::vector<double> after = work;
        std::vector<int> gives(work.size()), takes(work.size());
        const auto all = even_out(work, 1e-9);
        EXPECT_LT(static_cast<int>(all.size()), count);
        for (const Handover &h : all) {
            const auto from = static_cast<std::size_t>(h.from), to = static_cast<std::size_t>(h.to);
            after[from] -= h.work, after[to] += h.work;
            ++gives[from], ++takes[to];
        }
        for (std::size_t n = 0; n < work.size(); ++n) {
            EXPECT_NEAR(after[n], mean, 1e-6 * mean) << count << ' ' << n;
            EXPECT_FALSE(gives[n] && takes[n]);
        }
    }
}

/// Columns of 8 x 2, those with i > 4 three times as dear.
RadiationQueue queue() {
    RadiationQueue q;
    for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 8; ++i) q.add({i, j, i > 4 ? 3.0 : 1.0});
    return q;
}

TEST(RadiationQueue, GivesTheDearOnesFromTheEnd) {
    RadiationQueue q = queue();
    EXPECT_EQ(q.work(), 28);
    const auto taken = q.take_off(10); // three of them and, of what is left, the nearest
    ASSERT_EQ(taken.size(), 4u);
    for (std::size_t n = 0; n < 3; ++n) {
        EXPECT_EQ(taken[n].i, 7 - int(n));
        EXPECT_EQ(taken[n].j, 1);
    }
    EXPECT_EQ(taken[3].work, 1);
    EXPECT_EQ(q.work(), 18);
    EXPECT_EQ(q.columns().size(), 12u);
    EXPECT_EQ(q.columns().front().i, 0); // in the order in which they were added
    for (std::size_t n = 1; n < q.columns().size(); ++n) {
        const auto &a = q.columns()[n - 1], &b = q.columns()[n];
        EXPECT_LT(a.j * 8 + a.i, b.j * 8 + b.i);
    }
}

TEST(RadiationQueue, GivesAllButNoMoreThanThereIs) {
    RadiationQueue q = queue();
    EXPECT_EQ(q.take_off(1000).size(), 16u);
    EXPECT_TRUE(q.columns().empty());
    EXPECT_EQ(q.work(), 0);
    EXPECT_TRUE(q.take_off(1).empty());
    q.clear();
    EXPECT_TRUE(q.take_off(1).empty());
}

} // namespace
} // namespace squall
