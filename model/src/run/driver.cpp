#include "run/driver.hpp"

#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <optional>

#include <fmt/format.h>
#include <omp.h>

#include "core/stopwatch.hpp"
#include "output/stream.hpp"
#include "run/agree.hpp"
#include "run/domain.hpp"
#include "run/output_summary.hpp"
#include "run/profile_file.hpp"
#include "run/roll_call.hpp"
#include "run/run_directory.hpp"
#include "run/run_log.hpp"
#include "run/status_file.hpp"
#include "run/stop_signals.hpp"
#include "run/teller.hpp"
#include "run/text.hpp"
#include "run/timing.hpp"
#include "settings/nests.hpp"

namespace squall {
namespace {

namespace fs = std::filesystem;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Of the processor, by this thread.
double thread_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// What ranks have for each other at the end of a step, as one number of which the largest counts: one that
/// was asked to stop is heard before the first, which asks how the others are.
int notice_of(int signal, bool roll_call) { return signal > 0 ? signal + 1 : int(roll_call); }
int signal_of(int notice) { return notice > 1 ? notice - 1 : 0; }

/// Where a run ends: `signal` is that by which a rank was asked to stop, 0 at the last step.
struct Stop {
    int signal = 0;
    bool filtering = false; ///< in a digital filter, of which nothing can be kept
};

/// To the last step, or to the one during which a rank was asked to stop.
Stop integrate(Domain &root, const Config &config, RollCall &roll, Teller &teller, Timing &timing) {
    if (config.run.restart_from.empty()) {
        const double begin = now();
        if (config.digital_filter.scheme != "none") {
            const int heard = root.filter_start([] { return notice_of(StopSignals::received(), false); });
            if (heard != 0) return {signal_of(heard), true};
        }
        root.diagnose_for_output(true);
        const double computed = now();
        timing.computing += computed - begin;
        root.write_due_frames(true);
        timing.writing += now() - computed;
    }
    while (!root.finished()) {
        const double begin = now(), processor = processor_seconds(), thread = thread_seconds();
        root.step();
        const Health health = root.check(notice_of(StopSignals::received(), roll.due()));
        if (root.budgets_due()) teller.budgets(root.close_budgets());
        root.diagnose_for_output(false);
        const double computed = now(), before_output = thread_seconds();
        root.write_due_frames(false);
        timing.output.push_back(thread_seconds() - before_output);
        timing.computing += computed - begin;
        const double done = now();
        timing.writing += done - computed;
        timing.steps.push_back(done - begin);
        timing.processor.push_back(processor_seconds() - processor);
        timing.stepping.push_back(thread_seconds() - thread);
        teller.step(root, health);
        if (health.notice == notice_of(0, true)) teller.ranks(roll.call(root.waited()));
        const int signal = signal_of(health.notice);
        if (signal > 0 && !root.finished()) return {signal};
    }
    return {};
}

/// What the user of a run that was asked to stop wants to know; `restart` is empty where that was before the
/// first step. Throws if the restart frame, which a
/// stream may lose by its settings, is not there.
std::string farewell(int signal, const Domain &root, const Config &config, const std::string &command,
                     const std::string &restart) {
    if (restart.empty())
        return fmt::format("Stopped by {} in the digital filter, before the first step: no restart frame is "
                           "kept. To start again:\n  {}\n",
                           signal_name(signal), command);
    if (!fs::exists(restart))
        throw std::runtime_error(fmt::format("stopped by {}, but the restart frame {} could not be stored: "
                                             "continue from an earlier one, and see io-report.json in {}",
                                             signal_name(signal), restart, config.run.directory));
    return fmt::format("Stopped by {} at model time {} of {}. To continue:\n  {} --set run.restart_from={}\n",
                       signal_name(signal), format_duration(root.seconds()),
                       format_duration(config.run.duration), command, restart);
}

void note_ratios(const Config &config, RunLog &log) {
    for (const NestConfig &nest : config.nests)
        if (const std::string note = note_on_ratio(nest); !note.empty())
            log.only() << "nest " << nest.name << ": " << note << std::endl;
}

void note_step(const Domain &root, const Config &config) {
    if (const auto earlier = root.earlier_step())
        std::cout << fmt::format("From {} on the time step {} {:g} s; before the restart it was {:g} s.\n",
                                 format_duration(root.seconds()),
                                 config.run.adaptive_time_step ? "adapts, from" : "is", config.run.time_step,
                                 *earlier)
                  << std::flush;
}

/// On the ranks that compute. Frames on their way are stored even if the state has become useless, but not
/// where a rank fails alone.
RunEnd compute(const Config &config, const RunOptions &options, io::Session &session, RunLog &log,
               StatusFile *status) {
    const MPI_Comm comm = session.comm();
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    Domain root(config, session);
    Teller teller(log, status, config.run.adaptive_time_step);
    if (rank == 0) note_ratios(config, log), note_step(root, config);
    if (rank == 0 && !root.boundary_note().empty()) std::cout << root.boundary_note() << std::endl;
    teller.begin(root.seconds(), config.run.duration);

    RollCall roll(comm);
    Timing timing;
    Stop stop;
    std::string restart;
    ProfiledRun profiled(comm, options.profile);
    const auto end_orderly = [&] {
        root.close_streams();
        session.close();
    };
    try {
        stop = integrate(root, config, roll, teller, timing);
        profiled.end(timing.steps.size(), root);
        if (stop.signal != 0 && !stop.filtering) restart = root.write_restart();
        if (!stop.filtering) teller.budgets(root.close_budgets());
    } catch (const AgreedError &) {
        end_orderly();
        throw;
    } catch (const ConfigError &) { // of a nest that begins
        end_orderly();
        throw;
    } // all others perhaps on this rank alone: nothing collective is possible
    const int signal = stop.signal;
    const double stopped = now();
    root.close_streams();
    timing.finishing = now() - stopped;
    const auto reports = session.close();
    teller.finish();
    const StepCosts costs = root.step_costs();
    const auto steps = options.timing_file.empty() ? std::vector<RankSteps>() : steps_of_ranks(timing, comm);
    if (rank == 0)
        std::cout << format_step_costs(costs)
                  << (costs.domains.size() > 1 ? format_budgets(teller.all_budgets()) : "")
                  << format_output_summary(reports, timing.all(), timing.finishing) << std::flush;
    agree(comm, [&] {
        if (rank == 0 && !options.timing_file.empty())
            write_timing(options.timing_file, timing, steps, root, costs);
        if (rank == 0 && signal != 0)
            std::cout << farewell(signal, root, config, options.command, restart) << std::flush;
        if (status && signal == 0) status->done(reports);
        if (status && signal != 0)
            status->stopped(std::string("by ") + signal_name(signal), restart, reports);
    });
    return signal != 0 ? RunEnd::stopped : RunEnd::done;
}

/// A run of which `status`, on the first of the ranks that compute, tells.
RunEnd run(const Config &config, const RunOptions &options, MPI_Comm world, RunLog &log,
           std::optional<StatusFile> &status) {
    auto spec = session_spec(config);
    spec.report = (fs::path(config.run.directory) / "io-report.json").string();
    io::Session session = open_session(world, config, spec);
    if (!session.computes()) {
        session.serve();
        return RunEnd::done;
    }
    int rank = 0, ranks = 1;
    MPI_Comm_rank(session.comm(), &rank);
    MPI_Comm_size(session.comm(), &ranks);
    agree(session.comm(), [&] {
        if (rank != 0) return;
        prepare_directory(config, options);
        log.only() << options.command << std::endl;
        status.emplace(config, ranks, omp_get_max_threads());
    });
    return compute(config, options, session, log, status ? &*status : nullptr);
}

} // namespace

RunEnd run(const Config &config, const RunOptions &options, MPI_Comm world) {
    const StopSignals heeded;
    int rank = 0;
    MPI_Comm_rank(world, &rank);
    RunLog log(config.run.directory, rank);
    std::optional<StatusFile> status;
    try {
        return run(config, options, world, log, status);
    } catch (const std::exception &e) {
        // The screen is told by whoever called, once for all ranks if all know.
        const bool all_know = dynamic_cast<const AgreedError *>(&e) || dynamic_cast<const ConfigError *>(&e);
        if (rank == 0 || !all_know) log.only() << "failed: " << e.what() << std::endl;
        if (status) status->died(e.what());
        throw;
    }
}

} // namespace squall
