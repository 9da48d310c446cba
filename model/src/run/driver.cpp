#include "run/driver.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <new>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include "core/local_error.hpp"
#include "core/see.hpp"
#include "output/frame_size.hpp"
#include "output/stream.hpp"
#include "physics/declared_state.hpp"
#include "run/agree.hpp"
#include "run/check_inputs.hpp"
#include "run/domain.hpp"
#include "run/output_summary.hpp"
#include "run/patch_memory.hpp"
#include "run/plan.hpp"
#include "run/profile_file.hpp"
#include "run/progress.hpp"
#include "run/roll_call.hpp"
#include "run/run_log.hpp"
#include "run/status_file.hpp"
#include "run/stop_signals.hpp"
#include "run/text.hpp"
#include "settings/nests.hpp"
#include "settings/network.hpp"

namespace squall {
namespace {

namespace fs = std::filesystem;

/// The fixed beginning of the names of a stream's files.
std::string file_prefix(const StreamConfig &stream) {
    const std::string name = fs::path(stream.path).filename().string();
    return name.substr(0, name.find('%'));
}

/// The streams that the run may write.
std::vector<StreamConfig> possible_streams(const Config &config) {
    std::vector<StreamConfig> streams;
    for (const Config &domain : with_nests(config))
        streams.insert(streams.end(), domain.streams.begin(), domain.streams.end());
    if (std::ranges::find(streams, std::string("restart"), &StreamConfig::name) == streams.end())
        streams.push_back(default_restart(config)); // of a run that was asked to stop
    return streams;
}

/// Files and directories that the streams of an earlier run have left.
std::vector<fs::path> earlier_frames(const Config &config) {
    std::vector<fs::path> found;
    for (const StreamConfig &stream : possible_streams(config)) {
        if (goes_over_network(stream.engine)) continue; // an address that is out of date is replaced
        const fs::path folder = (fs::path(config.run.directory) / stream.path).parent_path();
        const std::string prefix = file_prefix(stream), manifest = stream.name + ".manifest.jsonl";
        if (!fs::is_directory(folder)) continue;
        for (const auto &entry : fs::directory_iterator(folder)) {
            const std::string name = entry.path().filename().string();
            if ((!prefix.empty() && name.starts_with(prefix)) || name == manifest)
                found.push_back(entry.path());
        }
    }
    return found;
}

/// What an earlier run has left and this one is to replace. A cold start into the frames of an earlier run
/// would mix two runs: refused unless they may be removed.
std::vector<fs::path> frames_to_replace(const Config &config, const RunOptions &options) {
    if (!config.run.restart_from.empty()) return {};
    const auto earlier = earlier_frames(config);
    if (!earlier.empty() && !options.overwrite)
        throw std::runtime_error(see(
            fmt::format("{} holds {} file(s) of an earlier run's frames, such as {}: choose another "
                        "run.directory, continue that run with `squall run --continue`, or replace it with "
                        "--overwrite",
                        config.run.directory, earlier.size(), earlier.front().filename().string()),
            "restart"));
    return earlier;
}

/// Makes the run directory and keeps in it what is run.
void prepare_directory(const Config &config, const RunOptions &options) {
    const auto earlier = frames_to_replace(config, options);
    for (const fs::path &path : earlier) fs::remove_all(path);
    if (!earlier.empty()) fs::remove(fs::path(config.run.directory) / "run.log"); // of that run
    std::error_code error;
    fs::create_directories(config.run.directory, error);
    std::ofstream copy(fs::path(config.run.directory) / "run.toml");
    copy << options.provenance;
    if (!copy.flush())
        throw std::runtime_error(fmt::format(
            "cannot write into {}: check that it exists, is writable and has room", config.run.directory));
}

/// How long the parts of a run took [s].
struct Timing {
    double computing = 0, writing = 0, finishing = 0; ///< finishing: output, after the last step
    std::vector<double> steps;                        ///< each with the output that follows it
    std::vector<double> processor; ///< the same, of all threads: what others do is not in it
    double all() const { return computing + writing + finishing; }
};

std::string domains_as_json(const StepCosts &costs) {
    std::vector<std::string> domains;
    for (const DomainCost &d : costs.domains)
        domains.push_back(
            fmt::format("{{\"name\": \"{}\", \"steps\": {}, \"own\": {:.6f}, \"nesting\": {:.6f}}}", d.name,
                        d.steps, d.own, d.nesting));
    return fmt::format("[{}]", fmt::join(domains, ", "));
}

void write_timing(const std::string &file, const Timing &timing, const Domain &root, const StepCosts &costs,
                  int ranks) {
    std::ofstream out(file);
    out << fmt::format(
        "{{\"steps\": {}, \"seconds\": {:.6f}, \"cells\": {}, \"ranks\": {}, \"threads\": {}, "
        "\"array_bytes\": {}, \"stages\": {{\"dynamics\": {:.6f}, \"output\": {:.6f}}}, \"domains\": {}, "
        "\"each_step\": [{:.6f}], \"each_step_processor\": [{:.6f}]}}\n",
        timing.steps.size(), timing.computing, root.cells(), ranks, omp_get_max_threads(), allocated_bytes(),
        timing.computing, timing.writing + timing.finishing, domains_as_json(costs),
        fmt::join(timing.steps, ", "), fmt::join(timing.processor, ", "));
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

/// Of the processor, by this rank.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Where rank 0 tells how far the run is; elsewhere nothing of it is there.
struct Teller {
    std::optional<Progress> screen, log;
    StatusFile *status = nullptr;
    bool adapts = false; ///< the time step

    /// From a model time [s] on.
    void begin(RunLog &out, double seconds, double end) {
        const bool redrawn = on_terminal(); // which is nothing for a file
        screen.emplace(redrawn ? out.screen() : std::cout, redrawn, seconds, end);
        if (redrawn) log.emplace(out.only(), false, seconds, end);
        status->begin(seconds);
    }
    void step(const Domain &root, const Health &health) {
        if (!status) return;
        screen->step(root.seconds(), health, adapts ? root.last_step() : 0);
        if (log) log->step(root.seconds(), health, adapts ? root.last_step() : 0);
        status->step(root.seconds(), root.steps_done(), health, root.costs());
    }
    void ranks(const std::vector<RankState> &states) {
        if (status) status->ranks(states);
    }
    void finish() {
        if (!status) return;
        screen->finish();
        if (log) log->finish();
    }
};

/// What ranks have for each other at the end of a step, as one number of which the largest counts: one that
/// was asked to stop is heard before the first, which asks how the others are.
int notice_of(int signal, bool roll_call) { return signal > 0 ? signal + 1 : int(roll_call); }
int signal_of(int notice) { return notice > 1 ? notice - 1 : 0; }

/// To the last step, or to the one during which a rank was asked to stop: then the number of the signal,
/// else 0.
int integrate(Domain &root, const Config &config, RollCall &roll, Teller &teller, Timing &timing) {
    if (config.run.restart_from.empty()) {
        const double begin = now();
        if (config.digital_filter.scheme != "none") root.filter_start();
        root.write_due_frames(true);
        timing.writing += now() - begin;
    }
    while (!root.finished()) {
        const double begin = now(), processor = processor_seconds();
        root.step();
        const Health health = root.check(notice_of(StopSignals::received(), roll.due()));
        const double computed = now();
        root.write_due_frames(false);
        timing.computing += computed - begin;
        const double done = now();
        timing.writing += done - computed;
        timing.steps.push_back(done - begin);
        timing.processor.push_back(processor_seconds() - processor);
        teller.step(root, health);
        if (health.notice == notice_of(0, true)) teller.ranks(roll.call(root.waited()));
        const int signal = signal_of(health.notice);
        if (signal > 0 && !root.finished()) return signal;
    }
    return 0;
}

/// What the user of a run that was asked to stop wants to know. Throws if the restart frame, which a
/// stream may lose by its settings, is not there.
std::string farewell(int signal, const Domain &root, const Config &config, const std::string &command,
                     const std::string &restart) {
    if (!fs::exists(restart))
        throw std::runtime_error(
            fmt::format("stopped by {}, and the restart frame {} could not be stored: continue from an "
                        "earlier one, and see io-report.json in {}",
                        signal_name(signal), restart, config.run.directory));
    return fmt::format("Stopped by {} at model time {} of {}. To go on:\n  {} --set run.restart_from={}\n",
                       signal_name(signal), format_duration(root.seconds()),
                       format_duration(config.run.duration), command, restart);
}

/// On the ranks that compute. Frames on their way are stored even if the state has become useless.
RunEnd compute(const Config &config, const RunOptions &options, io::Session &session, RunLog &log,
               StatusFile *status) {
    const MPI_Comm comm = session.comm();
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    Domain root(config, session);
    Teller teller;
    teller.status = status;
    teller.adapts = config.run.adaptive_time_step;
    if (status) teller.begin(log, root.seconds(), config.run.duration);

    RollCall roll(comm);
    Timing timing;
    int signal = 0;
    std::string restart;
    ProfiledRun profiled(comm, options.profile);
    try {
        signal = integrate(root, config, roll, teller, timing);
        profiled.end(timing.steps.size(), root);
        if (signal != 0) restart = root.write_restart();
    } catch (const io::Error &) {
        throw; // perhaps on this rank alone: nothing collective is possible
    } catch (const LocalError &) {
        throw;
    } catch (const std::bad_alloc &) {
        throw;
    } catch (...) {
        root.close_streams();
        session.close();
        throw;
    }
    const double stopped = now();
    root.close_streams();
    timing.finishing = now() - stopped;
    const auto reports = session.close();
    teller.finish();
    const StepCosts costs = root.step_costs();
    if (rank == 0)
        std::cout << format_step_costs(costs)
                  << format_output_summary(reports, timing.all(), timing.finishing) << std::flush;
    agree(comm, [&] {
        if (rank == 0 && !options.timing_file.empty())
            write_timing(options.timing_file, timing, root, costs, ranks);
        if (rank == 0 && signal != 0)
            std::cout << farewell(signal, root, config, options.command, restart) << std::flush;
        if (status && signal == 0) status->done(reports);
        if (status && signal != 0)
            status->stopped(std::string("by ") + signal_name(signal), restart, reports);
    });
    return signal != 0 ? RunEnd::stopped : RunEnd::done;
}

/// The streams as the run would open them: what cannot work is refused here as there.
std::vector<io::StreamSpec> check_streams(io::Session &session, const Config &config, Shape largest) {
    std::vector<io::StreamSpec> specs;
    for (const StreamConfig &s : config.streams) {
        if (s.interval <= 0) continue;
        specs.push_back(s.name == "restart" ? restart_spec(s, config) : history_spec(s, config));
        open_stream(session, s, config, specs.back(), largest).close();
    }
    return specs;
}

PlanFacts find_facts(int ranks) {
    PlanFacts facts;
    facts.ranks = ranks;
    facts.threads = omp_get_max_threads();
    facts.l2_bytes = l2_cache_bytes();
    facts.wind = 50; // of a strong jet; the state itself is not made for a plan
    facts.patch_bytes = [](const Config &domain, Shape s) {
        return patch_memory(domain, s, omp_get_max_threads());
    };
    return facts;
}

/// Where the patches of a domain begin, for the dimensions of its fields.
std::map<std::string, std::vector<std::int64_t>> starts_of_patches(const Config &c, const Decomposition &d) {
    std::vector<std::int64_t> x, y;
    const auto patch = [&](int rank) {
        return make_patch(rank, d.px, d.py, c.domain.nx, c.domain.ny, c.domain.nz, c.domain.boundaries,
                          c.identity.parent_grid_ratio);
    };
    for (int i = 0; i < d.px; ++i) x.push_back(patch(i).x0);
    for (int j = 0; j < d.py; ++j) y.push_back(patch(j * d.px).y0);
    return {{"west_east", x}, {"west_east_stag", x}, {"south_north", y}, {"south_north_stag", y}};
}

std::map<std::string, int> made_by(const io::StreamSpec &spec) {
    std::map<std::string, int> numbers;
    for (const auto &field : io::made_fields(spec)) ++numbers[field.by];
    return numbers;
}

} // namespace

namespace {

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
        const bool perhaps_alone = dynamic_cast<const io::Error *>(&e) ||
                                   dynamic_cast<const LocalError *>(&e) ||
                                   dynamic_cast<const std::bad_alloc *>(&e);
        if (rank == 0 || perhaps_alone) log.only() << "failed: " << e.what() << std::endl;
        if (status) status->died(e.what());
        throw;
    }
}

bool print_plan(const Config &config, const RunOptions &options, MPI_Comm world) {
    io::Session session = open_session(world, config, session_spec(config));
    if (!session.computes()) {
        session.serve();
        return true;
    }
    int rank = 0, ranks = 1, all = 1;
    MPI_Comm_rank(session.comm(), &rank);
    MPI_Comm_size(session.comm(), &ranks);
    MPI_Comm_size(world, &all);
    PlanFacts facts = find_facts(ranks);
    facts.servers = all - ranks;
    const Shape largest = plan_decomposition(config, facts).largest;
    const auto shares = choose_shares(config, ranks);
    for (const Config &domain : with_nests(config)) {
        const Share &share = shares[static_cast<std::size_t>(domain.identity.id - 1)];
        const auto split = plan_decomposition(domain, facts_on(share, facts));
        const auto starts = starts_of_patches(domain, split);
        for (const auto &spec : check_streams(session, domain, split.largest))
            facts.streams.push_back({spec.name, spec.placement, stored_bytes(spec),
                                     staged_bytes(spec, largest), spec.name != "restart", made_by(spec),
                                     io::encodable(spec, starts)});
    }
    const Plan plan = make_plan(config, facts);
    if (rank == 0) std::cout << format_plan(plan) << std::flush;
    agree(session.comm(), [&] {
        if (rank == 0) frames_to_replace(config, options);
    });
    check_inputs(config, session.comm());
    session.close();
    return plan.stable();
}

} // namespace squall
