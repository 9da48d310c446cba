// squall-model: runs one run file, alone or as the ranks that a launcher started.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <new>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <mpi.h>

#include "config/reference.hpp"
#include "core/device.hpp"
#include "core/local_error.hpp"
#include "core/see.hpp"
#include "core/subnormal.hpp"
#include "initial/initial.hpp"
#include "output/field_reference.hpp"
#include "run/agree.hpp"
#include "run/driver.hpp"
#include "run/monitor.hpp"
#include "run/read_together.hpp"
#include "run/threads.hpp"
#include "settings/config.hpp"

namespace {

enum ExitCode { done = 0, run_failed = 1, run_file_wrong = 2, run_stopped = 3 };

struct Arguments {
    std::string run_file;
    std::vector<std::string> overrides;
    bool plan = false, devices = false, list_cases = false, list_keys = false, list_schema = false,
         list_fields = false;
    int threads = 0;
    std::string device;
    squall::RunOptions options;
};

void declare(CLI::App &app, Arguments &a) {
    app.set_version_flag("--version", "squall-model " SQUALL_VERSION);
    app.add_option("run_file", a.run_file, "Run file (TOML)");
    app.add_option("--set", a.overrides, "Override a key of the run file, such as run.time_step=\"300 s\"")
        ->allow_extra_args(false);
    app.add_option("--threads", a.threads,
                   "Threads per rank (default: OMP_NUM_THREADS, or the rank's share of cores)");
    app.add_option("--device", a.device,
                   "Where the kernels run: cpu or gpu (default: as parallel.device says)");
    app.add_flag("--plan", a.plan, "Print what would be run and written, and run nothing");
    app.add_flag("--overwrite", a.options.overwrite, "Replace the frames of an earlier run in run.directory");
    app.add_option("--timing", a.options.timing_file, "Write the run's timing to this file (JSON)");
    app.add_option("--profile", a.options.profile,
                   "Write a profile of each rank to this folder (rank-N.json)");
    app.add_flag("--devices", a.devices, "Say which graphics processor this program can use, or why none");
    app.add_flag("--cases", a.list_cases, "List the built-in cases");
    app.add_flag("--keys", a.list_keys, "List all keys of a run file (Markdown)");
    app.add_flag("--schema", a.list_schema, "List all keys of a run file (JSON)");
    app.add_flag("--fields", a.list_fields, "List all fields of a history (Markdown)");
    app.footer("Examples:\n"
               "  squall-model run-files/density-current.toml\n"
               "  srun -n 16 squall-model storm.toml --threads 4\n"
               "  squall-model run-files/warm-bubble.toml --plan --set domain.nx=800");
}

std::string provenance(const Arguments &a, const squall::Config &config) {
    std::string text;
    for (const std::string &o : a.overrides) text += "# run with --set " + o + '\n';
    return text + config.text;
}

void print_cases() {
    for (const auto &[name, c] : squall::cases()) std::cout << fmt::format("{:24}{}\n", name, c.title);
}

/// A word as a shell takes it.
std::string quoted(const std::string &word) {
    if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%") ==
        std::string::npos)
        return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

/// The command line that runs the same again, from wherever it starts.
std::string command_line(const Arguments &a) {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::string text = "squall run " + quoted(a.run_file);
    if (ranks > 1) text += fmt::format(" -n {}", ranks);
    if (a.threads > 0) text += fmt::format(" --threads {}", a.threads);
    for (const std::string &o : a.overrides)
        if (!o.starts_with("run.restart_from")) text += " --set " + quoted(o);
    return text;
}

int rank_of_world() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

void say(const std::string &what) { std::cerr << "squall-model: " << what << std::endl; }

int rank_on_node() {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int rank = 0;
    MPI_Comm_rank(node, &rank);
    MPI_Comm_free(&node);
    return rank;
}

squall::Config config_of(const Arguments &a) {
    if (a.run_file.empty()) throw squall::ConfigError("no run file given; see squall-model --help");
    std::vector<std::string> overrides = a.overrides;
    if (!a.device.empty()) overrides.push_back("parallel.device=\"" + a.device + '"');
    return squall::read_together(MPI_COMM_WORLD, a.run_file, overrides);
}

ExitCode run(Arguments &a, const squall::Config &config) {
    squall::choose_threads(a.threads, config.parallel.threads);
    squall::flush_subnormals();
    if (config.parallel.device == "gpu") squall::device::use(rank_on_node());
    if (a.plan) {
        if (squall::print_plan(config, a.options, MPI_COMM_WORLD)) return done;
        if (rank_of_world() == 0)
            say(squall::see("the plan is unstable: use the time step and the substeps that it recommends",
                            "stopped-run"));
        return run_failed;
    }
    a.options.provenance = provenance(a, config);
    a.options.command = command_line(a);
    const auto end = squall::run(config, a.options, MPI_COMM_WORLD);
    return end == squall::RunEnd::stopped ? run_stopped : done;
}

int say_device() {
    try {
        const squall::device::Description device = squall::device::describe(0);
        std::cout << fmt::format("{}, {:.0f} GiB\n", device.name, double(device.memory) / double(1 << 30));
        return done;
    } catch (const std::runtime_error &e) {
        std::cout << e.what() << '\n';
        return run_failed;
    }
}

/// An error that reached all ranks (see run/agree.hpp).
int fail_together(const std::string &what, ExitCode code) {
    if (rank_of_world() == 0) say(what);
    return code;
}

/// What happened on this rank.
std::string here(const std::string &what) {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks > 1 ? fmt::format("rank {}: {}", rank_of_world(), what) : what;
}

/// An error that may have reached this rank alone, while others wait for it: ends them all. Those to
/// whom the first rank will say it in a moment keep silent.
int fail_alone(const std::string &what, ExitCode code) {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank_of_world() != 0) std::this_thread::sleep_for(std::chrono::seconds(2));
    say(what);
    if (ranks > 1) MPI_Abort(MPI_COMM_WORLD, code);
    return code;
}

