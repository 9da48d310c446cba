/// Writes eight frames through servers, of which one is lost on the way:
///
///     losing_writer DIRECTORY HOW VICTIM SERVERS GROUPS SHARED ON_LOST_SERVER TIMEOUT FRAMES_PER_FILE
///                   PATTERN FIRST ENGINE REPLACE
///
/// VICTIM is a rank, to which computing rank 0 does HOW after its third frame, when the first is published if
/// it has a file of its own: kill, before that frame can be stored; late, which is to kill it when the frames
/// are stored; stop, for ever; pause, to stop it for less than the deadline but more than half of it; wake,
/// to stop it until all is written. Every rank says at the end "rank 1: " and what it was told, or "all is
/// well", and leaves without MPI_Finalize, which waits for the lost one. Computing rank 0 says before that
/// "report: 8 committed, 6 stored, 2 failed". PATTERN is that of the files' names, FIRST the name of the
/// first.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <mpi.h>
#include <unistd.h>

#include "squall/io.hpp"

namespace io = squall::io;

namespace {

constexpr std::int64_t points = 60'000;

void sleep_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

/// Waits for it, at most so long [s].
template <class F> void wait_until(double seconds, F true_at_last) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!true_at_last() && std::chrono::steady_clock::now() < end) sleep_for(0.1);
}

bool holds_three_frames(const std::string &file) {
    std::error_code none;
    const auto part = file + ".part"; // or an engine shows them
    if (std::filesystem::is_directory(file, none)) return io::Reader(file).frames() >= 3;
    return std::filesystem::exists(part, none) &&
           std::filesystem::file_size(part, none) >= 2 * points * (3 * sizeof(float) + sizeof(double));
}

/// Three frames and the fixed field of two ranks are in a file; a second later all know it.
void wait_until_stored(const std::string &file) {
    wait_until(60, [&] {
        try {
            return holds_three_frames(file);
        } catch (const io::Error &) { // it has just begun
            return false;
        }
    });
    sleep_for(1);
}

/// Whether it has ended, if only its parent does not know yet.
bool has_ended(int process) {
    std::string text;
    std::ifstream in("/proc/" + std::to_string(process) + "/stat");
    if (!std::getline(in, text)) return true;
    const auto name_ends = text.rfind(')');
    return name_ends == std::string::npos || text.compare(name_ends, 3, ") Z") == 0;
}

/// Messages on their way go on only while somebody is in MPI.
bool make_progress() {
    int there = 0;
    return MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

void strike(pid_t victim, const std::string &how, double deadline, const std::string &first) {
    if (how == "late") wait_until_stored(first);
    kill(victim, how == "kill" || how == "late" ? SIGKILL : SIGSTOP);
    // So that this rank sees at once that it has ended, before it has looked for what it said last.
    if (how == "late") wait_until(60, [&] { return has_ended(victim); });
    if (how != "pause") return;
    sleep_for(0.75 * deadline);
    kill(victim, SIGCONT);
}

/// What it was told, or "".
template <class F> std::string told(F f) {
    try {
        f();
        return "";
    } catch (const io::Error &e) {
        return e.what();
    }
}

void write_frames(io::Session &session, const io::StreamSpec &spec, pid_t victim, const std::string &how,
                  double deadline, const std::string &first) {
    int me = 0, committed = 0;
    MPI_Comm_rank(session.comm(), &me);
    auto stream = session.open(spec);
    const std::vector<double> fixed(points, me + 0.5);
    stream.put("FIXED", {{me, 0}, {1, points}}, fixed.data());
    auto problem = told([&] {
        for (int number = 0; number < 8; ++number) {
            auto frame = stream.begin({3600.0 * number});
            const std::vector<float> a(points, static_cast<float>(10 * number + me));
            frame.put("A", {{me, 0}, {1, points}}, a.data());
            ++committed;
            if (me == 0 && number == 2 && spec.frames_per_file == 1)
                wait_until(60, [&] { return make_progress() && std::filesystem::exists(first); });
            if (me == 0 && number == 2 && how == "kill") kill(victim, SIGSTOP); // it gets no whole frame
            frame.commit();
            if (me == 0 && number == 2) strike(victim, how, deadline, first);
        }
    });
    const auto also = told([&] { stream.close(); });
    if (problem.empty()) problem = also;
    for (const auto &r : session.close())
        std::printf("report: %d committed, %d stored, %d failed\n", committed, static_cast<int>(r.frames),
                    static_cast<int>(r.failed));
    if (!problem.empty()) throw io::Error(problem);
}

} // namespace

int main(int argc, char **argv) {
    int level = 0, rank = 0, ranks = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 14) return 2;
    const std::string directory = argv[1], how = argv[2];
    const int mine = getpid();
    std::vector<int> pids(static_cast<std::size_t>(ranks));
    MPI_Allgather(&mine, 1, MPI_INT, pids.data(), 1, MPI_INT, MPI_COMM_WORLD);
    const pid_t victim = pids[static_cast<std::size_t>(std::atoi(argv[3]))];
    io::SessionSpec settings;
    settings.servers = std::atoi(argv[4]);
    settings.groups = std::atoi(argv[5]);
    settings.shared_memory = std::string(argv[6]) == "shared";
    settings.timeout = std::atof(argv[8]);
    std::string said = "all is well";
    try {
        io::Session session(MPI_COMM_WORLD, settings);
        if (!session.computes()) {
            session.serve();
        } else {
            io::StreamSpec spec;
            int n = 1;
            MPI_Comm_size(session.comm(), &n);
            spec.name = "history";
            spec.path = directory + "/" + argv[10];
            spec.engine = argv[12];
            spec.replace = std::string(argv[13]) == "replace";
            spec.placement = "servers";
            spec.on_lost_server = argv[7];
            spec.frames_per_file = std::atoi(argv[9]);
            spec.dimensions = {{"rank", n}, {"n", points}};
            spec.fields = {{"A", io::Type::f32, {"rank", "n"}, {}},
                           {"FIXED", io::Type::f64, {"rank", "n"}, {}, false}};
            write_frames(session, spec, victim, how, settings.timeout, directory + "/" + argv[11]);
        }
    } catch (const io::Error &e) {
        said = e.what();
    }
    std::printf("rank %d: %s\n", rank, said.c_str());
    std::fflush(stdout);
    if (rank == 0) { // the launcher waits for the lost one, too, and sometimes for what is gone for ever
        if (how == "pause") // it has something to say itself
            wait_until(60, [&] { return has_ended(victim); });
        else
            sleep_for(1);
        kill(victim, how == "wake" ? SIGCONT : SIGKILL);
        wait_until(
            120, [&] { return std::ranges::all_of(pids, [&](int p) { return p == mine || has_ended(p); }); });
        sleep_for(1);
        kill(getppid(), SIGTERM);
    }
    _exit(0);
}
