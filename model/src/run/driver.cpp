#include "run/driver.hpp"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string_view>

#include <fmt/core.h>
#include <omp.h>
#include <unistd.h>

#include "run/agree.hpp"
#include "run/domain.hpp"
#include "run/plan.hpp"
#include "run/progress.hpp"

namespace squall {
namespace {

namespace fs = std::filesystem;

/// The fixed beginning of the names of a stream's files.
std::string file_prefix(const StreamConfig &stream) {
    const std::string name = fs::path(stream.path).filename().string();
    return name.substr(0, name.find('%'));
}

std::vector<fs::path> earlier_frames(const Config &config) {
    std::vector<fs::path> found;
    for (const StreamConfig &stream : config.streams) {
        const fs::path folder = (fs::path(config.run.directory) / stream.path).parent_path();
        const std::string prefix = file_prefix(stream);
        if (prefix.empty() || !fs::is_directory(folder)) continue;
        for (const auto &entry : fs::directory_iterator(folder))
            if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
    }
    return found;
}

/// Makes the run directory and keeps in it what is run. A cold start into the frames of an earlier
/// run would mix two runs: refused, or the earlier frames are removed.
void prepare_directory(const Config &config, const RunOptions &options) {
    if (config.run.restart_from.empty()) {
        const auto earlier = earlier_frames(config);
        if (!earlier.empty() && !options.overwrite)
            throw std::runtime_error(
                fmt::format("{} holds {} frame file(s) of an earlier run, such as {}: choose another "
                            "run.directory, continue "
                            "that run with run.restart_from, or replace it with --overwrite",
                            config.run.directory, earlier.size(), earlier.front().filename().string()));
        for (const fs::path &path : earlier) fs::remove(path);
    }
    std::error_code error;
    fs::create_directories(config.run.directory, error);
    std::ofstream copy(fs::path(config.run.directory) / "run.toml");
    copy << options.provenance;
    if (!copy.flush())
        throw std::runtime_error(fmt::format(
            "cannot write into {}: check that it exists, is writable and has room", config.run.directory));
}

void write_timing(const std::string &file, std::int64_t steps, double seconds, double output_seconds,
                  std::int64_t cells, int ranks) {
    std::ofstream out(file);
    out << fmt::format("{{\"steps\": {}, \"seconds\": {:.6f}, \"cells\": {}, \"ranks\": {}, \"threads\": {}, "
                       "\"stages\": {{\"dynamics\": {:.6f}, \"output\": {:.6f}}}}}\n",
                       steps, seconds, cells, ranks, omp_get_max_threads(), seconds, output_seconds);
    if (!out.flush()) throw std::runtime_error("cannot write the timing to " + file);
}

/// Whether standard output is a terminal. Under mpirun every rank's looks like one: `squall run`
/// tells what it really is.
bool on_terminal() {
    const char *told = std::getenv("SQUALL_TERMINAL");
    return told ? std::string_view(told) == "1" : isatty(STDOUT_FILENO) != 0;
}

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

void run(const Config &config, const RunOptions &options, MPI_Comm comm) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    agree(comm, [&] {
        if (rank == 0) prepare_directory(config, options);
    });

    Domain root(config, comm);
    const std::int64_t last = std::llround(config.run.duration / config.run.time_step);
    const std::int64_t first = root.steps_done();
    std::optional<Progress> progress;
    if (rank == 0) progress.emplace(std::cout, on_terminal(), root.seconds(), config.run.duration);

    const bool cold_start = config.run.restart_from.empty();
    if (cold_start) root.write_due_frames(true);
    double computing = 0, writing = 0;
    while (root.steps_done() < last) {
        const double begin = now();
        root.step();
        const Health health = root.check();
        const double computed = now();
        root.write_due_frames(false);
        computing += computed - begin;
        writing += now() - computed;
        if (progress) progress->step(root.seconds(), health);
    }
    root.close_streams();
    if (progress) progress->finish();
    agree(comm, [&] {
        if (rank == 0 && !options.timing_file.empty())
            write_timing(options.timing_file, last - first, computing, writing, root.cells(), ranks);
    });
}

void print_plan(const Config &config, MPI_Comm comm) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (rank != 0) return;
    PlanFacts facts;
    facts.ranks = ranks;
    facts.threads = omp_get_max_threads();
    facts.l2_bytes = l2_cache_bytes();
    facts.wind = 50; // of a strong jet; the state itself is not made for a plan
    facts.patch_bytes = Dynamics::bytes;
    const DomainConfig &d = config.domain;
    for (const StreamConfig &s : config.streams) {
        if (s.name == "history")
            facts.streams.push_back({s.name, history_frame_bytes(s, config.file, d.nx, d.ny, d.nz), true});
        else
            facts.streams.push_back({s.name, restart_frame_bytes(d.nx, d.ny, d.nz), false});
    }
    std::cout << format_plan(make_plan(config, facts));
}

} // namespace squall
