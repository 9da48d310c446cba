#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "../output_case.hpp"
#include "output/history.hpp"
#include "output/restart.hpp"
#include "physics/declared_state.hpp"

namespace squall {
namespace {

class Output : public testing::Test {
  protected:
    Output() {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        int id = getpid();
        MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
        directory = std::filesystem::temp_directory_path() / fmt::format("squall_output_{}", id);
    }
    ~Output() override {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) std::filesystem::remove_all(directory);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    test::OutputCase make_case(const std::string &microphysics = "none") const {
        const auto [px, py] = choose_process_grid(ranks, test::out_nx, test::out_ny);
        return test::output_case(rank, px, py, directory.string(), microphysics);
    }
    std::string file(const std::string &name) const { return (directory / name).string(); }

    int rank = 0, ranks = 1;
    std::filesystem::path directory;
};

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

TEST_F(Output, ARestartGivesTheSameBitsOnAnyDecomposition) {
    {
        auto c = make_case();
        io::Session session(MPI_COMM_WORLD);
        Restart restart(session, test::output_stream("restart"), c.config, c.patch, c.grid,
                        {largest_patch(c.patch)});
        restart.write(600, 100, {{&c.config, &c.patch, &c.state, &c.physics, &c.grid}});
    }
    for (const auto &[px, py] : {std::array{1, 1}, std::array{2, 1}, std::array{1, 3}, std::array{2, 2}}) {
        auto c = test::output_case(rank % (px * py), px, py, directory.string());
        const auto read = read_restart(file("restart_2000-02-28_12:10:00.nc"), c.config, c.patch, c.grid);
        EXPECT_EQ(read.step, 100);
        EXPECT_EQ(read.seconds, 600);
        int wrong = 0;
        for (int j = 0; j < c.patch.shape.ny; ++j)
            for (int i = 0; i < c.patch.shape.nx; ++i) {
                wrong += read.state.mu(i, j) != c.state.mu(i, j);
                for (auto a : {&State::u, &State::v, &State::w, &State::theta, &State::ph})
                    for (int k = 0; k < c.patch.shape.nz; ++k)
                        wrong += (read.state.*a)(i, k, j) != (c.state.*a)(i, k, j);
                wrong += read.state.w(i, test::out_nz, j) != c.state.w(i, test::out_nz, j);
            }
        if (c.patch.at_east())
            wrong += read.state.u(c.patch.shape.nx, 1, 0) != c.state.u(c.patch.shape.nx, 1, 0);
        if (c.patch.at_north())
            wrong += read.state.v(0, 1, c.patch.shape.ny) != c.state.v(0, 1, c.patch.shape.ny);
        EXPECT_EQ(wrong, 0) << px << " x " << py;
    }
}

TEST_F(Output, ARestartKeepsTheWaterOfLandToTheLastBit) {
    const auto with_land = [](test::OutputCase c) {
        c.config.physics.surface_layer = "revised-mm5";
        c.config.physics.boundary_layer = "ysu";
        c.config.physics.land = "noah";
        c.config.physics.cumulus = "tiedtke";
        c.physics.convection = convection_state_of(c.config, c.patch.shape);
        c.config.physics.radiation = "rrtmgp";
        c.physics.radiation = RadiationState(c.patch.shape);
        SurfaceState &s = c.physics.surface = surface_state_of(c.config, c.patch.shape);
        LandWaterState &w = s.land_water;
        int n = 60;
        for (Array2 *a : {&w.canopy_water, &w.snow_water, &w.snow_depth, &w.snow_cover, &w.snow_age,
                          &w.precipitation, &w.frozen_precipitation, &w.ground_heat, &w.surface_runoff,
                          &w.drainage, &c.physics.radiation.shortwave_down})
            test::fill(*a, ++n, c.patch);
        ConvectionState &v = c.physics.convection;
        for (Array3 *a : {&s.soil_temperature, &w.moisture, &w.liquid, &v.heating, &v.vapour, &v.snow,
                          &v.updraught, &v.u, &v.v})
            test::fill(*a, ++n, c.patch);
        for (Array2 *a : {&v.remaining, &v.rate, &v.accumulated}) test::fill(*a, ++n, c.patch);
        return c;
    };
    {
        auto c = with_land(make_case("wsm6"));
        io::Session session(MPI_COMM_WORLD);
        Restart restart(session, test::output_stream("restart"), c.config, c.patch, c.grid,
                        {largest_patch(c.patch)});
        restart.write(600, 100, {{&c.config, &c.patch, &c.state, &c.physics, &c.grid}});
    }
    const auto path = file("restart_2000-02-28_12:10:00.nc");
    for (const auto &[px, py] : {std::array{1, 1}, std::array{2, 2}}) {
        auto c = with_land(test::output_case(rank % (px * py), px, py, directory.string(), "wsm6"));
        const auto read = read_restart(path, c.config, c.patch, c.grid);
        const LandWaterState &was = c.physics.surface.land_water, &is = read.physics.surface.land_water;
        int wrong = 0;
        for (int j = 0; j < c.patch.shape.ny; ++j)
            for (int i = 0; i < c.patch.shape.nx; ++i) {
                for (const auto a :
                     {&LandWaterState::canopy_water, &LandWaterState::snow_water, &LandWaterState::snow_depth,
                      &LandWaterState::snow_cover, &LandWaterState::snow_age, &LandWaterState::precipitation,
                      &LandWaterState::frozen_precipitation, &LandWaterState::ground_heat,
                      &LandWaterState::surface_runoff, &LandWaterState::drainage})
                    wrong += (is.*a)(i, j) != (was.*a)(i, j);
                const ConvectionState &v = c.physics.convection, &u = read.physics.convection;
                for (const auto a :
                     {&ConvectionState::remaining, &ConvectionState::rate, &ConvectionState::accumulated})
                    wrong += (u.*a)(i, j) != (v.*a)(i, j);
                for (const auto a :
                     {&ConvectionState::heating, &ConvectionState::vapour, &ConvectionState::snow,
                      &ConvectionState::updraught, &ConvectionState::u, &ConvectionState::v})
                    wrong += (u.*a)(i, 1, j) != (v.*a)(i, 1, j);
                wrong +=
                    read.physics.surface.shortwave_down(i, j) != c.physics.radiation.shortwave_down(i, j);
                for (int k = 0; k < 4; ++k)
                    wrong += is.moisture(i, k, j) != was.moisture(i, k, j) ||
                             is.liquid(i, k, j) != was.liquid(i, k, j);
            }
        EXPECT_EQ(wrong, 0) << px << " x " << py;
        c.config.physics.land = "slab";
        EXPECT_THROW(read_restart(path, c.config, c.patch, c.grid), io::Error);
    }
}

TEST_F(Output, ARestartKeepsTheSurfaceToTheLastBit) {
    const auto with_surface = [](test::OutputCase c) {
        c.config.physics.surface_layer = "revised-mm5";
        c.config.physics.boundary_layer = "ysu";
        c.config.physics.land = "slab";
        c.config.physics.radiation = "rrtmgp";
        c.physics.radiation = RadiationState(c.patch.shape);
        SurfaceState &s = c.physics.surface = surface_state_of(c.config, c.patch.shape);
        int n = 40;
        for (Array2 *a : {&s.skin_temperature, &s.friction_velocity, &s.roughness, &s.temperature_scale,
                          &s.surface_vapour, &s.longwave_down, &s.latent_heat})
            test::fill(*a, ++n, c.patch);
        test::fill(s.soil_temperature, ++n, c.patch);
        c.physics.radiation.longwave_down.copy_from(s.longwave_down);
        return c;
    };
    {
        auto c = with_surface(make_case("wsm6"));
        io::Session session(MPI_COMM_WORLD);
        Restart restart(session, test::output_stream("restart"), c.config, c.patch, c.grid,
                        {largest_patch(c.patch)});
        restart.write(600, 100, {{&c.config, &c.patch, &c.state, &c.physics, &c.grid}});
    }
    const auto path = file("restart_2000-02-28_12:10:00.nc");
    for (const auto &[px, py] : {std::array{1, 1}, std::array{2, 2}}) {
        auto c = with_surface(test::output_case(rank % (px * py), px, py, directory.string(), "wsm6"));
        const SurfaceState &was = c.physics.surface;
        const auto read = read_restart(path, c.config, c.patch, c.grid);
        const SurfaceState &is = read.physics.surface;
        ASSERT_EQ(is.soil_layers, 5);
        int wrong = 0;
        for (int j = 0; j < c.patch.shape.ny; ++j)
            for (int i = 0; i < c.patch.shape.nx; ++i) {
                for (const auto a : {&SurfaceState::skin_temperature, &SurfaceState::friction_velocity,
                                     &SurfaceState::roughness, &SurfaceState::temperature_scale,
                                     &SurfaceState::surface_vapour, &SurfaceState::longwave_down,
                                     &SurfaceState::latent_heat})
                    wrong += (is.*a)(i, j) != (was.*a)(i, j);
                for (int k = 0; k < 5; ++k)
                    wrong += is.soil_temperature(i, k, j) != was.soil_temperature(i, k, j);
            }
        EXPECT_EQ(wrong, 0) << px << " x " << py;
        c.config.physics.land = "none";
        EXPECT_THROW(read_restart(path, c.config, c.patch, c.grid), io::Error); // it holds soil
    }
}

TEST_F(Output, ARestartKeepsWaterAndWhatPhysicsKeepsToTheLastBit) {
    {
        auto c = make_case("wsm6");
        io::Session session(MPI_COMM_WORLD);
        Restart restart(session, test::output_stream("restart"), c.config, c.patch, c.grid,
                        {largest_patch(c.patch)});
        restart.write(600, 100, {{&c.config, &c.patch, &c.state, &c.physics, &c.grid}});
    }
    const auto path = file("restart_2000-02-28_12:10:00.nc");
    for (const auto &[px, py] : {std::array{1, 1}, std::array{2, 2}}) {
        auto c = test::output_case(rank % (px * py), px, py, directory.string(), "wsm6");
        const auto read = read_restart(path, c.config, c.patch, c.grid);
        ASSERT_EQ(read.state.scalars.size(), 6u);
        int wrong = 0;
        for (int j = 0; j < c.patch.shape.ny; ++j)
            for (int i = 0; i < c.patch.shape.nx; ++i) {
                for (auto a : {&PhysicsState::rain, &PhysicsState::snow, &PhysicsState::graupel})
                    wrong += (read.physics.*a)(i, j) != (c.physics.*a)(i, j);
                for (int k = 0; k < c.patch.shape.nz; ++k) {
                    wrong += read.physics.heating(i, k, j) != c.physics.heating(i, k, j);
                    wrong += read.state.theta(i, k, j) != c.state.theta(i, k, j);
                    for (std::size_t n = 0; n < 6; ++n)
                        wrong += read.state.scalars[n](i, k, j) != c.state.scalars[n](i, k, j);
                }
            }
        EXPECT_EQ(wrong, 0) << px << " x " << py;
    }
    const auto refusal = [&](auto change) -> std::string {
        auto other = make_case("wsm6");
        change(other.config);
        try {
            read_restart(path, other.config, other.patch, other.grid);
        } catch (const io::Error &e) {
            return e.what();
        }
        return "accepted";
    };
    EXPECT_NE(
        refusal([](Config &o) {
            o.physics.microphysics = "kessler";
        }).find("QVAPOR QCLOUD QRAIN QICE QSNOW QGRAUP, but those of the run file are QVAPOR QCLOUD QRAIN"),
        std::string::npos);
    EXPECT_NE(refusal([](Config &o) { o.dynamics.moist_theta = false; }).find("of moist air"),
              std::string::npos);
}

TEST_F(Output, ARestartOfAnotherDomainIsRefused) {
    auto c = make_case();
    io::Session session(MPI_COMM_WORLD);
    Restart restart(session, test::output_stream("restart"), c.config, c.patch, c.grid,
                    {largest_patch(c.patch)});
    restart.write(600, 100, {{&c.config, &c.patch, &c.state, &c.physics, &c.grid}});
    const auto refusal = [&](const test::OutputCase &other) -> std::string {
        try {
            read_restart(file("restart_2000-02-28_12:10:00.nc"), other.config, other.patch, other.grid);
        } catch (const io::Error &e) {
            return e.what();
        }
        return "accepted";
    };
    const auto changed = [&](auto change) {
        auto other = make_case();
        change(other);
        return refusal(other);
    };
    const auto has = [](const std::string &text, const char *part) {
        return text.find(part) != std::string::npos;
    };
    EXPECT_EQ(changed([](auto &) {}), "accepted");
    EXPECT_TRUE(has(changed([](auto &o) { o.patch.nx_domain = 14; }),
                    "west_east = 13, but the run file asks for 14"));
    EXPECT_EQ(changed([](auto &o) { o.config.run.time_step = 12; }), "accepted");
    EXPECT_TRUE(has(changed([](auto &o) { o.grid.dx = 1; }), "grid spacing west-east [m] is 2000"));
    EXPECT_TRUE(
        has(changed([](auto &o) { o.config.run.start = "2000-02-28"; }), "started at 2000-02-28T12:00:00"));
    EXPECT_TRUE(has(changed([](auto &o) { o.grid.vertical.znw[1] = real(0.91); }), "eta levels"));
}

} // namespace
} // namespace squall
