#include <algorithm>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "fake_wrfinput.hpp"
#include "output/carried.hpp"
#include "output/frame_size.hpp"
#include "output/history_attributes.hpp"
#include "output/history_declaration.hpp"
#include "output/restart.hpp"
#include "output/subset.hpp"
#include "output_case.hpp"

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

TEST(HistoryAttributes, NumberTheSchemesAsWrfDoes) {
    auto c = test::output_case(0, 1, 1, "runs/x");
    auto &p = c.config.physics;
    p.microphysics = "thompson", p.radiation = "rrtmgp", p.surface_layer = "revised-mm5", p.land = "noah";
    p.boundary_layer = "ysu", p.cumulus = "kain-fritsch";
    const auto numbers = [&] {
        const Subset whole = Subset::make({}, test::out_nx, test::out_ny, test::out_nz);
        std::map<std::string, int> found;
        for (const auto &[name, value] : history_attributes(c.config, whole, c.grid))
            if (name.ends_with("_PHYSICS")) found[name] = std::get<std::vector<std::int32_t>>(value).at(0);
        return found;
    };
    EXPECT_EQ(numbers(), (std::map<std::string, int>{{"BL_PBL_PHYSICS", 1},
                                                     {"CU_PHYSICS", 1},
                                                     {"MP_PHYSICS", 8},
                                                     {"RA_LW_PHYSICS", 4},
                                                     {"RA_SW_PHYSICS", 4},
                                                     {"SF_OCEAN_PHYSICS", 0},
                                                     {"SF_SFCLAY_PHYSICS", 1},
                                                     {"SF_SURFACE_PHYSICS", 2}}));
    p.radiation = "broadband";
    EXPECT_EQ(numbers().at("RA_LW_PHYSICS"), 1);
    EXPECT_EQ(numbers().at("RA_SW_PHYSICS"), 1);
    c.config.physics = {};
    c.config.physics.boundary_layer = "bulk"; // which WRF does not have
    for (const auto &[name, number] : numbers()) EXPECT_EQ(number, 0) << name;
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
              points * sizeof(real) + 12 + 8 * 25); // the step, and the account of the budget
}

