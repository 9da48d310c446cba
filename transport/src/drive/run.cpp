#include "drive/run.hpp"

#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <omp.h>

#include "core/interval.hpp"
#include "core/stopwatch.hpp"
#include "drive/timing.hpp"
#include "drive/world.hpp"
#include "frames/fields.hpp"
#include "frames/history.hpp"
#include "frames/restart.hpp"
#include "output/stream.hpp"
#include "run/agree.hpp"
#include "run/progress.hpp"
#include "run/run_directory.hpp"
#include "run/status_file.hpp"
#include "run/stop_signals.hpp"
#include "run/text.hpp"

namespace squall::transport {
namespace {

/// Steps from one look for values that are not numbers to the next.
constexpr int steps_between_looks = 10;

/// The streams of a run.
class Streams {
  public:
    Streams(io::Session &session, const Settings &settings, const World &world, MPI_Comm comm)
        : settings_(settings), restart_config_(restart_stream(settings)),
          costs_(settings.common.streams.size()) {
        for (const StreamConfig &stream : settings.common.streams)
            if (stream.name != "restart" && stream.interval > 0)
                histories_.push_back(std::make_unique<GlobeHistory>(session, stream, settings, world.where(),
                                                                    world.flow(), comm));
        restart_.emplace(session, restart_config_, settings, world.where());
    }

    void write_due(std::int64_t step, const Block &block, bool first) {
        const double step_length = settings_.common.run.time_step,
                     seconds = static_cast<double>(step) * step_length;
        for (auto &history : histories_)
            if (is_multiple(seconds, history->settings().interval, 1e-3 * step_length)) {
                history->write(seconds, block);
                count(history->settings().name);
            }
        const double interval = restart_->interval();
        if (!first && interval > 0 && is_multiple(seconds, interval, 1e-3 * step_length))
            write_restart(step, block);
    }

    /// Unless it is there already.
    void write_restart(std::int64_t step, const Block &block) {
        if (step == last_restart_) return;
        restart_->write(step, block);
        count("restart");
        last_restart_ = step;
    }

    /// In the order of the run file's streams.
    const std::vector<StreamCost> &costs() const { return costs_; }

    std::string restart_path(std::int64_t step) const {
        const io::Time time{static_cast<double>(step) * settings_.common.run.time_step,
                            settings_.common.run.start};
        return io::format_time(
            time, (std::filesystem::path(settings_.common.run.directory) / restart_config_.path).string());
    }

    void close() {
        for (auto &history : histories_) history->close();
        restart_->close();
    }

  private:
    void count(const std::string &name) {
        for (std::size_t n = 0; n < costs_.size(); ++n)
            costs_[n].frames += settings_.common.streams[n].name == name;
    }

