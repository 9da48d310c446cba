#include <gtest/gtest.h>

#include "output/frame_size.hpp"
#include "output/history.hpp"
#include "output/restart.hpp"
#include "output/subset.hpp"

namespace squall {
namespace {

TEST(HistorySelection, AnUnknownFieldNamesTheNearest) {
    StreamConfig stream;
    stream.name = "history";
    stream.line = 12;
    stream.fields = {"U", "PHP"};
    try {
        Config config;
        config.file = "case.toml";
        select_history_fields(stream, config);
        FAIL() << "accepted";
    } catch (const ConfigError &e) {
        EXPECT_STREQ(e.what(),
                     "case.toml:12: output.history.fields: there is no field \"PHP\"; did you mean \"PH\"?");
    }
}

Config domain_of(int nx, int ny, int nz) {
    Config config;
    config.domain.nx = nx, config.domain.ny = ny, config.domain.nz = nz;
    return config;
}

StreamConfig stream_of(const std::string &name) {
    StreamConfig stream;
    stream.name = name;
    stream.placement = "inline";
    return stream;
}

TEST(FrameSize, OfAHistoryIsThatOfItsFields) {
    StreamConfig stream = stream_of("history");
    stream.fields = {"U"}; // and its latitude and longitude, Times, XTIME and ITIMESTEP
    EXPECT_EQ(stored_bytes(history_spec(stream, domain_of(10, 20, 5))),
              4 * (11 * 20 * 5 + 2 * 11 * 20) + 19 + 8 + 4);
}

TEST(FrameSize, OfARestartIsEveryPointOfTheState) {
    const double points = 11 * 20 * 5 + 10 * 21 * 5 + 10 * 20 * 5 + 2 * 10 * 20 * 6 + 10 * 20 + 6;
    EXPECT_EQ(stored_bytes(restart_spec(stream_of("restart"), domain_of(10, 20, 5))),
              points * sizeof(real) + 12);
}

TEST(FrameSize, PackingAndSubsetsMakeFramesSmaller) {
    StreamConfig stream = stream_of("history");
    stream.fields = {"W"}; // and XLAT, XLONG
    stream.region = {2, 8, 0, 19};
    stream.stride = 2;
    stream.levels = {1, 3};
    stream.precision["W"] = {io::Precision::Kind::packed, 0, -10, 10};
    const auto spec = history_spec(stream, domain_of(10, 20, 5));
    EXPECT_EQ(stored_bytes(spec), 2 * 3 * 10 * 4 + 4 * 2 * 3 * 10 + 31);
    EXPECT_EQ(staged_bytes(spec, {4, 6, 5}),
              4 * 2 * 3 * 4 + 4 * 2 * 2 * 3 + 31); // of a patch of 4 x 6 columns
}

TEST(Subsets, StaggeredDimensionsStayOneLonger) {
    StreamConfig stream;
    stream.region = {3, 12, 4, 4};
    stream.stride = 4;
    stream.levels = {1, 8, 3};
    const Subset s = Subset::make(stream, 20, 5, 10);
    EXPECT_EQ(s.x.cells(), 2); // cells 3 and 7 between faces 3, 7 and 11; 11 and 12 make no whole block
    EXPECT_EQ(s.y.cells(), 1);
    EXPECT_EQ(s.z.cells(), 2);
    const auto list = s.selections();
    ASSERT_EQ(list.size(), 6u);
    EXPECT_EQ(list[0].dimension, "west_east");
    EXPECT_EQ(list[0].start, 3);
    EXPECT_EQ(list[0].stop, 11);
    EXPECT_EQ(list[1].dimension, "west_east_stag");
    EXPECT_EQ(list[1].stop, 12);
    EXPECT_EQ(list[3].stop, 6);
    EXPECT_TRUE(Subset::make(StreamConfig{}, 20, 5, 10).everything(20, 5, 10));
}

TEST(HistorySelection, PrecisionOfAFieldThatIsNotWrittenIsRefused) {
    StreamConfig stream = stream_of("history");
    stream.fields = {"U"};
    stream.precision["V"] = {io::Precision::Kind::absolute, 0.1, 0, 0};
    EXPECT_THROW(history_spec(stream, domain_of(10, 20, 5)), ConfigError);
}

} // namespace
} // namespace squall