TEST(FrameSize, OfARestartARankStagesItsPatchOfEachDomain) {
    Config outer = domain_of(20, 30, 5);
    NestConfig nest;
    nest.name = "inner", nest.i_parent_start = nest.j_parent_start = 5, nest.nx = 24, nest.ny = 18;
    outer.nests = {nest};
    const auto bytes = [](int nx, int ny) { // of the state, and of its levels
        return sizeof(real) *
               double((nx + 1) * ny * 5 + nx * (ny + 1) * 5 + nx * ny * 5 + 2 * nx * ny * 6 + nx * ny + 6);
    };
    const auto spec = restart_spec(stream_of("restart"), outer);
    const double rest = stored_bytes(spec) - bytes(20, 30) - bytes(24, 18); // numbers of the run
    EXPECT_LT(rest, 1000);
    EXPECT_EQ(staged_bytes(spec, {{10, 15, 5}, {12, 9, 5}}), bytes(10, 15) + bytes(12, 9) + rest);
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
    EXPECT_EQ(staged_bytes(spec, {{4, 6, 5}}),
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

std::vector<std::string> names_of(const std::vector<HistoryField> &fields) {
    std::vector<std::string> names;
    for (const auto &f : fields) names.push_back(f.name);
    return names;
}

bool has(const std::vector<std::string> &names, const std::string &name) {
    return std::ranges::find(names, name) != names.end();
}

TEST(HistoryFields, OfAMoistRunAreItsWaterRainAndBothThetas) {
    Config config = domain_of(10, 20, 5);
    config.physics.microphysics = "wsm6";
    auto names = names_of(history_fields(config));
    for (const char *name : {"T", "THM", "QVAPOR", "QCLOUD", "QRAIN", "QICE", "QSNOW", "QGRAUP", "RAINNC",
                             "SNOWNC", "GRAUPELNC", "H_DIABATIC", "AL"})
        EXPECT_TRUE(has(names, name)) << name;
    const auto unasked = names_of(select_history_fields(stream_of("history"), config));
    EXPECT_TRUE(has(unasked, "QGRAUP"));
    EXPECT_FALSE(has(unasked, "H_DIABATIC")) << "only where it is asked for";
    config.physics.microphysics = "kessler";
    config.dynamics.moist_theta = false;
    names = names_of(history_fields(config));
    EXPECT_FALSE(has(names, "THM"));
    EXPECT_FALSE(has(names, "QICE"));
    EXPECT_FALSE(has(names, "SNOWNC"));
    EXPECT_TRUE(has(names, "RAINNC"));
}

TEST(HistoryFields, WhatTheRunCannotDeriveIsRefusedWithWhatItLacks) {
    StreamConfig stream = stream_of("history");
    stream.fields = {"cape_mixed_layer"};
    Config config = domain_of(10, 20, 5);
    try {
        select_history_fields(stream, config);
        FAIL() << "accepted";
    } catch (const ConfigError &e) {
        EXPECT_NE(std::string(e.what()).find(
                      "\"cape_mixed_layer\" is derived from fields that the run does not have: water vapour"),
                  std::string::npos)
            << e.what();
    }
    config.physics.microphysics = "kessler";
    const auto names = names_of(select_history_fields(stream, config));
    EXPECT_EQ(names, (std::vector<std::string>{"XLAT", "XLONG", "cape_mixed_layer"}));
}

TEST(HistoryFields, DerivedOnesComeBesideThoseOfAHistoryThatNamesNone) {
    StreamConfig stream = stream_of("history");
    Config config = domain_of(10, 20, 5);
    const auto unasked = names_of(select_history_fields(stream, config));
    EXPECT_FALSE(has(unasked, "temperature"));
    stream.fields = {"default", "temperature"};
    auto names = names_of(select_history_fields(stream, config));
    EXPECT_EQ(names.size(), unasked.size() + 1);
    EXPECT_TRUE(has(names, "temperature"));
    for (const auto &words : {std::vector<std::string>{"default", "-W"}, {"-W"}}) {
        stream.fields = words;
        names = names_of(select_history_fields(stream, config));
        EXPECT_EQ(names.size(), unasked.size() - 1);
        EXPECT_FALSE(has(names, "W"));
    }
    stream.fields = {"derived"};
    names = names_of(select_history_fields(stream, config));
    EXPECT_TRUE(has(names, "vorticity"));
    EXPECT_TRUE(has(names, "W_UP_MAX"));
    EXPECT_FALSE(has(names, "cape"));
    EXPECT_FALSE(has(names, "T"));
}

TEST(HistoryFields, WhatIsFollowedFromFrameToFrameIsInARestartForEachStream) {
    Config config = domain_of(10, 20, 5);
    for (const char *name : {"storms", "hourly"}) {
        config.streams.push_back(stream_of(name));
        config.streams.back().interval = 60;
        config.streams.back().fields = {"UP_HELI_MAX"};
    }
    const auto spec = restart_spec(stream_of("restart"), config);
    for (const char *name : {"storms.UP_HELI_MAX", "hourly.UP_HELI_MAX"})
        EXPECT_NE(std::ranges::find(spec.fields, name, &io::Field::name), spec.fields.end()) << name;
}

TEST(HistoryFields, ThatNeverChangeAreInEveryFrameOnlyWhereAFileHasOne) {
    StreamConfig stream = stream_of("history");
    const auto of_every_frame = [&](const char *name) {
        const auto spec = history_spec(stream, domain_of(10, 20, 5));
        return std::ranges::find(spec.fields, name, &io::Field::name)->per_frame;
    };
    EXPECT_TRUE(of_every_frame("PHB"));
    stream.frames_per_file = 10;
    for (const char *name : {"PHB", "XLAT", "ZNU", "P_TOP", "HGT"})
        EXPECT_FALSE(of_every_frame(name)) << name;
    for (const char *name : {"PH", "U", "PSFC", "MU"}) EXPECT_TRUE(of_every_frame(name)) << name;
    stream.constants = "every-frame";
    EXPECT_TRUE(of_every_frame("PHB"));
}

class CarriedGround : public testing::Test {
  protected:
    std::string path =
        testing::TempDir() + "wrfinput_ground_" +
        testing::UnitTest::GetInstance()->current_test_info()->name(); // one each: tests run side by side
    Config config = domain_of(6, 5, 4);

    CarriedGround() {
        testing_support::FakeInput input;
        input.dimensions["soil_layers_stag"] = 3;
        input.plane("TSK", [](int, int j, int i) { return 280 + j + 0.1 * i; });
        input.plane("T2", [](int, int, int) { return 290; });
        input.volume(
            "TSLB", [](int k, int j, int i) { return 270 + k + 0.1 * j + 0.01 * i; }, "soil_layers_stag");
        input.variables["ZS"] = {{"soil_layers_stag"}, [](int, int, int k) { return 0.5 * k; }};
        config.initial.file = input.write(path);
    }
    ~CarriedGround() override { std::filesystem::remove(path); }
};

TEST_F(CarriedGround, IsInTheHistoryAndTheAirAtTwoMetresIsNot) {
    const auto fields = history_fields(config);
    const auto names = names_of(fields);
    for (const char *name : {"TSK", "TSLB", "ZS"}) EXPECT_TRUE(has(names, name)) << name;
    EXPECT_FALSE(has(names, "T2")) << "would be the air of the start in every frame";
    EXPECT_EQ(std::ranges::count(names, "HGT"), 1) << "the model's own";
    StreamConfig stream = stream_of("history");
    stream.fields = {"TSLB"};
    const auto spec = history_spec(stream, config);
    const auto soil = std::ranges::find(spec.fields, "TSLB", &io::Field::name);
    ASSERT_NE(soil, spec.fields.end());
    EXPECT_EQ(soil->dimensions, (std::vector<std::string>{"soil_layers_stag", "south_north", "west_east"}));
    EXPECT_EQ(std::ranges::find(spec.dimensions, "soil_layers_stag", &io::Dimension::name)->size, 3);
    EXPECT_EQ(std::ranges::find(spec.fields, "TSK", &io::Field::name), spec.fields.end());
}

TEST_F(CarriedGround, IsTheFilesOnEveryPatch) {
    const auto fields = carried_fields(config, {});
    for (int rank = 0; rank < 2; ++rank) {
        const Patch patch = make_patch(rank, 2, 1, 6, 5, 4, {});
        const Carried carried(config, patch, fields);
        const auto *soil = static_cast<const float *>(carried.points("TSLB").data);
        const auto *skin = static_cast<const float *>(carried.points("TSK").data);
        const int nx = patch.shape.nx;
        for (int j = 0; j < 5; ++j)
            for (int i = 0; i < nx; ++i) {
                const int x = patch.x0 + i;
                EXPECT_EQ(skin[j * nx + i], float(280 + j + 0.1 * x));
                for (int k = 0; k < 3; ++k)
                    EXPECT_EQ(soil[(k * 5 + j) * nx + i], float(270 + k + 0.1 * j + 0.01 * x));
            }
    }
}

} // namespace
} // namespace squall
