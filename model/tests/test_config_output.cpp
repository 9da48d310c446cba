// Run files: what they say of output, and how each kind of mistake is refused.
#include <gtest/gtest.h>

#include "run_file_case.hpp"
#include "squall/io.hpp"

namespace squall {
namespace {

using namespace run_file_case;

TEST(RunFile, FilesOfAStreamHaveDifferentNames) {
    EXPECT_HAS(refusal(valid + "path = \"history.nc\"\n"),
               "output.history.path = \"history.nc\" gives several files the name \"history.nc\"");
    EXPECT_HAS(refusal(valid + "path = \"history_%H.nc\"\n"), "the name \"history_00.nc\"");
    EXPECT_EQ(refusal(valid + "path = \"history.nc\"\nframes_per_file = 4\n"), "accepted");
    EXPECT_HAS(refusal(valid + "path = \"../history_%H%M.nc\"\n"), "must be a file below run.directory");
    EXPECT_HAS(refusal(valid + "path = \"/tmp/history_%H%M.nc\"\n"), "must be a file below run.directory");
    EXPECT_HAS(refusal(valid + "path = \"\"\n"), "must be a file below run.directory");
    EXPECT_HAS(refusal(valid + "path = \"history_%Q.nc\"\n"), "output.history.path: ");
    const std::string both = valid + "path = \"a_%H%M.nc\"\n[output.restart]\ninterval = \"5 min\"\n";
    EXPECT_EQ(refusal(both), "accepted");
    EXPECT_HAS(refusal(both + "path = \"a_%H%M.nc\"\n"),
               "output.restart.path = \"a_%H%M.nc\" is also the path of output.history");
}

TEST(RunFile, AStreamOfAnyOtherNameIsAHistory) {
    const Config config =
        read(valid + "[output.surface]\ninterval = \"1 min\"\n[output.history2]\ninterval = \"1 s\"\n");
    ASSERT_EQ(config.streams.size(), 3u);
    EXPECT_EQ(config.streams[1].name, "history2");
    EXPECT_EQ(config.streams[2].path, "surface_%Y-%m-%d_%H:%M:%S.nc");
    EXPECT_HAS(refusal(valid + "[output.\"a/b\"]\ninterval = \"1 s\"\n"),
               "\"a/b\" is not a valid stream name");
    EXPECT_HAS(refusal(valid + "[output.surface]\nfields = [\"U\"]\n"),
               "key \"interval\" is missing in [output.surface]");
}

TEST(RunFile, WhoWritesIsSetForAllStreams) {
    const Config config =
        read(with(valid, "[output.history]",
                  "[output]\nservers = 4\ngroups = 2\nwatchdog = \"5 min\"\n[output.history]"));
    EXPECT_EQ(config.output.servers, 4);
    EXPECT_EQ(config.output.groups, 2);
    EXPECT_EQ(config.output.watchdog, 300);
    EXPECT_EQ(config.output.timeout, 0);
    EXPECT_EQ(read(valid, {"output.servers_per_node=1"}).output.servers_per_node, 1);
    EXPECT_HAS(refusal(valid, {"output.servrs=1"}),
               "unknown key \"servrs\" in [output]; did you mean \"servers\"?");
    EXPECT_HAS(refusal(valid, {"output.interval=1 s"}), "it is a key of [output.<stream>]");
    EXPECT_HAS(refusal(valid, {"output.servers=1", "output.servers_per_node=1"}), "exclude each other");
    EXPECT_HAS(refusal(valid, {"output.servers=1", "output.groups=2"}), "at most 1 groups are possible");
    EXPECT_HAS(refusal(valid, {"output.groups=2"}), "output.groups has no effect without output.servers");
}

TEST(RunFile, AStreamSaysHowItIsWritten) {
    const StreamConfig stream = read(valid + R"(codec = "deflate:4"
placement = "thread"
options = { format = "netcdf4" }
staging_limit = "64 MB"
when_full = "spill"
spill_dir = "/tmp/spill"
burst_dir = "/tmp/burst"
on_error = "continue"
)")
                                    .streams[0];
    EXPECT_EQ(stream.codec, "deflate:4");
    EXPECT_EQ(stream.placement, "thread");
    EXPECT_EQ(stream.options, (std::map<std::string, std::string>{{"format", "netcdf4"}}));
    EXPECT_EQ(stream.staging_limit, 64e6);
    EXPECT_EQ(stream.when_full, "spill");
    EXPECT_EQ(stream.spill_dir, "/tmp/spill");
    EXPECT_EQ(stream.burst_dir, "/tmp/burst");
    EXPECT_EQ(stream.on_error, "continue");
    EXPECT_EQ(read(valid).streams[0].placement, ""); // chosen when the run starts
    EXPECT_EQ(read(valid).streams[0].staging_limit, 512e6);
}

TEST(RunFile, AWayOfWritingThatCannotBeIsRefusedWithItsLine) {
    EXPECT_HAS(refusal(valid + "staging_limit = 5\n"),
               "output.history.staging_limit: 5 has no unit; expected a size in B, kB, MB or GB");
    EXPECT_HAS(refusal(valid + "staging_limit = \"5 m\"\n"), "\"5 m\" is a length");
    EXPECT_HAS(refusal(valid + "placement = \"servers\"\n"),
               "foo.toml:28:13: output.history.placement = \"servers\", but no ranks are set aside");
    EXPECT_HAS(refusal(valid + "when_full = \"spill\"\n"), "needs spill_dir");
    EXPECT_HAS(refusal(valid + "spill_dir = \"/tmp\"\n"), "has no effect without when_full");
    EXPECT_HAS(refusal(valid + "when_full = \"drop\"\n"), "unknown value \"drop\"");
    EXPECT_HAS(refusal(valid + "codec = \"defalte:4\"\n"),
               "has no codec \"defalte\"; did you mean \"deflate\"?");
    EXPECT_HAS(refusal(valid + "options = [\"a\"]\n"), "output.history.options: a list is not a table");
    EXPECT_HAS(refusal(valid + "options = { format = \"netcdf-4\" }\n"), "did you mean \"netcdf4\"?");
    EXPECT_HAS(refusal(valid + "options = { fast = true }\n"), "engine netcdf has no option \"fast\"");
}

TEST(RunFile, AMissingEngineSaysWhy) {
    for (const auto &engine : io::engine_infos())
        if (!engine.missing.empty()) {
            EXPECT_HAS(refusal(valid + "engine = \"" + engine.name + "\"\n"),
                       "is not in this build: " + engine.missing);
        }
}

TEST(RunFile, EnginesNameTheirFiles) {
    for (const auto &[engine, path] :
         {std::pair{"zarr", "history_%Y-%m-%d_%H:%M:%S.zarr"}, {"adios", "history_%Y-%m-%d_%H:%M:%S.bp"}}) {
        const auto built = io::engines();
        if (std::ranges::find(built, engine) == built.end()) continue;
        EXPECT_EQ(read(valid + "engine = \"" + engine + "\"\n").streams[0].path, path);
    }
}

TEST(RunFile, AStreamKeepsAPartOfTheDomain) {
    const StreamConfig stream =
        read(valid + "levels = [0, 39, 4]\nregion = [10, 19, 0, 0]\nstride = 2\n").streams[0];
    EXPECT_EQ(stream.levels, (std::vector{0, 39, 4}));
    EXPECT_EQ(stream.region, (std::vector{10, 19, 0, 0}));
    EXPECT_EQ(stream.stride, 2);
    EXPECT_HAS(refusal(valid + "levels = [3]\n"),
               "output.history.levels has 1 numbers; expected first and last layer");
    EXPECT_HAS(refusal(valid + "levels = [0, 64]\n"),
               "layers 0 to 64 are out of range; indices go from 0 to 63");
    EXPECT_HAS(refusal(valid + "levels = [0, 5, 7]\n"), "a stride of 7 is out of range for 6 layers");
    EXPECT_HAS(refusal(valid + "region = [0, 9, 0, 1]\n"),
               "cells from south to north 0 to 1 are out of range");
    EXPECT_HAS(refusal(valid + "region = [0, 9]\n"), "output.history.region has 2 numbers");
    EXPECT_HAS(refusal(valid + "stride = 513\n"), "is more than the 512 cells");
}

TEST(RunFile, PrecisionIsGivenFieldByField) {
    const auto precision =
        read(valid +
             "precision = { T = \"absolute 0.01\", U = \"relative 1e-3\", QVAPOR = \"packed 0 0.04\" }\n")
            .streams[0]
            .precision;
    ASSERT_EQ(precision.size(), 3u);
    EXPECT_EQ(precision.at("T").kind, io::Precision::Kind::absolute);
    EXPECT_EQ(precision.at("T").bound, 0.01);
    EXPECT_EQ(precision.at("U").kind, io::Precision::Kind::relative);
    EXPECT_EQ(precision.at("QVAPOR").high, 0.04);
    for (const char *wrong : {"about 3", "absolute", "absolute -1", "relative 1e-3 K", "packed 4 2"})
        EXPECT_HAS(refusal(valid + "precision = { T = \"" + wrong + "\" }\n"),
                   "output.history.precision: \"" + std::string(wrong) + "\" is not a precision");
}

TEST(RunFile, ARestartIsWhole) {
    const std::string restart = valid + "[output.restart]\ninterval = \"1 min\"\n";
    EXPECT_EQ(refusal(restart), "accepted");
    for (const char *key :
         {"fields = [\"U\"]", "levels = [0, 3]", "stride = 2", "precision = { U = \"relative 1e-3\" }"})
        EXPECT_HAS(refusal(restart + key + "\n"), "a restart needs all fields");
}

} // namespace
} // namespace squall
