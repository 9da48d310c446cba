/// squall-io-bench: writes frames through Squall's output runtime and, in the same seconds, measures
/// what the machine and the engine's own library can do. `squall lab io` runs it over the matrix of
/// engines, placements and codecs.

#include <filesystem>
#include <fstream>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <mpi.h>
#include <nlohmann/json.hpp>

#include "measure.hpp"

namespace {

namespace fs = std::filesystem;
namespace io = squall::io;
using squall::bench::Measured;
using squall::bench::Settings;
using Json = nlohmann::ordered_json;

void declare(CLI::App &app, Settings &s) {
    app.add_option("--engine", s.engine);
    app.add_option("--placement", s.placement);
    app.add_option("--codec", s.codec, "codec, \"name\" or \"name:level\"");
    app.add_option("--directory", s.directory, "directory for the output; removed at the end")->required();
    app.add_option("--json", s.json, "file for the result")->required();
    app.add_option("--file", s.file, "history file to take the values from");
    app.add_option("--size", s.size, "number of points in x, y and z")
        ->expected(3)
        ->check(CLI::PositiveNumber);
    app.add_option("--fields", s.fields)->check(CLI::PositiveNumber);
    app.add_option("--frames", s.frames)->check(CLI::PositiveNumber);
    app.add_option("--frames-per-file", s.frames_per_file)->check(CLI::PositiveNumber);
    app.add_option("--servers", s.servers)->check(CLI::NonNegativeNumber);
    app.add_option("--groups", s.groups, "groups of servers")->check(CLI::PositiveNumber);
    app.add_option("--assignment", s.assignment,
                   "assignment of slabs to servers: consecutive or round-robin");
    app.add_option("--burst-directory", s.burst_directory, "directory in which files are written first");
    app.add_option("--option", s.options, "option of the engine, \"key=value\"")->allow_extra_args(false);
    app.add_option("--interval", s.interval, "seconds of computing before each frame")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--staging-limit", s.staging_limit, "bytes")->check(CLI::PositiveNumber);
    app.add_flag("--messages", s.messages, "send messages to servers, from ranks of their node too");
    app.add_flag("--baseline", s.baseline, "run the library's plain write loop for comparison");
}

void list_engines() {
    Json all = Json::array();
    for (const auto &e : io::engine_infos())
        if (!e.network) // there is no file to compare with
            all.push_back({{"name", e.name}, {"codecs", e.codecs}, {"missing", e.missing}});
    std::cout << all << "\n";
}

/// The frames of the session's report: perceived and drain time of each.
Json frames_of(const std::string &report) {
    std::ifstream in(report);
    const auto timeline = Json::parse(in).at("streams").at(0).at("timeline");
    Json frames = Json::array();
    for (const auto &f : timeline)
        frames.push_back({{"perceived", f.at("perceived")},
                          {"drain", f.at("drain_ended").get<double>() - f.at("committed").get<double>()}});
    return frames;
}

Json result_of(const Measured &m, const Settings &s, const std::string &report) {
    Json frames = frames_of(report);
    for (std::size_t n = 0; n < frames.size(); ++n) {
        frames[n]["copy"] = m.copy[n];
        frames[n]["raw"] = m.raw[n];
        frames[n]["raw_fsync"] = m.raw_fsync[n];
        if (n > 0 && !m.baseline.empty()) frames[n]["baseline"] = m.baseline[n - 1];
    }
    const auto &stream = m.streams.at(0);
    return {{"engine", s.engine},
            {"placement", s.placement},
            {"codec", s.codec},
            {"shape", m.shape},
            {"fields", m.fields},
            {"bytes", m.bytes},
            {"stored_bytes", stream.stored_bytes / static_cast<std::uint64_t>(stream.frames)},
            {"interval", s.interval},
            {"waits", stream.waits},
            {"staging_limit", s.staging_limit},
            {"frames", frames}};
}

/// The largest of the ranks that compute and of those that serve.
std::pair<std::int64_t, std::int64_t> memory_of_all(bool computes, std::int64_t memory) {
    std::int64_t mine[] = {computes ? memory : 0, computes ? 0 : memory}, all[2] = {};
    MPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    return {all[0], all[1]};
}

void run(const Settings &settings) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const auto report = settings.directory + "/report.json";
    if (rank == 0) fs::create_directories(settings.directory);
    MPI_Barrier(MPI_COMM_WORLD);
    const squall::bench::MemoryGrowth growth;
    Measured measured;
    bool computes = true;
    {
        io::Session session(MPI_COMM_WORLD, {.servers = settings.servers,
                                             .groups = settings.groups,
                                             .assignment = settings.assignment,
                                             .shared_memory = !settings.messages,
                                             .staging_limit = settings.staging_limit,
                                             .report = report});
        computes = session.computes();
        if (computes)
            measured = squall::bench::measure(session, settings);
        else
            session.serve();
    }
    if (!computes) measured.memory = growth.most();
    const auto [computing, server] = memory_of_all(computes, measured.memory);
    if (!measured.streams.empty()) {
        Json result = result_of(measured, settings, report);
        result["memory"] = {{"computing", computing}, {"server", server}};
        std::ofstream(settings.json) << result.dump(1) << "\n";
        fs::remove_all(settings.directory);
    }
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Compares Squall's output with what the machine and the engine's library can do.");
    Settings settings;
    declare(app, settings);
    app.add_flag_callback(
        "--engines",
        [] {
            list_engines();
            throw CLI::Success();
        },
        "list the available engines, as JSON");
    CLI11_PARSE(app, argc, argv);
    int granted = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &granted);
    try {
        run(settings);
    } catch (const std::exception &e) {
        fmt::print(stderr, "squall-io-bench: {}\n", e.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
}
