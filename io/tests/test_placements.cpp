/// Whoever writes, the same is in the files: every engine, placement, number of servers, groups.

#include <algorithm>

#include <gtest/gtest.h>

#include "support.hpp"

namespace squall::io::test {

struct Setting {
    std::string engine = "netcdf", placement = "inline", codec = "";
    SessionSpec session = {};
    int frames_per_file = 2;
    std::string burst = "";

    std::string text() const {
        return fmt::format("{} {} {} servers {} groups {} {}{}{}", engine, placement, codec, session.servers,
                           session.groups, session.assignment, session.shared_memory ? "" : " by messages",
                           burst.empty() ? "" : " burst");
    }
};

/// Runs a session that writes five frames, two a file, and closes it.
void write_five(const Setting &setting, const std::string &path, int parts_at_most = 100) {
    Session session(MPI_COMM_WORLD, setting.session);
    if (!session.computes()) return session.serve();
    int me = 0, n = 1;
    MPI_Comm_rank(session.comm(), &me);
    MPI_Comm_size(session.comm(), &n);
    const auto patch = patch_of(me, std::min(n, parts_at_most));
    auto spec = weather(path);
    spec.engine = setting.engine;
    spec.placement = setting.placement;
    spec.codec = setting.codec;
    spec.frames_per_file = setting.frames_per_file;
    spec.burst_dir = setting.burst;
    auto stream = session.open(spec);
    put_fixed(stream, patch);
    for (int f = 0; f < 5; ++f) write_frame(stream, patch, f, me == 0);
    stream.close();
    const auto report = session.close();
    if (me == 0) {
        ASSERT_EQ(report.size(), 1u);
        EXPECT_EQ(report[0].frames, 5);
        EXPECT_EQ(report[0].failed, 0);
        EXPECT_GT(report[0].stored_bytes, 0u);
    }
}

void expect_five(const std::string &directory, const std::string &suffix) {
    for (int f = 0; f < 5; ++f) {
        const auto name = fmt::format("{}/{:02}{}", directory, f / 2 * 2, suffix);
        const Reader file(name);
        EXPECT_EQ(file.frames(), f == 4 ? 1 : 2) << name;
        expect_frame(file, f % 2, f);
        EXPECT_EQ(file.text("TITLE"), "test");
        EXPECT_EQ(file.number("DX"), 1000);
        EXPECT_EQ(file.attribute("WEST-EAST_GRID_DIMENSION"), Value(std::vector<std::int32_t>{14}));
        EXPECT_EQ(file.attribute("P0"), Value(std::vector<double>{1e5}));
        EXPECT_EQ(file.field("T").attributes.size(), 3u);
        EXPECT_EQ(file.field("HGT").per_frame, false);
    }
}

void try_out(const Setting &setting) {
    SCOPED_TRACE(setting.text());
    const Scratch dir;
    Setting here = setting;
    if (!here.burst.empty()) here.burst = dir / setting.burst;
    write_five(here, dir / "out/%H.data");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) expect_five(dir / "out", ".data");
    MPI_Barrier(MPI_COMM_WORLD);
}

std::vector<std::string> storing_engines() {
    std::vector<std::string> names;
    for (const auto &e : engine_infos())
        if (e.missing.empty() && e.name != "null" && !e.network) names.push_back(e.name);
    return names;
}

TEST(Placement, TheComputingRanksWriteBeforeOrBesideTheModel) {
    for (const auto &engine : storing_engines())
        for (const auto *placement : {"inline", "thread"})
            try_out({.engine = engine, .placement = placement});
}

SessionSpec servers_in_groups(int servers, int groups, bool shared) {
    return {.servers = servers,
            .groups = groups,
            .assignment = groups == 1 && shared ? "round-robin" : "consecutive",
            .shared_memory = shared};
}

TEST(Placement, AnyNumberOfServersInAnyNumberOfGroupsBySharedMemoryOrMessages) {
    for (int servers = 1; servers < ranks(); ++servers)
        for (int groups = 1; groups <= servers; ++groups)
            for (const bool shared : {true, false})
                try_out({.placement = "servers", .session = servers_in_groups(servers, groups, shared)});
}

/// How frames come to the servers is the same for all engines: what differs is who writes a file together.
TEST(Placement, ServersOfOneGroupOrEachOfItsOwnWriteWithEveryEngine) {
    const int most = ranks() - 1;
    for (const auto &engine : storing_engines())
        for (int groups = 1; groups <= most; groups += std::max(1, most - 1))
            try_out({.engine = engine,
                     .placement = "servers",
                     .session = servers_in_groups(most, groups, groups > 1)});
}

TEST(Placement, ThroughABurstDirectory) {
    for (const auto &engine : storing_engines())
        for (const auto *placement : {"inline", "thread"})
            try_out({.engine = engine, .placement = placement, .burst = "burst"});
}

TEST(Placement, EveryCodecIsLossless) {
    for (const auto &e : engine_infos())
        for (const auto &codec : e.codecs)
            if (e.name != "null" && !e.network) try_out({.engine = e.name, .codec = codec});
}

TEST(Placement, MoreRanksThanRows) {
    const Scratch dir;
    write_five({.placement = "thread"}, dir / "%H.nc", 1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) expect_five(dir / "", ".nc");
}

} // namespace squall::io::test
