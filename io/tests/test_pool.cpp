/// The memory of frames on their way: within its limit, and nothing that fits is refused.

#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "stage/memory.hpp"
#include "support.hpp"

namespace squall::io::test {

constexpr std::size_t kB = 1024, MB = 1024 * kB;

std::shared_ptr<Pool> pool_of(std::size_t limit, bool shared = false) {
    return std::make_shared<Pool>(std::make_shared<Arena>(limit, shared), 0);
}

TEST(StagingMemory, TakesWhatFitsBetweenBlocksThatStay) {
    const auto pool = pool_of(1000 * kB);
    auto *a = pool->take(400 * kB), *b = pool->take(200 * kB), *c = pool->take(400 * kB);
    ASSERT_TRUE(a && b && c);
    EXPECT_EQ(pool->take(64), nullptr);
    pool->give_back(a, 400 * kB);
    pool->give_back(c, 400 * kB);
    auto *d = pool->take(800 * kB); // as much as is free, but not in one piece
    ASSERT_TRUE(d);
    std::memset(d, 1, 800 * kB);
    EXPECT_EQ(pool->used(), 1000 * kB);
    pool->give_back(b, 200 * kB);
    pool->give_back(d, 800 * kB);
    EXPECT_EQ(pool->used(), 0u);
}

/// Blocks of all sizes that come and go in any order, filled and checked.
void churn(Pool &pool, unsigned seed) {
    struct Taken {
        std::byte *block;
        std::size_t bytes;
        unsigned char mark;
    };
    std::mt19937 random(seed);
    std::vector<Taken> taken;
    std::size_t used = 0;
    for (int n = 0; n < 4000; ++n) {
        const auto bytes = std::size_t(1) << random() % 19;
        const bool fits = used + Pool::rounded(bytes) <= pool.limit();
        auto *block = pool.take(bytes);
        ASSERT_EQ(block != nullptr, fits) << used << " of " << pool.limit() << ", and " << bytes;
        if (block) {
            taken.push_back({block, bytes, static_cast<unsigned char>(n)});
            std::memset(block, n, bytes);
            used += Pool::rounded(bytes);
        }
        while (!taken.empty() && (!block || random() % 3 == 0)) {
            auto &gone = taken[random() % taken.size()];
            ASSERT_EQ(static_cast<unsigned char>(gone.block[gone.bytes - 1]), gone.mark);
            ASSERT_EQ(static_cast<unsigned char>(gone.block[0]), gone.mark);
            pool.give_back(gone.block, gone.bytes);
            used -= Pool::rounded(gone.bytes);
            gone = taken.back();
            taken.pop_back();
            if (block || random() % 4 == 0) break;
        }
    }
    for (const auto &t : taken) pool.give_back(t.block, t.bytes);
}

std::size_t resident() {
    std::ifstream statm("/proc/self/statm");
    std::size_t size = 0, pages = 0;
    statm >> size >> pages;
    return pages * 4096;
}

TEST(StagingMemory, NeverRefusesWhatFitsAndStaysWithinItsLimit) {
    for (const bool shared : {false, true}) {
        const auto pool = pool_of(4 * MB, shared);
        const auto before = resident();
        for (unsigned seed = 0; seed < 5; ++seed) churn(*pool, seed);
        EXPECT_EQ(pool->used(), 0u);
        if (!sanitized) {
            EXPECT_LT(resident(), before + 4 * MB + MB) << shared;
        }
    }
}

TEST(StagingMemory, IsOneForAllStreamsOfWhichEachHasItsShare) {
    const auto arena = std::make_shared<Arena>(100 * kB, false);
    Pool one(arena, 60 * kB), two(arena, 0);
    EXPECT_EQ(one.take(61 * kB), nullptr);
    auto *a = one.take(50 * kB), *b = two.take(40 * kB);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(one.take(10 * kB + 1), nullptr);
    EXPECT_EQ(two.take(10 * kB + 1), nullptr);
    EXPECT_EQ(arena->used(), 90 * kB);
    one.give_back(a, 50 * kB);
    auto *c = two.take(60 * kB);
    ASSERT_TRUE(c);
    EXPECT_EQ(two.most_used(), 100 * kB);
    two.give_back(b, 40 * kB);
    two.give_back(c, 60 * kB);
}

TEST(StagingMemory, KnowsWhenWaitingCannotHelp) {
    const auto arena = std::make_shared<Arena>(100 * kB, false);
    Pool one(arena, 60 * kB), two(arena, 0);
    EXPECT_FALSE(one.hopeless(60 * kB));
    EXPECT_TRUE(one.hopeless(61 * kB));
    two.pin(50 * kB);
    EXPECT_TRUE(one.hopeless(51 * kB));
    two.unpin(50 * kB);
    EXPECT_FALSE(one.hopeless(51 * kB));
}

TEST(StagingMemory, IsCopiedOnlyWhenWhatOthersShareIsChanged) {
    const auto pool = pool_of(100 * kB);
    Memory first(pool, pool->take(kB), kB);
    std::memset(first.data(), 1, kB);
    auto second = first.share();
    EXPECT_EQ(second.points(), first.points());
    EXPECT_EQ(pool->used(), kB);
    second.data()[0] = std::byte(7);
    EXPECT_EQ(first.points()[0], std::byte(1));
    EXPECT_EQ(second.points()[0], std::byte(7));
    EXPECT_EQ(pool->used(), 2 * kB);
    first = {};
    second = {};
    EXPECT_EQ(pool->used(), 0u);
}

TEST(StagingMemory, OfWhatIsKeptIsNeverRefusedAndCountsFromTheBeginning) {
    const auto pool = pool_of(100 * kB);
    auto *other = pool->take(40 * kB);
    EXPECT_FALSE(Reserve::of(pool, 61 * kB));
    auto kept = Reserve::of(pool, 60 * kB);
    ASSERT_TRUE(kept);
    EXPECT_EQ(pool->take(64), nullptr) << "it is full";
    for (int n = 0; n < 3; ++n) { // in turn, as fields that are stored one after the other
        auto a = Memory::out_of(kept, 35 * kB), b = Memory::out_of(kept, 25 * kB);
        ASSERT_TRUE(a.bytes() == 35 * kB && b.bytes() == 25 * kB);
        std::memset(a.data(), n, a.bytes());
        std::memset(b.data(), n, b.bytes());
        EXPECT_EQ(Memory::out_of(kept, 64).bytes(), 0u) << "others have all of it";
        EXPECT_EQ(pool->used(), 100 * kB);
    }
    auto last = Memory::out_of(kept, 10 * kB);
    kept.reset();
    EXPECT_EQ(pool->used(), 100 * kB) << "a block of it is still there";
    last = {};
    EXPECT_EQ(pool->used(), 40 * kB);
    pool->give_back(other, 40 * kB);
}

TEST(StagingMemory, ACopyOfWhatOthersShareTakesTheRoomThatIsKeptForItWhereThePoolIsFull) {
    const auto pool = pool_of(100 * kB);
    Memory first(pool, pool->take(40 * kB), 40 * kB);
    std::memset(first.data(), 1, 40 * kB);
    auto second = first.share();
    second.keep_room(Reserve::of(pool, 40 * kB));
    auto *other = pool->take(20 * kB);
    const auto third = second.share(); // as fields that are fixed in time go to a file again
    second.data()[0] = std::byte(7);
    EXPECT_GE(pool->offset_of(second.points()), 0) << "it lies in the pool";
    EXPECT_EQ(first.points()[0], std::byte(1));
    EXPECT_EQ(pool->used(), 100 * kB);
    second = {};
    auto fourth = third.share();
    fourth.data()[0] = std::byte(8);
    EXPECT_GE(pool->offset_of(fourth.points()), 0) << "as often as it is needed";
    EXPECT_EQ(pool->used(), 100 * kB);
    pool->give_back(other, 20 * kB);
}

TEST(StagingMemory, OfAStreamThatSpillsCopiesIntoFilesWhatHasNoRoom) {
    const Scratch dir;
    const auto pool = pool_of(100 * kB);
    Memory first(pool, pool->take(90 * kB), 90 * kB);
    std::memset(first.data(), 1, 90 * kB);
    first.copy_into_files_of(dir / "");
    for (int file = 0; file < 3; ++file) { // as fields that are fixed in time go to one after the other
        auto copy = first.share();
        std::memset(copy.data(), 2, 10 * kB);
        EXPECT_TRUE(copy.in_file());
        EXPECT_EQ(copy.points()[0], std::byte(2));
        EXPECT_EQ(copy.points()[90 * kB - 1], std::byte(1));
        EXPECT_TRUE(first.share().successor(80 * kB).in_file());
        EXPECT_EQ(pool->used(), 90 * kB);
    }
    EXPECT_EQ(first.points()[0], std::byte(1));
    EXPECT_TRUE(dir.files().empty()) << "they have no names";
}

TEST(StagingMemory, ShrinksToWhatItHolds) {
    const auto pool = pool_of(100 * kB);
    Memory bundle(pool, pool->take(100 * kB), 100 * kB);
    std::memset(bundle.data(), 5, 100 * kB);
    bundle.shrink(30 * kB + 1);
    EXPECT_EQ(bundle.bytes(), 30 * kB + 1);
    EXPECT_EQ(pool->used(), Pool::rounded(30 * kB + 1));
    Memory next(pool, pool->take(69 * kB), 69 * kB);
    ASSERT_TRUE(next.points());
    std::memset(next.data(), 6, 69 * kB);
    EXPECT_EQ(bundle.points()[30 * kB], std::byte(5));
    bundle.pin();
    bundle.shrink(64);
    EXPECT_EQ(pool->pinned(), 64u);
    bundle = {};
    next = {};
    EXPECT_EQ(pool->pinned(), 0u);
    EXPECT_EQ(pool->used(), 0u);
}

} // namespace squall::io::test
