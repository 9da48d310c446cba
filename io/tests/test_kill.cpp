/// kill -9 at any moment leaves only whole frames.

#include <csignal>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "support.hpp"

namespace squall::io::test {

/// Runs the endless writer for so long after its start, then kills it without warning.
void write_and_kill(const std::string &directory, int frames_per_file, std::chrono::microseconds after) {
    int out[2];
    ASSERT_EQ(pipe(out), 0);
    const auto frames = std::to_string(frames_per_file);
    const pid_t child = fork();
    if (child == 0) {
        dup2(out[1], STDOUT_FILENO);
        // A process of its own, not one more rank of ours.
        for (const char *name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMIX_NAMESPACE", "PMI_RANK"})
            unsetenv(name);
        execl(ENDLESS_WRITER, ENDLESS_WRITER, directory.c_str(), frames.c_str(), nullptr);
        _exit(127);
    }
    close(out[1]);
    char byte = 0;
    EXPECT_EQ(read(out[0], &byte, 1), 1) << "the writer did not start";
    std::this_thread::sleep_for(after);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself";
    close(out[0]);
}

/// Checks every published file and returns how many frames they hold.
int check_published(const Scratch &dir, int frames_per_file) {
    int frames = 0;
    for (const auto &name : dir.files()) {
        if (name.ends_with(".part")) continue;
        const Reader file(dir / name);
        EXPECT_EQ(file.frames(), frames_per_file) << name;
        const auto n = file.size("n");
        std::vector<float> a(n);
        std::vector<std::int32_t> b(n);
        for (std::int64_t f = 0; f < file.frames(); ++f, ++frames) {
            file.read("A", f, {{0}, {n}}, a.data());
            file.read("B", f, {{0}, {n}}, b.data());
            EXPECT_EQ(a, std::vector<float>(n, static_cast<float>(frames))) << name;
            EXPECT_EQ(b, std::vector<std::int32_t>(n, frames)) << name;
        }
    }
    return frames;
}

TEST(Kill, LeavesOnlyWholeFrames) {
    std::mt19937 random(20261121);
    std::uniform_int_distribution<int> microseconds(0, 40'000);
    int frames = 0;
    // At least 24 kills, and on a slow machine more, until frames came between them.
    for (int n = 0; n < 24 || (frames <= 24 && n < 240); ++n) {
        const Scratch dir;
        const int frames_per_file = 1 + n % 2 * 2;
        write_and_kill(dir / "", frames_per_file, std::chrono::microseconds(microseconds(random)));
        frames += check_published(dir, frames_per_file);
    }
    EXPECT_GT(frames, 24); // they were killed in the middle of things
}

} // namespace squall::io::test
