/// squall-io: the files of the output runtime, converted, joined, checked and recovered, by any
/// number of MPI ranks together.

#include <chrono>
#include <functional>
#include <sstream>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <mpi.h>
#include <nlohmann/json.hpp>

#include "convert.hpp"
#include "printable.hpp"
#include "recover.hpp"
#include "team.hpp"
#include "verify.hpp"

namespace squall::io::tools {
namespace {

constexpr int wrong = 1, failed = 2;

/// What the command line asks for; a subcommand puts what it does into `act`.
struct Request {
    Conversion conversion;
    std::string input, frames;
    bool keep_unverified = false;
    std::vector<std::string> runs;
    Recovery recovery;
    std::size_t memory = std::size_t(256) << 20;
    bool json = false;
    std::function<int(const RankGroup &)> act;
};

int convert_and_tell(const RankGroup &group, Request &request) {
    auto &job = request.conversion;
    job.memory = request.memory;
    job.verify = !request.keep_unverified;
    const auto start = std::chrono::steady_clock::now();
    group.attempt([&] { job.frames = parse_frames(request.frames); });
    const auto made = convert(group, job);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    say(group, fmt::format("{}: {}, {}, {} in {} on disk; {:.1f} s{}", job.output,
                           count(static_cast<std::size_t>(made.frames), "frame"), count(made.fields, "field"),
                           in_units(made.bytes), in_units(made.stored), took.count(),
                           job.verify ? "; read back and compared" : ""));
    return 0;
}

nlohmann::ordered_json options_of(const EngineInfo &engine) {
    static const char *kinds[] = {"number", "size", "boolean", "word", "text"};
    auto all = nlohmann::ordered_json::array();
    for (const auto &o : engine.options)
        all.push_back({{"name", o.name},
                       {"kind", kinds[static_cast<int>(o.kind)]},
                       {"words", o.words},
                       {"preset", o.preset},
                       {"unit", o.unit},
                       {"about", o.about}});
    return all;
}

void print_engines(bool json) {
    auto all = nlohmann::ordered_json::array();
    for (const auto &e : engine_infos()) {
        all.push_back({{"name", e.name},
                       {"makes", e.makes},
                       {"codecs", e.codecs},
                       {"parallel", e.parallel},
                       {"options", options_of(e)},
                       {"missing", e.missing}});
        if (!json)
            fmt::print("{:<16} {}\n", e.name,
                       e.missing.empty() ? fmt::format("{}; codecs: {}", e.makes, fmt::join(e.codecs, ", "))
                                         : "not in this build: " + e.missing);
    }
    if (json) fmt::print("{}\n", all.dump(1));
}

void add_memory(CLI::App *command, Request &request) {
    command
        ->add_option("--memory", request.memory, "Bytes of fields to hold on a rank at a time, such as 64M")
        ->transform(CLI::AsSizeValue(false))
        ->default_str("256M");
}

void add_conversion(CLI::App *command, Request &request) {
    auto &job = request.conversion;
    command->add_option("--engine", job.engine, "Engine of the output")->capture_default_str();
    command->add_option("--codec", job.codec, "Codec, \"name\" or \"name:level\" (default: the engine's)");
    command->add_option("--frames", request.frames, "Frames to convert, first:end as in Python");
    command->add_option("--fields", job.fields, "Fields to convert (default: all)")->delimiter(',');
    add_memory(command, request);
    command->add_flag("--overwrite", job.overwrite, "Replace the output if it exists");
    command->add_flag("--no-verify", request.keep_unverified, "Do not read the output back to compare it");
}

void add_convert(CLI::App &app, Request &request) {
    auto *command = app.add_subcommand("convert", "Convert a file of any engine to any other");
    command->add_option("input", request.input, "File or directory that an engine wrote, or any netCDF file")
        ->required();
    command->add_option("output", request.conversion.output, "File or directory to write")->required();
    add_conversion(command, request);
    command->get_option("--engine")->required();
    command->footer("Example: mpirun -n 4 squall-io convert history.nc history.zarr --engine zarr");
    command->callback([&] {
        request.conversion.inputs = {request.input};
        request.act = [&](const RankGroup &group) { return convert_and_tell(group, request); };
    });
}

void add_stitch(CLI::App &app, Request &request) {
    auto *command = app.add_subcommand(
        "stitch", "Join directories of engine netcdf-split into one file, frame after frame");
    command
        ->add_option("inputs", request.conversion.inputs,
                     "Directories that engine netcdf-split wrote, in order of time")
        ->required();
    command->add_option("-o,--output", request.conversion.output, "File to write")->required();
    add_conversion(command, request);
    command->footer("Example: mpirun -n 4 squall-io stitch day1.split day2.split -o both.nc");
    command->callback(
        [&] { request.act = [&](const RankGroup &group) { return convert_and_tell(group, request); }; });
}

void add_verify(CLI::App &app, Request &request) {
    auto *command = app.add_subcommand("verify", "Check everything that a run published");
    command->add_option("runs", request.runs, "Directories of runs, or manifests")->required();
    add_memory(command, request);
    command->footer("Exits with 1 if anything is wrong. Example: mpirun -n 4 squall-io verify runs/my-case");
    command->callback([&] {
        request.act = [&](const RankGroup &group) {
            return verify(group, request.runs, request.memory) ? 0 : wrong;
        };
    });
}

void add_recover(CLI::App &app, Request &request) {
    auto *command = app.add_subcommand("recover", "Publish the whole frames that a run left unpublished");
    command->add_option("runs", request.runs, "Directories of runs, or manifests")->required();
    command->add_option("--burst-dir", request.recovery.burst_dirs, "Additional burst directory to search");
    command->add_flag("--dry-run", request.recovery.dry_run, "Print what would be done, do nothing");
    command->add_flag("--no-locks", request.recovery.no_locks,
                      "Go on where the file system has no locks: no run is writing there any more");
    add_memory(command, request);
    command->footer(
        "Exits with 1 if nothing of a file could be saved. Example: squall-io recover runs/my-case");
    command->callback([&] {
        request.act = [&](const RankGroup &group) {
            request.recovery.runs = request.runs;
            request.recovery.memory = request.memory;
            return recover(group, request.recovery) ? 0 : wrong;
        };
    });
}

void add_engines(CLI::App &app, Request &request) {
    auto *command = app.add_subcommand("engines", "List the engines, and the reason if one is missing");
    command->add_flag("--json", request.json, "Machine-readable output (JSON)");
    command->callback([&] {
        request.act = [&](const RankGroup &group) {
            if (group.leads()) print_engines(request.json);
            return 0;
        };
    });
}

int run(int argc, char **argv) {
    constexpr double watchdog = 60; ///< [s] after which a rank says that it waits
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CLI::App app("Convert, check and recover files of Squall's output runtime", "squall-io");
    app.require_subcommand(1);
    Request request;
    for (auto *add : {add_convert, add_stitch, add_verify, add_recover, add_engines}) add(app, request);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &e) {
        std::ostringstream out, errors;
        const int code = app.exit(e, out, errors) == 0 ? 0 : failed;
        if (rank == 0) fmt::print("{}", out.str());
        if (rank == 0) fmt::print(stderr, "{}", errors.str());
        return code;
    }
    const RankGroup group(MPI_COMM_WORLD, Patience(watchdog, 0, rank));
    try {
        return request.act(group);
    } catch (const Error &e) {
        if (group.leads()) fmt::print(stderr, "squall-io: {}\n", printable(e.what()));
        return failed;
    }
}

} // namespace
} // namespace squall::io::tools

int main(int argc, char **argv) {
    int granted = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &granted);
    int code = 0;
    try {
        code = squall::io::tools::run(argc, argv);
    } catch (const std::exception &e) { // on this rank alone: the others would wait for it
        fmt::print(stderr, "squall-io: {}\n", squall::io::tools::printable(e.what()));
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Finalize();
    return code;
}
