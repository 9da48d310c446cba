#include <gtest/gtest.h>

#include "output/history.hpp"
#include "output/restart.hpp"

namespace squall {
namespace {

TEST(HistorySelection, AnUnknownFieldNamesTheNearest) {
    StreamConfig stream;
    stream.name = "history";
    stream.line = 12;
    stream.fields = {"U", "PHP"};
    try {
        select_history_fields(stream, "case.toml");
        FAIL() << "accepted";
    } catch (const ConfigError &e) {
        EXPECT_STREQ(e.what(),
                     "case.toml:12: output.history.fields: there is no field \"PHP\"; did you mean \"PH\"?");
    }
}

TEST(HistorySelection, BytesOfAFrameAreThoseOfItsFields) {
    StreamConfig stream;
    stream.fields = {"U"}; // and its latitude and longitude, Times, XTIME and ITIMESTEP
    EXPECT_EQ(history_frame_bytes(stream, "", 10, 20, 5), 4 * (11 * 20 * 5 + 2 * 11 * 20) + 19 + 8 + 4);
}

TEST(RestartSize, CountsEveryPointOfTheState) {
    const double points = 11 * 20 * 5 + 10 * 21 * 5 + 10 * 20 * 5 + 2 * 10 * 20 * 6 + 10 * 20 + 6;
    EXPECT_EQ(restart_frame_bytes(10, 20, 5), points * sizeof(real) + 12);
}

} // namespace
} // namespace squall