/// Runs what was asked for and returns the exit code. Of an error that is not known to have reached all ranks
/// alike, others may know nothing.
int attempt(Arguments &arguments) {
    auto fail = fail_together;
    try {
        const squall::Config config = config_of(arguments);
        // Servers hear nothing of an error of the computing ranks.
        if (config.output.servers > 0 || config.output.servers_per_node > 0) fail = fail_alone;
        return run(arguments, config);
    } catch (const squall::ConfigError &e) {
        return fail(squall::see(e.what(), "run-file"), run_file_wrong);
    } catch (const squall::Violation &e) {
        return fail(squall::see(e.what(), "stopped-run"), run_failed);
    } catch (const squall::io::Error &e) {
        return fail_alone(squall::see(e.what(), "check-and-recover"), run_failed);
    } catch (const squall::AgreedError &e) {
        return fail(e.what(), run_failed);
    } catch (const std::bad_alloc &) {
        return fail_alone(squall::out_of_memory(rank_of_world()), run_failed);
    } catch (const std::exception &e) {
        return fail_alone(here(e.what()), run_failed);
    }
}

} // namespace

int main(int argc, char **argv) {
    Arguments arguments;
    CLI::App app("Squall: a limited-area nonhydrostatic weather model");
    declare(app, arguments);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &e) {
        return app.exit(e) == 0 ? done : run_file_wrong;
    }

    if (arguments.devices) return say_device();
    if (arguments.list_cases || arguments.list_keys || arguments.list_schema || arguments.list_fields) {
        if (arguments.list_cases) print_cases();
        if (arguments.list_keys) std::cout << squall::run_file_reference();
        if (arguments.list_fields) std::cout << squall::field_reference();
        if (arguments.list_schema) std::cout << squall::run_file_schema();
        return done;
    }

    // A file-size limit is then an error of the write, which says where, and not a kill.
    std::signal(SIGXFSZ, SIG_IGN);
    int provided = 0; // less where MPI has less: streams are written inline then (output/stream.hpp)
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    const int code = attempt(arguments);
    MPI_Finalize();
    return code;
}
