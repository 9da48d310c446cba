// Frames that several ranks make are stored while the next steps are taken.
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include "config/read.hpp"
#include "output/stream.hpp"
#include "run/domain.hpp"

namespace squall {
namespace {

const std::string means = R"(
[output.means]
interval = "10 min"
path = "means_%H%M%S.nc"
fields = ["T"]
average = "domain"
reduce = "ranks"
)";

/// A directory that the ranks have in common.
class DueFrames : public testing::Test {
  protected:
    DueFrames() {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        int id = getpid();
        MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
        directory = std::filesystem::temp_directory_path() / fmt::format("squall_due_{}", id);
    }
    ~DueFrames() override {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) std::filesystem::remove_all(directory);
    }

    int rank = 0;
    std::filesystem::path directory;
};

/// All of a frame has come when each rank has told the others of its part, which it does in calls of the
/// runtime: a model that made none until the next frame is due would have the file ten minutes later.
TEST_F(DueFrames, AreStoredBeforeTheNextOneIsDue) {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks < 3) GTEST_SKIP() << "two computing ranks and a server";
    const std::string file_of_run = SQUALL_SOURCE_DIR "/run-files/supercell.toml";
    const Config config = parse_config(run_file_text(file_of_run) + means, file_of_run,
                                       {"run.directory=" + directory.string(), "domain.nx=20", "domain.ny=20",
                                        "domain.nz=8", "output.history.interval=0 s", "output.servers=1"});
    io::Session session(MPI_COMM_WORLD, session_spec(config));
    if (!session.computes()) return session.serve();
    Domain root(config, session);
    root.write_due_frames(true);
    root.step();
    const auto file = directory / "means_000000.nc";
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!std::filesystem::exists(file) && std::chrono::steady_clock::now() < give_up) {
        root.write_due_frames(false);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(std::filesystem::exists(file));
    root.close_streams();
    session.close();
}

} // namespace
} // namespace squall
