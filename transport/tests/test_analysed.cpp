// Winds of a file, on any number of ranks.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <gtest/gtest.h>
#include <mpi.h>

#include "drive/world.hpp"
#include "made_winds.hpp"
#include "runfile/read.hpp"

namespace squall::transport {
namespace {

constexpr int all_steps = 12;

Settings settings_of(const MadeWinds &winds, const std::string &path, const std::string &more = "") {
    return parse_settings(winds.run_file(path, more), "test.toml", {});
}

void run(World &world, int steps) {
    for (int n = 0; n < steps; ++n) world.advance();
}

/// Where a patch's air is, as surface pressure, the most that it differs from the file's [Pa].
double off_the_surface(const World &world, const MadeWinds &winds, int record) {
    const Patch &p = world.where().patch();
    double most = 0;
    for (int j = 0; j < p.shape.ny; ++j)
        for (int i = 0; i < p.shape.nx; ++i) {
            double mass = 0;
            for (int k = 0; k < p.shape.nz; ++k) mass += world.block().row(0, k, j)[i];
            const double pressure = world.where().levels().a.back() + mass * gravity / world.where().area(j);
            const auto n = static_cast<std::size_t>((p.y0 + j) * p.nx_domain + p.x0 + i);
            most = std::max(most, std::abs(pressure - winds.surface(record)[n]));
        }
    return most;
}

int different_cells(const World &mine, const World &other, int x0, int y0) {
    const Shape &s = mine.where().patch().shape;
    int different = 0;
    for (int f = 0; f < mine.block().fields(); ++f)
        for (int j = 0; j < s.ny; ++j)
            for (int k = 0; k < s.nz; ++k)
                for (int i = 0; i < s.nx; ++i)
                    different += mine.block().row(f, k, j)[i] != other.block().row(f, k, y0 + j)[x0 + i];
    return different;
}

std::string refusal(const std::function<void()> &of) {
    try {
        of();
    } catch (const std::exception &error) {
        return error.what();
    }
    return "";
}

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

TEST(Analysed, ColumnsFollowTheSurfacePressureAndAConstantStaysOne) {
    const MadeWinds winds;
    double least = 2e5, greatest = 0;
    for (const double p : winds.surface(2)) least = std::min(least, p), greatest = std::max(greatest, p);
    EXPECT_GT(greatest - least, 1000); // it does change
    const Settings settings = settings_of(winds, winds.write());
    World world(settings, MPI_COMM_WORLD);
    run(world, all_steps / 2);
    EXPECT_LT(off_the_surface(world, winds, 1), 1e-8);
    run(world, all_steps / 2);
    EXPECT_LT(off_the_surface(world, winds, 2), 1e-8);
    const Shape &s = world.block().shape();
    double most = 0;
    for (int j = 0; j < s.ny; ++j)
        for (int k = 0; k < s.nz; ++k)
            for (int i = 0; i < s.nx; ++i)
                most = std::max(most,
                                std::abs(world.block().row(11, k, j)[i] / world.block().row(0, k, j)[i] - 1));
    EXPECT_LT(most, 1e-13);
}

TEST(Analysed, LayersLieWhereTheSurfacePressurePutsThem) {
    const MadeWinds winds;
    const Settings settings = settings_of(winds, winds.write());
    World world(settings, MPI_COMM_WORLD);
    run(world, all_steps);
    const Shape &s = world.block().shape();
    for (int j = 0; j < s.ny; ++j)
        for (int k = 0; k < s.nz; ++k)
            for (int i = 0; i < s.nx; ++i)
                EXPECT_NEAR(world.block().row(0, k, j)[i] /
                                world.where().air(k, j, world.where().surface(i, j)),
                            1, 1e-12);
}

TEST(Analysed, RanksAndWaysOfReadingGiveTheSameBits) {
    const MadeWinds winds;
    const std::string path = winds.write();
    const Settings by_rows = settings_of(winds, path), by_one = settings_of(winds, path, "read = \"one\"\n");
    World rows(by_rows, MPI_COMM_WORLD), one(by_one, MPI_COMM_WORLD), whole(by_rows, MPI_COMM_SELF);
    run(rows, all_steps), run(one, all_steps), run(whole, all_steps);
    const Patch &p = rows.where().patch();
    EXPECT_EQ(different_cells(rows, one, 0, 0), 0);
    EXPECT_EQ(different_cells(rows, whole, p.x0, p.y0), 0);
    EXPECT_NE(rows.summary().find("3 records, read by the first rank of each row"), std::string::npos);
    EXPECT_NE(one.summary().find("3 records, read by one rank"), std::string::npos);
    std::int64_t fields = 0, values = 0; // of a record, and of a column in it
    for (std::size_t n = 0; n < wind_fields; ++n) {
        const auto field = static_cast<WindField>(n);
        const bool convective = field == WindField::updraught || field == WindField::downdraught;
        if (convective && !by_one.winds.updraughts) continue;
        ++fields, values += layers_of(field, p.shape.nz);
    }
    const WindCosts of_rows = rows.wind_costs().value(), of_one = one.wind_costs().value();
    EXPECT_EQ(of_rows.records, 3);
    EXPECT_EQ(of_rows.sent.messages, 3 * fields * p.py * (p.px - 1));
    EXPECT_EQ(of_one.sent.messages, 3 * fields * (p.px * p.py - 1));
    const Region first = region_of(p, 0); // its rank reads all
    const std::int64_t columns = p.nx_domain * p.ny_domain,
                       own = (first.i1 - first.i0) * (first.j1 - first.j0);
    EXPECT_EQ(of_one.sent.bytes, 3 * values * 8 * (columns - own));
    EXPECT_LE(of_rows.sent.bytes, of_one.sent.bytes);
}

TEST(Analysed, WeatherIsThatOfTheMiddleOfTheStep) {
    const MadeWinds winds;
    const Settings settings = settings_of(winds, winds.write());
    World world(settings, MPI_COMM_WORLD);
    run(world, 1);
    EXPECT_NEAR(world.weather().temperature[0], 250 + 10 * 0.25 / 3, 1e-10);
    EXPECT_NEAR(world.weather().rain[0], 0.001 * (1 + 0.25 / 3), 1e-15);
    EXPECT_TRUE(world.weather().has_updraughts);
    EXPECT_NEAR(world.weather().updraught.back(), 0.01, 1e-15);
    run(world, 6);
    EXPECT_NEAR(world.weather().temperature[0], 260 + 10 * 0.25 / 3, 1e-10);
}

TEST(Analysed, WindsByFormulaComeWithTheAirOfThePublishedTests) {
    const Settings settings = parse_settings(
        "[run]\nduration = \"1 d\"\ntime_step = \"1 h\"\n[grid]\nnlon = 24\nnlat = 12\n[tracer.q]\n",
        "a.toml", {});
    World world(settings, MPI_COMM_WORLD);
    run(world, 1);
    EXPECT_EQ(world.weather().temperature[0], 300);
    EXPECT_FALSE(world.weather().has_updraughts);
}

TEST(Analysed, LevelsMayBeThoseOfTheFile) {
    const MadeWinds winds;
    std::string text = winds.run_file(winds.write());
    const std::string own = "nz = 8\ntop = \"100 hPa\"\ncoordinate = \"sigma\"\n";
    text.replace(text.find(own), own.size(), "coordinate = \"file\"\n");
    const Settings settings = parse_settings(text, "test.toml", {});
    EXPECT_EQ(settings.levels.nz, 8);
    World world(settings, MPI_COMM_WORLD);
    run(world, all_steps);
    EXPECT_LT(off_the_surface(world, winds, 2), 1e-8);
}

TEST(Analysed, WhatDoesNotFitIsRefusedBeforeTheFirstStep) {
    const MadeWinds winds;
    const std::string path = winds.write();
    const auto said = [&](const std::string &from, const std::string &to) {
        std::string text = winds.run_file(path);
        text.replace(text.find(from), from.size(), to);
        return refusal([&] { parse_settings(text, "test.toml", {}); });
    };
    EXPECT_TRUE(has(said("nlat = 12", "nlat = 14"), "of another grid: it has 24 x 12 cells"));
    EXPECT_TRUE(has(said("nz = 8", "nz = 9"), "of other levels: it has 8 layers, this run 9"));
    EXPECT_TRUE(has(said("100 hPa", "90 hPa"), "of other levels: interface 1, counted from 0 at the ground"));
    EXPECT_TRUE(has(said("\"sigma\"", "\"pressure\""), "cannot follow the surface pressure"));
    EXPECT_TRUE(has(said("\"6 h\"", "\"7 h\""), "winds are of 2000-01-01T00:00:00 to 2000-01-01T06:00:00"));
    EXPECT_TRUE(
        has(said("duration", "start = \"1999-12-31T23:00:00\"\nduration"), "which is not all of the run"));
    EXPECT_TRUE(has(said("\"30 min\"", "\"2 h\""), "lie within a time step of 7200 s"));
    EXPECT_TRUE(
        has(said("[wind]", "[wind]\nflow = \"solid-body\""), "wind.flow has no effect with wind.file"));
    EXPECT_TRUE(has(said("winds.nc", "winds.not"), "squall transport prepare makes it"));
}

TEST(Analysed, EachIntervalHasItsOwnLength) {
    const MadeWinds winds({0, 1, 6});
    const Settings settings = settings_of(winds, winds.write());
    EXPECT_EQ(times_in_words(settings.winds), "3 times, 1 to 5 h apart");
    World world(settings, MPI_COMM_WORLD);
    run(world, 2);
    EXPECT_LT(off_the_surface(world, winds, 1), 1e-8);
    run(world, 1);
    EXPECT_NEAR(world.weather().temperature[0], 260 + 10 * 0.25 / 5, 1e-10);
    run(world, all_steps - 3);
    EXPECT_LT(off_the_surface(world, winds, 2), 1e-8);
}

TEST(Analysed, AFileOfAnotherCalendarOrWithoutAVariableIsRefused) {
    const auto said = [](const MadeWinds &winds) {
        const std::string path = winds.write();
        return refusal([&] { settings_of(winds, path); });
    };
    MadeWinds noleap, lacking, half;
    noleap.calendar = "noleap";
    EXPECT_TRUE(has(said(noleap), "its calendar is noleap"));
    lacking.without = "friction_velocity";
    EXPECT_TRUE(has(said(lacking), "it has no variable friction_velocity"));
    half.without = "downdraught";
    EXPECT_TRUE(has(said(half), "no variable downdraught, which goes with updraught"));
}

TEST(Analysed, AValueThatIsNoNumberIsRefusedWithItsPlace) {
    MadeWinds winds;
    winds.change = [](const std::string &name, int record, std::vector<double> &values) {
        if (name == "t" && record == 1)
            values[288 * 2 + 24 * 7 + 5] = std::numeric_limits<double>::quiet_NaN();
    };
    const Settings settings = settings_of(winds, winds.write());
    const std::string said = refusal([&] { World world(settings, MPI_COMM_WORLD); });
    EXPECT_TRUE(has(said, "t is nan at 2000-01-01T03:00:00, in cell (5, 7, 2)")) << said;
    winds.change = [](const std::string &name, int record, std::vector<double> &values) {
        if (name == "u" && record == 2) values[0] = 9.96921e36;
    };
    const Settings later = settings_of(winds, winds.write());
    World world(later, MPI_COMM_WORLD);
    const std::string then = refusal([&] { run(world, all_steps); });
    EXPECT_TRUE(has(then, "u is 9.96921e+36 at 2000-01-01T06:00:00, in cell (0, 0, 0)")) << then;
    EXPECT_EQ(world.step(), 6); // not one with these winds
}

TEST(Analysed, WindsThatDoNotBringTheChangeOfSurfacePressureAreRefused) {
    MadeWinds winds;
    winds.change = [](const std::string &name, int record, std::vector<double> &values) {
        if (name == "ps" && record == 1) values[30] += 1;
    };
    const Settings settings = settings_of(winds, winds.write());
    const std::string said = refusal([&] { World world(settings, MPI_COMM_WORLD); });
    EXPECT_TRUE(has(said, "more surface pressure than its ps has in cell")) << said;
}

} // namespace
} // namespace squall::transport
