/// The replay of a journal leaves what a power cut could leave, and nothing else.

#include <gtest/gtest.h>

#include "replay.hpp"

namespace squall::faults {
namespace {

class ReplayOf : public testing::Test {
  protected:
    Replay replay;
    std::mt19937 random{1};

    void create(std::uint64_t inode, const std::string &path) {
        replay.apply({"create", path, "", inode, 0, ""});
    }
    void write(std::uint64_t inode, std::uint64_t at, const std::string &bytes) {
        replay.apply({"write", "", "", inode, at, bytes});
    }
    void inode(const std::string &kind, std::uint64_t inode) { replay.apply({kind, "", "", inode, 0, ""}); }
    void path(const std::string &kind, const std::string &path, const std::string &to = "") {
        replay.apply({kind, path, to, 0, 0, ""});
    }
    Tree cut(Luck luck) { return replay.after_power_cut(luck, random); }
};

TEST_F(ReplayOf, AFileThatWasNotBroughtToDiskIsThereInAnyPartOrNot) {
    create(1, "a");
    write(1, 0, "text");
    EXPECT_EQ(cut(Luck::all), (Tree{{"a", "text"}}));
    EXPECT_EQ(cut(Luck::none), Tree{});
    EXPECT_EQ(cut(Luck::names), (Tree{{"a", ""}}));
    EXPECT_EQ(cut(Luck::bytes), Tree{});
    inode("fsync", 1);
    EXPECT_EQ(cut(Luck::none), Tree{}); // its name is not
    path("syncdir", "");
    EXPECT_EQ(cut(Luck::none), (Tree{{"a", "text"}}));
    write(1, 2, "more");
    EXPECT_EQ(cut(Luck::none), (Tree{{"a", "text"}}));
    EXPECT_EQ(cut(Luck::bytes), (Tree{{"a", "temore"}}));
    EXPECT_EQ(replay.durable("a"), "text");
}

TEST_F(ReplayOf, ARenameIsThereOrNotAndNeverHalf) {
    create(1, "a");
    write(1, 0, "old");
    create(2, "b.new");
    write(2, 0, "new");
    inode("fsync", 1);
    inode("fsync", 2);
    path("syncdir", "");
    path("rename", "b.new", "a");
    EXPECT_EQ(cut(Luck::none), (Tree{{"a", "old"}, {"b.new", "new"}}));
    EXPECT_EQ(cut(Luck::all), (Tree{{"a", "new"}}));
    for (int n = 0; n < 20; ++n) {
        const auto tree = cut(Luck::some);
        EXPECT_TRUE(tree == cut(Luck::none) || tree == cut(Luck::all));
    }
    path("syncdir", "");
    EXPECT_EQ(cut(Luck::none), (Tree{{"a", "new"}}));
}

TEST_F(ReplayOf, ANewDirectoryIsLostWithWhatIsInItUntilTheOneAboveIsSynced) {
    path("mkdir", "d");
    create(1, "d/a");
    inode("fsync", 1);
    path("syncdir", "d");
    EXPECT_EQ(cut(Luck::none), Tree{});
    path("syncdir", "");
    EXPECT_EQ(cut(Luck::none), (Tree{{"d", std::nullopt}, {"d/a", ""}}));
    path("unlink", "d/a");
    EXPECT_EQ(cut(Luck::none), (Tree{{"d", std::nullopt}, {"d/a", ""}}));
    EXPECT_EQ(cut(Luck::all), (Tree{{"d", std::nullopt}}));
}

TEST_F(ReplayOf, WhatAFailedFsyncLostDoesNotComeBackWithTheNextOne) {
    create(1, "a");
    path("syncdir", "");
    write(1, 0, "first");
    inode("failed", 1);
    write(1, 5, "second");
    inode("fsync", 1);
    EXPECT_EQ(cut(Luck::none), (Tree{{"a", std::string(5, '\0') + "second"}}));
    EXPECT_EQ(cut(Luck::all), cut(Luck::none));
}

TEST_F(ReplayOf, SomeLuckLeavesDifferentThings) {
    create(1, "a");
    create(2, "b");
    write(1, 0, "x");
    write(2, 0, "y");
    std::map<Tree, int> seen;
    for (int n = 0; n < 100; ++n) ++seen[cut(Luck::some)];
    EXPECT_GT(seen.size(), 4u);
    EXPECT_FALSE(seen.contains(Tree{{"b", "y"}})); // a's name came first
}

} // namespace
} // namespace squall::faults
