/// Points, and letters about them, that do not come to servers by messages: the frame fails, at the deadline,
/// with the words who lacks whose points; nothing else does, and nobody hangs.

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "trial.hpp"

namespace squall::faults {
namespace {

using Settings = std::map<std::string, std::string>;

Settings by_messages(int servers, Settings more = {}) {
    more.insert({{"placement", "servers"},
                 {"servers", std::to_string(servers)},
                 {"shared_memory", "0"},
                 {"on_error", "continue"},
                 {"nx", "64"},
                 {"timeout", "5"}});
    return more;
}

/// One frame failed, as said, and the others are there.
void expect_one_lost(const Trial &trial, const std::string &why) {
    EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
    EXPECT_FALSE(trial.hung()) << trial.ended.said;
    EXPECT_TRUE(trial.says(why)) << trial.ended.said;
    EXPECT_EQ(trial.counted("failed"), 1) << trial.ended.said;
    EXPECT_EQ(trial.visible().size(), 5U) << trial.ended.said;
}

TEST(LostPoints, ThatAServerReceivesInVainFailTheirFrameWithTheNameOfWhoHasThem) {
    Trial trial("lost_received");
    trial.go(3, "rank=2 call=receive above=1000 nth=5 do=drop", by_messages(1));
    expect_one_lost(
        trial, "on I/O server rank 2: points from computing rank 0 have not arrived for 5 s, longer than "
               "timeout; see what that rank is doing");
}

TEST(LostPoints, DoNotMakeServersThatHaveTheirsGiveUpTheGroup) {
    Trial trial("lost_of_two");
    trial.go(4, "rank=3 call=receive above=1000 nth=5 do=drop", by_messages(2, {{"rows", "1"}}));
    expect_one_lost(trial, "on I/O server rank 3: points from computing rank ");
}

TEST(LostPoints, GiveTheirRoomBackToFramesThatComeAfter) {
    Trial trial("lost_room");
    trial.go(2, "rank=1 call=receive above=1000 nth=3 do=drop", by_messages(1, {{"staging_limit", "49152"}}));
    expect_one_lost(trial, "on I/O server rank 1: points from computing rank 0 have not arrived");
}

TEST(LostPoints, ThatNeverLeftTheirRankDoNotKeepItFromItsEnd) {
    Trial trial("lost_sent");
    // The letters of the stream, of the fixed fields and of the first frame go before.
    trial.go(2, "rank=0 call=send above=2000 nth=3 do=drop", by_messages(1));
    expect_one_lost(trial, "on I/O server rank 1: points from computing rank 0 have not arrived");
}

TEST(LostPoints, OfARankThatStoodStillAreReceivedAllTheSameAndDropped) {
    Trial trial("lost_late");
    trial.go(3, "rank=1 call=send above=2000 nth=2 do=delay seconds=5", by_messages(1, {{"timeout", "2"}}));
    EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
    EXPECT_FALSE(trial.hung()) << trial.ended.said;
    EXPECT_TRUE(trial.says("points from computing rank 1 have not arrived for 2 s")) << trial.ended.said;
    const int failed = trial.counted("failed");
    EXPECT_GT(failed, 0) << trial.ended.said;
    EXPECT_EQ(std::ssize(trial.visible()), 6 - failed) << trial.ended.said;
}

/// The first letters of a rank: plans, the fields fixed in time, a frame. Others are heard before it is
/// missed.
TEST(LossMessages, NeverLeadToFramesWithoutTheirPoints) {
    for (int nth = 1; nth <= 4; ++nth) {
        Trial trial("loss_message");
        trial.go(4, "rank=1 call=send nth=" + std::to_string(nth) + " do=drop",
                 by_messages(2, {{"timeout", "1"}}));
        EXPECT_TRUE(trial.counted("failed") > 0 || trial.ended.code != 0) << nth << trial.ended.said;
        trial.visible(); // whole
    }
}

/// Whose verdict on a frame is lost cannot go on with the others, and says so.
TEST(LossMessages, BetweenServersOfAGroupMakeOthersTakeOver) {
    for (int nth = 1; nth <= 5; ++nth) {
        Trial trial("lost_verdict");
        trial.go(3, fmt::format("rank=1 call=send nth={} do=drop", nth),
                 {{"engine", "netcdf"},
                  {"placement", "servers"},
                  {"servers", "2"},
                  {"on_lost_server", "take-over"},
                  {"frames_per_file", "3"},
                  {"timeout", "3"}});
        EXPECT_TRUE(trial.fired()) << nth;
        EXPECT_FALSE(trial.hung()) << nth << trial.ended.said;
        EXPECT_TRUE(trial.says("others take over the remaining writes")) << nth << trial.ended.said;
        EXPECT_EQ(trial.ended.code, 0) << nth << trial.ended.said;
        EXPECT_FALSE(trial.visible().empty()) << nth; // whole
    }
}

/// Later frames would be stored without the one that all are not ready for, and who hears that they are done
/// would take it for done, too.
TEST(LossMessages, ThatAFrameIsReadyDoNotLeaveItOut) {
    for (const int nth : {2, 3}) {
        Trial trial("lost_readiness");
        trial.go(3, fmt::format("rank=2 call=send nth={} do=drop", nth),
                 {{"engine", "netcdf"},
                  {"placement", "servers"},
                  {"servers", "2"},
                  {"on_lost_server", "take-over"},
                  {"timeout", "3"}});
        EXPECT_TRUE(trial.says("to be ready for a frame or file is lost")) << nth << trial.ended.said;
        EXPECT_EQ(trial.ended.code, 0) << nth << trial.ended.said;
        EXPECT_EQ(trial.visible(), (std::vector{0, 1, 2, 3, 4, 5})) << nth << trial.ended.said;
    }
}

/// One that has begun to come and does not end: the server that others replace must not wait for it in the
/// end.
TEST(LossMessages, BetweenServersDoNotKeepThemFromTheirEnd) {
    Trial trial("half_received");
    trial.go(3, "rank=1 call=receive nth=2 do=drop",
             {{"engine", "netcdf"},
              {"placement", "servers"},
              {"servers", "2"},
              {"on_lost_server", "take-over"},
              {"timeout", "3"}});
    EXPECT_TRUE(trial.fired());
    EXPECT_FALSE(trial.hung()) << trial.ended.said;
    EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
    EXPECT_EQ(trial.visible(), (std::vector{0, 1, 2, 3, 4, 5})) << trial.ended.said;
}

/// Rank 1 lacks the answer to the last frame and finds its server silent when rank 0 has stored all. Rank 0
/// may close the session without having read rank 1's word of it: here it never gets it.
TEST(LossMessages, ReachServersWithoutTheFirstRank) {
    Trial trial("loss_at_end");
    // Sends of rank 1: 2 plans, the fixed fields, 6 frames, the stream's end, the loss to rank 0. A delay
    // makes rank 0 the first whom the server answers about the last frame, another lets it wait for longer
    // than rank 1.
    trial.go(3,
             "rank=1 call=send nth=9 do=delay seconds=0.3;rank=2 call=send nth=14 do=drop;"
             "rank=1 call=send nth=11 do=drop;rank=0 call=collective nth=8 do=delay seconds=2",
             {{"engine", "null"}, {"placement", "servers"}, {"servers", "1"}, {"timeout", "3"}});
    EXPECT_FALSE(trial.hung()) << trial.ended.said;
    EXPECT_NE(trial.told(1).find("I/O server rank 2 has not responded"), std::string::npos) << trial.told(1);
    EXPECT_TRUE(trial.says("the computing ranks continue without this I/O server")) << trial.ended.said;
}

/// Whom the word does not reach which frame comes next would store another one with them: halves of two,
/// whole by its checksum.
TEST(LossMessages, BetweenWritersDoNotMixTwoFrames) {
    int given_up = 0;
    for (int nth = 1; nth <= 6; ++nth) {
        Trial trial("lost_turn");
        trial.go(2, fmt::format("rank=0 call=send nth={} do=drop", nth),
                 {{"engine", "netcdf"}, {"placement", "thread"}, {"on_error", "continue"}, {"timeout", "2"}});
        EXPECT_FALSE(trial.hung()) << nth << trial.ended.said;
        given_up += trial.ended.code != 0;
        trial.visible(); // whole
    }
    EXPECT_GT(given_up, 0);
}

} // namespace
} // namespace squall::faults