    const Settings &settings_;
    StreamConfig restart_config_;
    std::vector<StreamCost> costs_;
    std::vector<std::unique_ptr<GlobeHistory>> histories_;
    std::optional<GlobeRestart> restart_;
    std::int64_t last_restart_ = -1;
};

int heard(MPI_Comm comm) {
    int signal = StopSignals::received();
    MPI_Allreduce(MPI_IN_PLACE, &signal, 1, MPI_INT, MPI_MAX, comm);
    return signal;
}

/// Before anything is written. Throws ConfigError.
void check_fields(const Settings &settings) {
    const GlobeGrid globe = make_globe(settings.grid.kind, settings.grid.nlon, settings.grid.nlat);
    for (const StreamConfig &stream : settings.common.streams)
        if (stream.name != "restart")
            fields_of_stream(stream, settings), footprints_of(stream, settings, globe);
}

/// Steps to the end; the signal that asked to stop before, or 0. `status`: null but on the rank that tells.
int integrate(World &world, Streams &streams, const Settings &settings, MPI_Comm comm, StatusFile *status,
              Timing &timing) {
    const double step = settings.common.run.time_step;
    std::optional<Progress> progress;
    if (status) {
        const double begun = static_cast<double>(world.step()) * step;
        progress.emplace(std::cout, on_terminal(), begun, settings.common.run.duration);
        status->begin(begun);
    }
    timing.starting += seconds_of([&] {
        if (settings.common.run.restart_from.empty()) streams.write_due(0, world.block(), true);
    });
    int signal = 0;
    while (world.step() < settings.steps() && signal == 0) {
        const double processor = processor_seconds();
        timing.steps.push_back(seconds_of([&] {
            world.advance();
            if (world.step() % steps_between_looks == 0 || world.step() == settings.steps()) world.look();
            streams.write_due(world.step(), world.block(), false);
        }));
        timing.processor.push_back(processor_seconds() - processor);
        if (status) {
            const double seconds = static_cast<double>(world.step()) * step;
            progress->step(seconds, [&] {
                return fmt::format("lost from a cell {:.2f} of its air, {} parts a step", world.courant(),
                                   world.parts());
            });
            Health health;
            health.courant_horizontal.value = world.courant();
            health.w.value = std::nan("");
            status->step(seconds, world.step(), health, streams.costs());
        }
        signal = heard(comm);
    }
    if (progress) progress->finish();
    return world.step() < settings.steps() ? signal : 0;
}

io::SessionSpec spec_of_session(const Settings &settings) {
    Config servers; // who writes, without the limited-area model's streams
    servers.output = settings.common.output;
    io::SessionSpec spec = session_spec(servers);
    double staging = restart_stream(settings).staging_limit;
    for (const StreamConfig &stream : settings.common.streams) staging += stream.staging_limit;
    spec.staging_limit = static_cast<std::size_t>(staging);
    spec.report = (std::filesystem::path(settings.common.run.directory) / "io-report.json").string();
    return spec;
}

RunEnd compute(const Settings &settings, const RunOptions &options, io::Session &session) {
    const MPI_Comm comm = session.comm();
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    std::optional<StatusFile> status;
    if (rank == 0) status.emplace(settings.common, ranks, omp_get_max_threads());
    Timing timing;
    std::optional<World> world;
    std::optional<Streams> all_streams;
    timing.starting = seconds_of([&] {
        world.emplace(settings, comm);
        all_streams.emplace(session, settings, *world, comm);
    });
    Streams &streams = *all_streams;
    int signal = 0;
    try {
        signal = integrate(*world, streams, settings, comm, status ? &*status : nullptr, timing);
        if (signal != 0) streams.write_restart(world->step(), world->block());
    } catch (const AgreedError &error) {
        streams.close();
        session.close();
        if (status) status->died(error.what());
        throw;
    }
    std::vector<io::StreamReport> reports;
    timing.finishing = seconds_of([&] {
        streams.close();
        reports = session.close();
    });
    timing.winds = world->wind_costs();
    if (rank == 0 && !options.timing_file.empty()) write_timing(options.timing_file, timing, settings, ranks);
    if (status && signal == 0) status->done(reports);
    if (status && signal != 0)
        status->stopped(signal_name(signal), streams.restart_path(world->step()), reports);
    const std::string summary = world->summary();
    if (rank != 0) return signal != 0 ? RunEnd::stopped : RunEnd::done;
    std::cout << summary << std::flush;
    if (signal != 0)
        std::cout << fmt::format(
                         "Stopped by {} at step {} of {}. To continue:\n  {} --set run.restart_from={}\n",
                         signal_name(signal), world->step(), settings.steps(), options.command,
                         streams.restart_path(world->step()))
                  << std::flush;
    return signal != 0 ? RunEnd::stopped : RunEnd::done;
}

} // namespace

void check_files(const Settings &settings, MPI_Comm comm) {
    for (const TracerSettings &tracer : settings.tracers) try {
            check_source_files(tracer.sources, span_of(settings), comm);
        } catch (const AgreedError &problem) {
            throw fault_of_file(settings, tracer, problem);
        }
}

std::string describe(const Settings &s, int ranks) {
    check_fields(s);
    const double cells = static_cast<double>(s.grid.nlon) * s.grid.nlat * s.levels.nz;
    const double bytes = 8 * cells * fields_of(s.advection.moments(), static_cast<int>(s.tracers.size()));
    return fmt::format(
        "{}: {} grid of {} x {} x {} cells, {} tracer(s), {}, winds of {}, {} steps of {:g} s; {} of memory "
        "for air and tracers on each of {} rank(s)\n",
        s.common.file, s.grid.kind, s.grid.nlon, s.grid.nlat, s.levels.nz, s.tracers.size(),
        s.advection.scheme,
        s.wind.file.empty() ? s.wind.flow : fmt::format("{} ({})", s.wind.file, times_in_words(s.winds)),
        s.steps(), s.common.run.time_step, format_bytes(bytes / ranks), ranks);
}

void check_winds(const Settings &settings, MPI_Comm world) {
    if (settings.wind.file.empty()) return;
    int rank = 0;
    MPI_Comm_rank(world, &rank);
    agree(world, [&] {
        if (rank != 0) return;
        const WindFile file(settings.wind.file, settings.winds);
        const auto &times = settings.winds.times;
        for (std::size_t n = 0; n < times.size(); ++n)
            if ((n + 1 == times.size() || times[n + 1] > 0) &&
                (n == 0 || times[n - 1] < settings.common.run.duration))
                file.read(n, 0, settings.grid.nlat);
    });
}

RunEnd run(const Settings &settings, const RunOptions &options, MPI_Comm world) {
    const StopSignals heeded;
    check_fields(settings);
    io::Session session = open_session(world, settings.common, spec_of_session(settings));
    if (!session.computes()) {
        session.serve();
        return RunEnd::done;
    }
    int rank = 0;
    MPI_Comm_rank(session.comm(), &rank);
    agree(session.comm(), [&] {
        if (rank == 0) prepare_directory(settings.common, options);
    });
    return compute(settings, options, session);
}

} // namespace squall::transport
