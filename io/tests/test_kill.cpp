/// kill -9 at any moment, of all ranks, of one, of a server: what is published is whole, what is not
/// cannot be mistaken for it.

#include <algorithm>
#include <csignal>
#include <cstring>
#include <functional>
#include <random>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "declare/encode.hpp"
#include "support.hpp"

namespace squall::io::test {

struct Kill {
    std::string engine = "netcdf", placement = "inline";
    int ranks = 1, servers = 0;
    bool burst = false;
    int victim = -1; ///< the rank to kill; -1: all at once
    int frames_per_file = 1;
    double watchdog = 60;

    std::string text() const {
        return fmt::format("{} {} on {} ranks, {} servers, {} frames a file{}, killing {}", engine, placement,
                           ranks, servers, frames_per_file, burst ? ", burst" : "", victim);
    }
};

std::vector<std::string> command(const Kill &k, const Scratch &dir) {
    std::vector<std::string> words;
    if (k.ranks > 1) words = {MPIEXEC, "--oversubscribe", "-n", std::to_string(k.ranks)};
    for (const auto &w : {std::string(ENDLESS_WRITER), dir / "", std::to_string(k.frames_per_file), k.engine,
                          k.placement, std::to_string(k.servers)})
        words.push_back(w);
    words.push_back(k.burst ? dir / "burst" : "");
    words.push_back(std::to_string(k.watchdog));
    return words;
}

/// What MPI left in the environment would make a child one more rank of ours.
void forget_mpi() {
    std::vector<std::string> names;
    for (char **e = environ; *e; ++e) {
        const std::string name(*e, std::strchr(*e, '='));
        if (name.starts_with("PMI") || (name.starts_with("OMPI_") && !name.starts_with("OMPI_ALLOW")))
            names.push_back(name);
    }
    for (const auto &name : names) unsetenv(name.c_str());
    setenv("OMPI_MCA_io", "^ompio", 1); // the MPI-IO that reports errors
}

/// Starts the writer in a process group of its own; returns once it has started writing.
pid_t start(const std::vector<std::string> &words, const std::string &errors = "/dev/null") {
    int out[2];
    EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
    std::vector<char *> argv;
    for (const auto &w : words) argv.push_back(const_cast<char *>(w.c_str()));
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        dup2(out[1], STDOUT_FILENO);
        dup2(open(errors.c_str(), O_WRONLY | O_CREAT, 0600),
             STDERR_FILENO); // mpirun says much about a killed rank
        forget_mpi();
        execvp(argv[0], argv.data());
        _exit(127);
    }
    close(out[1]);
    char byte = 0;
    EXPECT_EQ(read(out[0], &byte, 1), 1) << "the writer did not start";
    close(out[0]);
    return child;
}

pid_t pid_of(const Scratch &dir, int rank) {
    pid_t pid = 0;
    std::ifstream(dir / fmt::format("pid.{}", rank)) >> pid;
    return pid;
}

/// Whether there was such a process; 0 would be our own group.
bool strike(pid_t pid, int signal = SIGKILL) { return pid != 0 && kill(pid, signal) == 0; }

