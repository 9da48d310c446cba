// squall-transport: runs one run file, alone or as the ranks that a launcher started.
#include <csignal>
#include <iostream>
#include <new>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <mpi.h>
#include <omp.h>

#include "core/local_error.hpp"
#include "core/see.hpp"
#include "core/subnormal.hpp"
#include "drive/run.hpp"
#include "run/agree.hpp"
#include "run/threads.hpp"
#include "runfile/keys.hpp"
#include "runfile/read.hpp"
#include "squall/io.hpp"

namespace {

enum ExitCode { done = 0, run_failed = 1, run_file_wrong = 2, run_stopped = 3 };

struct Arguments {
    std::string run_file;
    std::vector<std::string> overrides;
    bool check = false, list_keys = false;
    int threads = 0;
    squall::RunOptions options;
};

void declare(CLI::App &app, Arguments &a) {
    app.set_version_flag("--version", "squall-transport " SQUALL_VERSION);
    app.add_option("run_file", a.run_file, "Run file (TOML)");
    app.add_option("--set", a.overrides, "Override a key of the run file, such as run.time_step=\"300 s\"")
        ->allow_extra_args(false);
    app.add_option("--threads", a.threads,
                   "Threads per rank (default: OMP_NUM_THREADS, or the rank's share of cores)");
    app.add_flag("--check", a.check, "Check the run file, say what it would run, and run nothing");
    app.add_flag("--overwrite", a.options.overwrite, "Replace the frames of an earlier run in run.directory");
    app.add_option("--timing", a.options.timing_file, "Write the run's timing to this file (JSON)");
    app.add_flag("--keys", a.list_keys, "List all keys of a run file (Markdown)");
    app.footer("Examples:\n"
               "  squall-transport run-files/transport/solid-body.toml\n"
               "  mpirun -n 4 squall-transport tracers.toml --threads 2 --set grid.nlon=640");
}

int rank_of_world() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int ranks_of_world() {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

squall::transport::Settings settings_of(const Arguments &a) {
    if (a.run_file.empty()) throw squall::ConfigError("no run file given; see squall-transport --help");
    auto settings = squall::transport::read_settings(MPI_COMM_WORLD, a.run_file, a.overrides);
    squall::transport::check_files(settings, MPI_COMM_WORLD);
    return settings;
}

ExitCode run(Arguments &a, const squall::transport::Settings &settings) {
    squall::choose_threads(a.threads, settings.common.parallel.threads);
    squall::flush_subnormals();
    if (a.check) {
        squall::transport::check_winds(settings, MPI_COMM_WORLD);
        const std::string text = squall::transport::describe(settings, ranks_of_world());
        if (rank_of_world() == 0) std::cout << text;
        return done;
    }
    a.options.provenance = settings.common.text;
    a.options.command = "squall-transport " + a.run_file;
    for (const std::string &o : a.overrides) {
        a.options.provenance = "# run with --set " + o + '\n' + a.options.provenance;
        if (!o.starts_with("run.restart_from")) a.options.command += " --set '" + o + "'";
    }
    const auto end = squall::transport::run(settings, a.options, MPI_COMM_WORLD);
    return end == squall::RunEnd::stopped ? run_stopped : done;
}

int fail_together(const std::string &what, ExitCode code) {
    if (rank_of_world() == 0) std::cerr << "squall-transport: " << what << std::endl;
    return code;
}

/// An error that may have reached this rank alone, while others wait for it: ends them all.
int fail_alone(const std::string &what, ExitCode code) {
    std::cerr << "squall-transport: rank " << rank_of_world() << ": " << what << std::endl;
    if (ranks_of_world() > 1) MPI_Abort(MPI_COMM_WORLD, code);
    return code;
}

int attempt(Arguments &arguments) {
    auto fail = fail_together;
    try {
        const auto settings = settings_of(arguments);
        // Servers hear nothing of an error of the computing ranks.
        const squall::OutputConfig &output = settings.common.output;
        if (output.servers > 0 || output.servers_per_node > 0) fail = fail_alone;
        return run(arguments, settings);
    } catch (const squall::ConfigError &e) {
        return fail(squall::see(e.what(), "transport"), run_file_wrong);
    } catch (const squall::AgreedError &e) {
        return fail(e.what(), run_failed);
    } catch (const std::bad_alloc &) {
        return fail_alone(squall::out_of_memory(rank_of_world()), run_failed);
    } catch (const std::exception &e) {
        return fail_alone(e.what(), run_failed);
    }
}

} // namespace

int main(int argc, char **argv) {
    Arguments arguments;
    CLI::App app("Squall's transport of chemistry on the globe");
    declare(app, arguments);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &e) {
        return app.exit(e) == 0 ? done : run_file_wrong;
    }
    if (arguments.list_keys) {
        std::cout << squall::transport::key_reference();
        return done;
    }
    // A file-size limit is then an error of the write, which says where, and not a kill.
    std::signal(SIGXFSZ, SIG_IGN);
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    const int code = attempt(arguments);
    MPI_Finalize();
    return code;
}
