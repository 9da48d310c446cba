#include <gtest/gtest.h>

#include "squall/io_words.hpp"

namespace squall::io {
namespace {

TEST(Words, OneThatIsNearIsGuessed) {
    EXPECT_EQ(near_word("time_stp", {"duration", "time_step", "name"}), "time_step");
    EXPECT_EQ(near_word("timestep", {"duration", "time_step"}), "time_step");
    EXPECT_EQ(near_word("maen", {"min", "mean"}), "mean"); // neighbours exchanged
    EXPECT_EQ(near_word("defalte", {"none", "deflate"}), "deflate");
    EXPECT_EQ(near_word("THETA", {"eta", "theta"}), "theta");
    EXPECT_EQ(near_word("121", {"none", "1-2-1"}), "1-2-1");
    EXPECT_EQ(near_word("PHP", {"P", "PH", "T"}), "PH");
    EXPECT_EQ(near_word("nune", {"none", "kim-arakawa"}), "none");
}

TEST(Words, OneThatBeginsSoIsGuessedFirst) {
    EXPECT_EQ(near_word("kim", {"none", "kit", "kim-arakawa"}), "kim-arakawa");
    EXPECT_EQ(near_word("wind", {"windy_day", "winds", "mind"}), "winds");
    EXPECT_EQ(near_word("k", {"kim-arakawa"}), "");
}

TEST(Words, OneThatIsFarIsNotGuessed) {
    for (const char *word : {"sponge", "sponges", "x", "", "-", "drain", "moon"})
        EXPECT_EQ(near_word(word, {"free-drainage", "underground", "output", "thread", "y"}), "") << word;
    EXPECT_EQ(near_word("abcdef", {"abcxyz"}), "");       // three of six differ
    EXPECT_EQ(near_word("abcdef", {"abcdxy"}), "abcdxy"); // a third of them
    EXPECT_EQ(near_word("word", {}), "");
}

TEST(Words, AMessageNamesANearOneOrAll) {
    const std::vector<std::string> known = {"shard", "chunk"};
    EXPECT_EQ(near_or_all("shrad", known), "did you mean \"shard\"?");
    EXPECT_EQ(near_or_all("moon", known), "choose one of: shard, chunk");
    EXPECT_EQ(near_or_all("moon", {}), "there are none");
    EXPECT_EQ(near_and_all("shrad", known), "did you mean \"shard\"? (choose one of: shard, chunk)");
    EXPECT_EQ(near_and_all("moon", known), "choose one of: shard, chunk");
}

} // namespace
} // namespace squall::io
