#include <gtest/gtest.h>

#include <cmath>

#include "run/plan.hpp"

namespace squall {
namespace {

/// Five days of the baroclinic wave, with history every 6 hours and restart every 2 days.
Config wave() {
    Config c;
    c.file = "wave.toml";
    c.run.name = "wave";
    c.run.directory = "runs/wave";
    c.run.duration = 5 * 86400;
    c.run.time_step = 600;
    c.run.acoustic_substeps = 4;
    c.domain.nx = 40, c.domain.ny = 81, c.domain.nz = 64;
    c.domain.dx = c.domain.dy = 100e3;
    c.domain.boundaries.south = c.domain.boundaries.north = Boundary::symmetric;
    StreamConfig history;
    history.name = "history";
    history.interval = 6 * 3600;
    history.path = "wrfout_d01_%Y-%m-%d_%H:%M:%S";
    history.frames_per_file = 4;
    StreamConfig restart = history, off = history;
    restart.name = "restart";
    restart.interval = 2 * 86400;
    restart.path = "restart_%Y-%m-%d";
    restart.frames_per_file = 1;
    off.name = "stations";
    off.interval = 0;
    c.streams = {history, restart, off};
    return c;
}

PlanFacts facts() {
    PlanFacts f;
    f.ranks = 4;
    f.threads = 2;
    f.l2_bytes = std::size_t(1) << 20;
    f.wind = 60;
    f.patch_bytes = [](const Config &, Shape s) {
        return std::size_t(s.nx) * std::size_t(s.ny) * std::size_t(s.nz) * 100;
    };
    f.streams = {{"history", "thread", 4e6, 1e6, true}, {"restart", "servers", 9e6, 2.5e6, false}};
    return f;
}

TEST(Plan, SplitsTheDomainAsTheRunWould) {
    const Plan p = make_plan(wave(), facts());
    EXPECT_EQ(p.decomposition.px, 1);
    EXPECT_EQ(p.decomposition.py, 4);
    EXPECT_EQ(p.decomposition.smallest.ny, 20);
    EXPECT_EQ(p.decomposition.largest.ny, 21);
    EXPECT_NEAR(p.decomposition.halo_share, 46. * 27 / (40 * 21) - 1, 1e-12);
    EXPECT_EQ(p.bytes_per_rank, 40u * 21 * 64 * 100);
    Config c = wave();
    c.parallel.ranks_x = 3;
    EXPECT_THROW(make_plan(c, facts()), std::invalid_argument);
}

TEST(Plan, TilesAsPrescribed) {
    Config c = wave();
    c.parallel.tile_x = 20;
    c.parallel.tile_y = 7;
    EXPECT_EQ(make_plan(c, facts()).decomposition.tiles, 6u);
}

TEST(Plan, ComparesTheStepWithItsLimits) {
    Plan p = make_plan(wave(), facts());
    EXPECT_EQ(p.step.steps, 720);
    EXPECT_NEAR(p.step.courant, 60 * 600 * std::sqrt(2.) / 100e3, 1e-12);
    EXPECT_NEAR(p.step.acoustic, 353 * 150 * std::sqrt(2.) / 100e3, 1e-12);
    EXPECT_TRUE(p.step.stable());
    EXPECT_DOUBLE_EQ(p.step.recommended_step, 600);
    EXPECT_EQ(p.step.recommended_substeps, 4);

    Config c = wave();
    c.run.time_step = 1200;
    p = make_plan(c, facts());
    EXPECT_FALSE(p.step.stable());
    EXPECT_EQ(p.step.recommended_substeps, 6);
    EXPECT_NE(format_plan(p).find("UNSTABLE"), std::string::npos);
}

TEST(Plan, FastWindShortensTheRecommendedStep) {
    PlanFacts f = facts();
    f.wind = 200;
    EXPECT_DOUBLE_EQ(make_plan(wave(), f).step.recommended_step, 400); // 0.8 * 1.42 / (200 sqrt(2) / 100 km)
}

TEST(Plan, CountsFramesAndNamesFiles) {
    const Plan p = make_plan(wave(), facts());
    ASSERT_EQ(p.streams.size(), 2u);
    EXPECT_EQ(p.streams[0].frames, 21); // with the initial state
    EXPECT_EQ(p.streams[0].files, 6);
    EXPECT_DOUBLE_EQ(p.streams[0].bytes(), 84e6);
    EXPECT_EQ(p.streams[0].first_file, "wrfout_d01_2000-01-01_00:00:00");
    EXPECT_EQ(p.streams[0].last_file, "wrfout_d01_2000-01-06_00:00:00");
    EXPECT_EQ(p.streams[1].frames, 2);
    EXPECT_EQ(p.streams[1].first_file, "restart_2000-01-03");
    EXPECT_EQ(p.streams[1].last_file, "restart_2000-01-05");
}

TEST(Plan, ARestartedRunWritesOnlyWhatIsLeft) {
    PlanFacts f = facts();
    f.begin = 2 * 86400;
    const Plan p = make_plan(wave(), f);
    EXPECT_EQ(p.step.steps, 432);
    EXPECT_EQ(p.streams[0].frames, 12);
    EXPECT_EQ(p.streams[0].first_file, "wrfout_d01_2000-01-03_06:00:00");
    EXPECT_EQ(p.streams[1].frames, 1);
}

TEST(Plan, SaysHowFastFramesMustBeStoredAndBySoManyServers) {
    PlanFacts f = facts();
    f.servers = 2;
    Plan p = make_plan(wave(), f);
    EXPECT_EQ(p.streams[0].steps, 36);
    EXPECT_NEAR(p.streams[0].seconds, 36 * 40. * 81 * 64 / (assumed_speed * 4 * 2), 1e-9);
    EXPECT_NEAR(p.streams[0].bandwidth(), 4e6 / p.streams[0].seconds, 1e-6);
    EXPECT_EQ(p.streams[0].servers(), 1);
    EXPECT_EQ(p.streams[0].server_bytes, 0); // of placement thread
    EXPECT_EQ(p.streams[1].server_bytes, 4.5e6);
    f.streams[0].bytes_per_frame = 10 * assumed_bandwidth * p.streams[0].seconds * 0.99;
    EXPECT_EQ(make_plan(wave(), f).streams[0].servers(), 10);
}

TEST(Plan, NamesALimitThatDoesNotHoldOneFrame) {
    PlanFacts f = facts();
    f.servers = 2;
    Config c = wave();
    c.streams[0].staging_limit = 0.9e6;
    c.streams[1].staging_limit = 4e6;
    std::string text = format_plan(make_plan(c, f));
    EXPECT_NE(
        text.find(
            "TOO LITTLE MEMORY: a frame needs 1.00 MB on a rank, more than staging_limit, 900 kB; raise "
            "it, or use more ranks\n"),
        std::string::npos)
        << text;
    EXPECT_NE(
        text.find(
            "TOO LITTLE MEMORY: a frame needs 4.50 MB on a server that does not share its ranks' memory, "
            "more than staging_limit, 4.00 MB; raise it, or use more servers\n"),
        std::string::npos)
        << text;
    c.streams[0].when_full = "spill";
    c.streams[1].staging_limit = 5e6;
    EXPECT_EQ(format_plan(make_plan(c, f)).find("TOO LITTLE"), std::string::npos);
}

TEST(Plan, AStreamOfUnknownSizeIsAnError) {
    PlanFacts f = facts();
    f.streams.pop_back();
    EXPECT_THROW(make_plan(wave(), f), std::invalid_argument);
}

TEST(Plan, PrintsOneAlignedPage) {
    PlanFacts known = facts();
    known.streams[1].encodable = {"auto", 0.62};
    const std::string text = format_plan(make_plan(wave(), known));
    for (const char *expected :
         {"run            wave (wave.toml); plan only, nothing is run\n",
          "domain         40 x 81 x 64 cells of 100 km x 100 km: 4000 km x 8100 km\n",
          "decomposition  4 ranks: 1 x 4 patches of 40 x 20 x 64 to 40 x 21 x 64 "
          "cells; the halo adds 48 % of columns\n",
          "time           720 steps of 600 s, 5 d in all: 2000-01-01 00:00:00 to 2000-01-06 00:00:00\n",
          "  advection    Courant number 0.51 at 60 m/s (assumed), limit 1.42: ok\n",
          "memory         5.38 MB per rank, at most 21.5 MB in total\n",
          "output         102 MB below runs/wave\n",
          "  history      21 frames of 4.00 MB, one every 6:00:00: 84.0 MB in 6 "
          "files; engine netcdf, placement thread\n",
          "               staging 1.00 MB per frame on each rank; staging_limit 512 MB holds 512\n",
          "               ... wrfout_d01_2000-01-06_00:00:00\n",
          "               compressed by the ranks while servers are behind (options.encode); 62 % of a frame "
          "is in chunks that lie within one patch (options.chunk), which ranks can compress\n"})
        EXPECT_NE(text.find(expected), std::string::npos) << expected << text;
}

} // namespace
} // namespace squall
