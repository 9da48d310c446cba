// squall-model: runs one run file, alone or as the ranks that a launcher started.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

#include "config/config.hpp"
#include "config/reference.hpp"
#include "initial/initial.hpp"
#include "run/driver.hpp"

namespace {

enum ExitCode { done = 0, run_failed = 1, run_file_wrong = 2 };

struct Arguments {
    std::string run_file;
    std::vector<std::string> overrides;
    bool plan = false, list_cases = false, list_keys = false;
    int threads = 0;
    squall::RunOptions options;
};

void declare(CLI::App &app, Arguments &a) {
    app.set_version_flag("--version", "squall-model " SQUALL_VERSION);
    app.add_option("run_file", a.run_file, "The run file (TOML)");
    app.add_option("--set", a.overrides, "Override a key of the run file: run.time_step=\"300 s\"")
        ->allow_extra_args(false);
    app.add_option("--threads", a.threads,
                   "Threads per rank (default: OMP_NUM_THREADS, or the rank's share of cores)");
    app.add_flag("--plan", a.plan, "Say what would be run and written, and run nothing");
    app.add_flag("--overwrite", a.options.overwrite, "Replace the frames of an earlier run in run.directory");
    app.add_option("--timing", a.options.timing_file, "Write how long the run took to this file (JSON)");
    app.add_flag("--cases", a.list_cases, "List the built-in cases");
    app.add_flag("--keys", a.list_keys, "List all keys of a run file (Markdown)");
    app.footer("Examples:\n"
               "  squall-model cases/density-current.toml\n"
               "  srun -n 16 squall-model storm.toml --threads 4\n"
               "  squall-model cases/warm-bubble.toml --plan --set domain.nx=800");
}

/// Cores of the machine shared by the ranks on it, unless a launcher gave this rank cores of its own.
int share_of_cores() {
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int ranks = 1;
    MPI_Comm_size(node, &ranks);
    MPI_Comm_free(&node);
    const int mine = omp_get_num_procs();
    const bool bound = mine < static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    return bound ? mine : std::max(1, mine / ranks);
}

void choose_threads(int asked, int configured) {
    if (asked > 0)
        omp_set_num_threads(asked);
    else if (configured > 0)
        omp_set_num_threads(configured);
    else if (!std::getenv("OMP_NUM_THREADS"))
        omp_set_num_threads(share_of_cores());
}

std::string provenance(const Arguments &a) {
    std::ifstream in(a.run_file);
    std::ostringstream text;
    for (const std::string &o : a.overrides) text << "# run with --set " << o << '\n';
    text << in.rdbuf();
    return text.str();
}

void print_cases() {
    for (const auto &[name, c] : squall::cases()) std::cout << fmt::format("{:24}{}\n", name, c.title);
}

int run(Arguments &a) {
    if (a.list_cases || a.list_keys) {
        if (a.list_cases) print_cases();
        if (a.list_keys) std::cout << squall::run_file_reference();
        return done;
    }
    if (a.run_file.empty()) throw squall::ConfigError("no run file given; see squall-model --help");
    const squall::Config config = squall::read_config(a.run_file, a.overrides);
    choose_threads(a.threads, config.parallel.threads);
    if (a.plan) {
        squall::print_plan(config, MPI_COMM_WORLD);
        return done;
    }
    a.options.provenance = provenance(a);
    squall::run(config, a.options, MPI_COMM_WORLD);
    return done;
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

    // A file-size limit is then an error of the write, which says where, and not a kill.
    std::signal(SIGXFSZ, SIG_IGN);
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    // Every error that reaches this point reached it on all ranks (see run/agree.hpp).
    const auto fail = [&](const char *what, ExitCode code) {
        if (rank == 0) std::cerr << "squall-model: " << what << std::endl;
        return code;
    };
    int code = done;
    try {
        code = run(arguments);
    } catch (const squall::ConfigError &e) {
        code = fail(e.what(), run_file_wrong);
    } catch (const std::exception &e) {
        code = fail(e.what(), run_failed);
    }
    MPI_Finalize();
    return code;
}
