/// The engine `zarr`, on 1 to 4 ranks, where shards are missing, the disk is full or the directory is gone.

#include <csignal>

#include <sys/resource.h>

#include "zarr_case.hpp"

namespace squall::io::test {
namespace {

TEST(ZarrFailure, never_takes_a_missing_shard_for_fill_values) {
    const Scratch dir;
    const Layout layout(store("none"));
    make(layout, dir / "a", 2);
    if (rank() != 0) return;
    remove_or_spoil((dir / "a") + "/T/c.1.1.0.0", -1);
    const Reader reader(dir / "a");
    std::vector<float> t(nz * ny * nx);
    const auto said = error_of([&] { reader.read("T", 1, {{0, 0, 0}, {nz, ny, nx}}, t.data()); });
    EXPECT_NE(said.find("field T, frame 1: T/c.1.1.0.0: it is missing"), said.npos) << said;
    fs::resize_file((dir / "a") + "/T/c.0.0.0.0", 100);
    EXPECT_NE(error_of([&] { reader.read("T", 0, {{0, 0, 0}, {1, 1, 1}}, t.data()); }), "");
}

TEST(ZarrFailure, says_what_failed_where_and_keeps_the_frames_before) {
    const Scratch dir;
    const Layout layout(store("none"));
    auto writer = std::make_unique<Direct>(layout, dir / "a", MPI_COMM_WORLD);
    write_frame(*writer, layout, 0);
    writer->reveal(1);
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{64, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const auto said = error_of([&] { write_field(*writer, layout, 2, 1, MPI_COMM_WORLD); });
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, SIG_DFL);
    EXPECT_NE(said.find("writing " + (dir / "a") + "/T/c.1."), said.npos) << said;
    EXPECT_NE(said.find("ulimit -f"), said.npos) << said;
    writer->close(1);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_store(dir / "a", layout, 1);
    for (const auto &[name, bytes] : all_files((dir / "a") + "/T")) EXPECT_FALSE(name.starts_with("c.1."));
}

/// In a directory of many users anybody may have put one there.
TEST(ZarrFailure, writes_through_no_link) {
    const Scratch dir;
    const Layout layout(store("none"));
    auto writer = std::make_unique<Direct>(layout, dir / "a", MPI_COMM_WORLD);
    write_frame(*writer, layout, 0);
    writer->reveal(1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) {
        std::ofstream(dir / "precious") << "precious";
        for (const char *name : {"/zarr.json.new", "/T/c.1.0.0.0"})
            fs::create_symlink(dir / "precious", (dir / "a") + name);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    write_frame(*writer, layout, 1);
    writer->reveal(2);
    writer->close(2);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(bytes_of(dir / "precious"), "precious");
    expect_store(dir / "a", layout, 2);
}

TEST(ZarrFailure, says_that_its_directory_has_gone) {
    const Scratch dir;
    const Layout layout(store("none"));
    auto writer = std::make_unique<Direct>(layout, dir / "a", MPI_COMM_WORLD);
    write_frame(*writer, layout, 0);
    writer->reveal(1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) fs::remove_all(dir / "a");
    MPI_Barrier(MPI_COMM_WORLD);
    const auto said = error_of([&] { write_field(*writer, layout, 2, 1, MPI_COMM_WORLD); });
    EXPECT_NE(said.find("the directory is gone"), said.npos) << said;
    writer.reset();
}

TEST(ZarrFailure, one_writer_that_fails_in_a_reveal_leaves_nobody_waiting) {
    const Scratch dir;
    const Layout layout(store("none"));
    auto writer = std::make_unique<Direct>(layout, dir / "a", MPI_COMM_WORLD);
    write_frame(*writer, layout, 0);
    if (rank() == 0) fs::remove_all(dir / "a");
    MPI_Barrier(MPI_COMM_WORLD);
    int failed = !error_of([&] { writer->reveal(1); }).empty();
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_TRUE(failed);
    EXPECT_FALSE(fs::exists(dir / "a"));
}

} // namespace
} // namespace squall::io::test
