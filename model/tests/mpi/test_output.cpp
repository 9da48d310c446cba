#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "output/history.hpp"
#include "output_test.hpp"
#include "physics/declared_state.hpp"

namespace squall {
namespace {

class Output : public test::OutputTest {};

std::string text_of(const io::Field &field, const std::string &attribute) {
    for (const auto &a : field.attributes)
        if (a.name == attribute) return std::get<std::string>(a.value);
    return "(none)";
}

/// How many points of a field of the file are not value_at(n, ...).
int wrong_points(const io::Reader &file, const std::string &name, int n) {
    const auto shape = file.shape(name);
    std::vector<float> a(shape[0] * shape[1] * shape[2]);
    file.read(name, 0, {{0, 0, 0}, shape}, a.data());
    int wrong = 0;
    std::size_t at = 0;
    for (int k = 0; k < shape[0]; ++k)
        for (int j = 0; j < shape[1]; ++j)
            for (int i = 0; i < shape[2]; ++i)
                wrong += a[at++] != static_cast<float>(test::value_at(n, i, k, j));
    return wrong;
}

TEST_F(Output, AHistoryHoldsEveryPointFacesIncludedWhereverItWasComputed) {
    auto c = make_case();
    io::Session session(MPI_COMM_WORLD);
    History history(session, test::output_stream("history"), c.config, c.patch, c.grid);
    history.write(86400, 14400, {c.state, c.physics, c.p, c.al});
    const io::Reader out(file("history_2000-02-29_12:00:00.nc"));
    EXPECT_EQ(out.shape("U"), (std::vector<std::int64_t>{test::out_nz, test::out_ny, test::out_nx + 1}));
    EXPECT_EQ(out.shape("V"), (std::vector<std::int64_t>{test::out_nz, test::out_ny + 1, test::out_nx}));
    EXPECT_EQ(out.shape("PH"), (std::vector<std::int64_t>{test::out_nz + 1, test::out_ny, test::out_nx}));
    int n = 0;
    for (const char *name : {"U", "V", "W", "T", "PH", "P", "PHB", "PB"})
        EXPECT_EQ(wrong_points(out, name, ++n), 0) << name;
}

TEST_F(Output, AHistoryNamesItsTimeForWrfAndForCf) {
    auto c = make_case();
    io::Session session(MPI_COMM_WORLD);
    History history(session, test::output_stream("history"), c.config, c.patch, c.grid);
    history.write(90, 15, {c.state, c.physics, c.p, c.al});
    const io::Reader out(file("history_2000-02-28_12:01:30.nc"));
    std::string times(19, ' ');
    double minutes = 0;
    int step = 0;
    out.read("Times", 0, {{0}, {19}}, times.data());
    out.read("XTIME", 0, {}, &minutes);
    out.read("ITIMESTEP", 0, {}, &step);
    EXPECT_EQ(times, "2000-02-28_12:01:30");
    EXPECT_EQ(minutes, 1.5);
    EXPECT_EQ(step, 15);
    EXPECT_EQ(text_of(out.field("XTIME"), "units"), "minutes since 2000-02-28 12:00:00");
    EXPECT_EQ(text_of(out.field("XTIME"), "standard_name"), "time");
    EXPECT_EQ(text_of(out.field("U"), "coordinates"), "XLONG_U XLAT_U XTIME");
    EXPECT_EQ(text_of(out.field("U"), "stagger"), "X");
    EXPECT_EQ(text_of(out.field("MU"), "MemoryOrder"), "XY ");
    EXPECT_EQ(out.text("START_DATE"), "2000-02-28_12:00:00");
    EXPECT_EQ(out.number("JULDAY"), 59);
    EXPECT_EQ(out.number("WEST-EAST_GRID_DIMENSION"), test::out_nx + 1);
    EXPECT_EQ(out.number("DX"), 2000);
    EXPECT_EQ(out.number("HYBRID_OPT"), 0);
}

TEST_F(Output, ASelectionBringsItsCoordinates) {
    auto c = make_case();
    io::Session session(MPI_COMM_WORLD);
    auto stream = test::output_stream("history");
    stream.fields = {"U", "ZNU"};
    History history(session, stream, c.config, c.patch, c.grid);
    history.write(0, 0, {c.state, c.physics, c.p, c.al});
    std::vector<std::string> names;
    const io::Reader out(file("history_2000-02-28_12:00:00.nc"));
    for (const auto &f : out.fields()) names.push_back(f.name);
    EXPECT_EQ(names, (std::vector<std::string>{"Time", "Times", "XTIME", "ITIMESTEP", "XLAT_U", "XLONG_U",
                                               "U", "ZNU"}));
}

TEST_F(Output, WhatNeverChangesIsOnceInAFileOfSeveralFrames) {
    auto c = make_case();
    io::Session session(MPI_COMM_WORLD);
    auto stream = test::output_stream("history");
    stream.frames_per_file = 2;
    History history(session, stream, c.config, c.patch, c.grid);
    for (int n = 0; n < 4; ++n) history.write(90 * n, 15 * n, {c.state, c.physics, c.p, c.al});
    for (const char *name : {"history_2000-02-28_12:00:00.nc", "history_2000-02-28_12:03:00.nc"}) {
        const io::Reader out(file(name));
        EXPECT_EQ(out.frames(), 2);
        EXPECT_FALSE(out.field("PHB").per_frame);
        EXPECT_EQ(text_of(out.field("HGT"), "coordinates"), "XLONG XLAT");
        EXPECT_EQ(wrong_points(out, "PHB", 7), 0);
        EXPECT_EQ(wrong_points(out, "P", 6), 0);
    }
}

/// A field of the file at all of its points.
std::vector<float> all_of(const io::Reader &file, const std::string &name) {
    const auto shape = file.shape(name);
    std::vector<float> a(static_cast<std::size_t>(shape[0] * shape[1] * shape[2]));
    file.read(name, 0, {{0, 0, 0}, shape}, a.data());
    return a;
}

TEST_F(Output, ASubsetHoldsWhatTheWholeHoldsThere) {
    auto c = make_case();
    io::Session session(MPI_COMM_WORLD);
    auto stream = test::output_stream("part");
    stream.fields = {"U", "V", "W", "T"};
    stream.region = {2, 10, 1, 9};
    stream.stride = 2;
    stream.levels = {1, 3};
    History history(session, stream, c.config, c.patch, c.grid);
    history.write(0, 0, {c.state, c.physics, c.p, c.al});
    const io::Reader out(file("part_2000-02-28_12:00:00.nc"));
    int n = 0;
    for (const char *name : {"U", "V", "W", "T"}) {
        const std::vector<std::int64_t> shape{3 + (n == 2), 4 + (n == 1), 4 + (n == 0)};
        ASSERT_EQ(out.shape(name), shape) << name;
        const auto a = all_of(out, name);
        int wrong = 0;
        std::size_t at = 0;
        ++n;
        for (int k = 0; k < shape[0]; ++k)
            for (int j = 0; j < shape[1]; ++j)
                for (int i = 0; i < shape[2]; ++i)
                    wrong += a[at++] != static_cast<float>(test::value_at(n, 2 + 2 * i, 1 + k, 1 + 2 * j));
        EXPECT_EQ(wrong, 0) << name;
    }
    EXPECT_EQ(out.number("WEST-EAST_GRID_DIMENSION"), 5);
    EXPECT_EQ(out.number("SOUTH-NORTH_PATCH_END_STAG"), 5);
    EXPECT_EQ(out.number("BOTTOM-TOP_PATCH_END_UNSTAG"), 3);
    EXPECT_EQ(out.number("DX"), 4000);
    EXPECT_EQ(std::get<std::vector<std::int32_t>>(*out.attribute("SQUALL_SUBSET_START")),
              (std::vector{2, 1, 1}));
}

TEST_F(Output, ErrorsStayWithinThePrecision) {
    auto c = make_case();
    io::Session session(MPI_COMM_WORLD);
    auto stream = test::output_stream("coarse");
    stream.fields = {"U", "V", "T"};
    stream.precision["U"] = {io::Precision::Kind::absolute, 0.1, 0, 0};
    stream.precision["V"] = {io::Precision::Kind::relative, 1e-3, 0, 0};
    stream.precision["T"] = {io::Precision::Kind::packed, 0, 4000, 5000};
    History history(session, stream, c.config, c.patch, c.grid);
    history.write(0, 0, {c.state, c.physics, c.p, c.al});
    const io::Reader out(file("coarse_2000-02-28_12:00:00.nc"));
    EXPECT_EQ(out.field("T").type, io::Type::i16);
    const auto number = [&](const char *attribute) {
        for (const auto &a : out.field("T").attributes)
            if (a.name == attribute) return std::get<std::vector<float>>(a.value)[0];
        return 0.0f;
    };
    const float scale = number("scale_factor"), offset = number("add_offset");
    const auto largest_error = [&](const char *name, int n, auto decode, auto allowed) {
        const auto a = all_of(out, name);
        const auto shape = out.shape(name);
        double worst = 0;
        std::size_t at = 0;
        int moved = 0;
        for (int k = 0; k < shape[0]; ++k)
            for (int j = 0; j < shape[1]; ++j)
                for (int i = 0; i < shape[2]; ++i, ++at) {
                    const double exact = test::value_at(n, i, k, j), error = std::abs(decode(a[at]) - exact);
                    worst = std::max(worst, error / allowed(exact));
                    moved += error > 0;
                }
        EXPECT_GT(moved, 0) << name; // else nothing was gained
        return worst;
    };
    const auto plain = [](float v) { return double(v); };
    EXPECT_LE(largest_error("U", 1, plain, [](double) { return 0.1; }), 1);
    EXPECT_LE(largest_error("V", 2, plain, [](double v) { return 1e-3 * v; }), 1);
    EXPECT_LE(largest_error(
                  "T", 4, [&](float v) { return double(v) * scale + offset; },
                  [](double) { return 0.51 * 1000 / 65534 + 5e-4; }),
              1);
}

TEST_F(Output, TooLittleStagingMemoryIsRefusedBeforeTheFirstFrame) {
    auto c = make_case();
    io::Session session(MPI_COMM_WORLD);
    auto stream = test::output_stream("history");
    stream.line = 7;
    stream.staging_limit = 1e3;
    try {
        History history(session, stream, c.config, c.patch, c.grid);
        FAIL() << "accepted";
    } catch (const ConfigError &e) {
        EXPECT_NE(std::string(e.what()).find("case.toml:7: [output.history]: staging_limit is 0.001 MB"),
                  std::string::npos)
            << e.what();
    }
}

} // namespace
} // namespace squall