void kill_it(const Kill &k, const Scratch &dir, pid_t child) {
    std::vector<pid_t> pids;
    for (int r = 0; r < k.ranks; ++r) pids.push_back(pid_of(dir, r));
    if (k.victim >= 0) {
        EXPECT_TRUE(strike(pids[k.victim])); // mpirun then ends the others
    } else {
        for (const auto pid : pids) strike(pid); // mpirun gives ranks groups of their own
        strike(-child);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
        << "the writer ended as if nothing had happened";
    for (const auto pid : pids) // none of them may write while we look
        while (pid != child && strike(pid)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Checksums of the manifest by file, frame and field.
std::map<std::string, nlohmann::json> manifest_of(const Scratch &dir) {
    std::map<std::string, nlohmann::json> stored;
    std::ifstream in(dir / "endless.manifest.jsonl");
    for (std::string line; std::getline(in, line);) {
        const auto event = nlohmann::json::parse(line, nullptr, false); // the last line may be torn
        if (!event.is_discarded() && event["event"] == "stored")
            stored[fmt::format("{} {}", event["file"].get<std::string>(), event["frame"].get<int>())] = event;
    }
    return stored;
}

template <class T> std::string check_field(const Reader &file, const char *name, std::int64_t frame) {
    const auto shape = file.shape(name);
    std::vector<T> values(shape[0] * shape[1]);
    const Box whole{{0, 0}, shape};
    file.read(name, frame, whole, values.data());
    for (const auto &v : values) EXPECT_EQ(v, values.front()); // each frame is of one value
    return fmt::format("{:016x}", checksum(whole, shape, values.data(), type_of<T>));
}

/// Checks everything that is published; returns how many frames there are.
int check_published(const Scratch &dir, const Kill &k) {
    const auto manifest = manifest_of(dir);
    int frames = 0;
    for (const auto &name : dir.files()) {
        if (!name.ends_with(".nc")) continue; // .part, pid files
        SCOPED_TRACE(name);
        const Reader file(dir / name);
        EXPECT_GE(file.frames(), 1);
        if (k.engine != "zarr") { // which shows its frames one by one
            EXPECT_EQ(file.frames(), k.frames_per_file);
        }
        for (std::int64_t f = 0; f < file.frames(); ++f, ++frames) {
            const auto entry = manifest.find(fmt::format("{} {}", name, f));
            if (entry == manifest.end()) {
                ADD_FAILURE() << "a published frame is not in the manifest";
                continue;
            }
            EXPECT_EQ(check_field<float>(file, "A", f), entry->second["fields"]["A"].get<std::string>());
            EXPECT_EQ(check_field<std::int32_t>(file, "B", f),
                      entry->second["fields"]["B"].get<std::string>());
        }
    }
    return frames;
}

/// Whether it becomes so within some minutes.
bool comes_true(const std::function<bool()> &so) {
    for (int n = 0; n < 100'000 && !so(); ++n) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return so();
}

int kills = 0;

/// Kills at a random moment, which is after that of no, one or two files; returns the number of published
/// frames.
int try_kill(const Kill &k, std::mt19937 &random) {
    SCOPED_TRACE(k.text());
    const Scratch dir;
    const pid_t child = start(command(k, dir));
    const auto awaited = std::uniform_int_distribution<std::ptrdiff_t>(0, 2)(random);
    EXPECT_TRUE(comes_true([&] {
        const auto is_published = [](const std::string &name) { return name.ends_with(".nc"); };
        return std::ranges::count_if(dir.files(), is_published) >= awaited;
    }));
    std::this_thread::sleep_for(
        std::chrono::microseconds(std::uniform_int_distribution<int>(0, 120'000)(random)));
    kill_it(k, dir, child);
    ++kills;
    return check_published(dir, k);
}

std::vector<std::string> storing_engines() {
    std::vector<std::string> names;
    for (const auto &e : engine_infos())
        if (e.missing.empty() && e.name != "null" && !e.network) names.push_back(e.name);
    return names;
}

TEST(Kill, LeavesOnlyWholeFramesWhateverTheEngineAndPlacement) {
    std::mt19937 random(20261121);
    for (const auto &engine : storing_engines()) {
        int frames = 0;
        for (int n = 0; n < 8; ++n)
            for (const char *placement : {"inline", "thread"})
                frames += try_kill(
                    {.engine = engine, .placement = placement, .burst = n == 7, .frames_per_file = 1 + n % 3},
                    random);
        for (int n = 0; n < 4; ++n) // ranks 0 and 1 compute, 2 serves
            frames += try_kill({.engine = engine,
                                .placement = "servers",
                                .ranks = 3,
                                .servers = 1,
                                .victim = n - 1,
                                .frames_per_file = 1 + n % 2},
                               random);
        EXPECT_GT(frames, 5) << engine; // they were killed in the middle of things
    }
    while (kills < 100) // in a build with few engines
        try_kill({.placement = kills % 2 ? "inline" : "thread", .frames_per_file = 1 + kills % 3}, random);
}

/// Megabytes of memory that a process has in use.
double memory_of(pid_t pid) {
    std::ifstream in(fmt::format("/proc/{}/statm", pid));
    double total = 0, resident = 0;
    in >> total >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

TEST(Server, ThatIsStoppedIsNamedByTheWatchdogAndGoesOnLater) {
    const Scratch dir;
    const Kill k{.placement = "servers", .ranks = 3, .servers = 1, .watchdog = 1};
    const pid_t child = start(command(k, dir), dir / "errors");
    std::this_thread::sleep_for(std::chrono::milliseconds(300)); // its staging memory is in use
    const pid_t server = pid_of(dir, 2), computing = pid_of(dir, 0);
    ASSERT_TRUE(strike(server, SIGSTOP));
    const double before = memory_of(computing);
    const auto says = [&](const std::string &what) {
        return bytes_of(dir / "errors").find(what) != std::string::npos;
    };
    EXPECT_TRUE(comes_true([&] {
        return says(" s for room in the staging memory of stream endless") &&
               says("for rank 2 (I/O server) to store frame 2000-01-01_00:");
    })) << bytes_of(dir / "errors");
    const auto published = dir.files().size();
    EXPECT_LT(memory_of(computing) - before, 4 + 2); // staging_limit is 4 MB
    ASSERT_TRUE(strike(server, SIGCONT));
    comes_true([&] { return dir.files().size() >= published + 10; });
    EXPECT_GE(dir.files().size(), published + 10) << "it does not go on";
    kill_it(k, dir, child);
    EXPECT_GT(check_published(dir, k), 10);
}

TEST(Thread, IsRefusedWithTheReasonWhereMpiDoesNotLetThreadsCommunicate) {
    const Scratch dir;
    auto words = command({.placement = "thread", .ranks = 2}, dir);
    words.push_back("funneled");
    const pid_t child = start(words, dir / "errors");
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    const auto said = bytes_of(dir / "errors");
    EXPECT_NE(
        said.find("placement thread needs MPI_THREAD_MULTIPLE for messages among the 2 ranks, but MPI grants "
                  "MPI_THREAD_FUNNELED"),
        std::string::npos)
        << said;
}

TEST(Thread, OfOneRankIsRefusedWhereItsEngineCallsMpiAndMpiDoesNotLetThreads) {
    const auto known = engines();
    for (const std::string engine : {"pnetcdf", "netcdf-parallel"}) {
        if (std::ranges::find(known, engine) == known.end()) continue;
        const Scratch dir;
        auto words = command({.engine = engine, .placement = "thread"}, dir);
        words.push_back("funneled");
        const pid_t child = start(words, dir / "errors");
        const auto said = [&] { return bytes_of(dir / "errors"); };
        bool ended = false;
        EXPECT_TRUE(comes_true([&] { return ended = ended || waitpid(child, nullptr, WNOHANG) == child; }));
        if (!ended) strike(-child);
        EXPECT_NE(
            said().find("which calls MPI on one rank too and so needs MPI_THREAD_MULTIPLE, but MPI grants "
                        "MPI_THREAD_FUNNELED"),
            std::string::npos)
            << said();
    }
}

} // namespace squall::io::test
