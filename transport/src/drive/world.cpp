#include "drive/world.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/stopwatch.hpp"
#include "frames/restart.hpp"
#include "run/agree.hpp"
#include "settings/calendar.hpp"
#include "tracers/shapes.hpp"
#include "tracers/state.hpp"

namespace squall::transport {
namespace {

Patch patch_of(const Settings &settings, MPI_Comm comm) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    Boundaries sides;
    sides.south = sides.north = Boundary::open;
    const ParallelConfig &p = settings.common.parallel;
    try {
        const auto [px, py] =
            choose_process_grid(ranks, settings.grid.nlon, settings.grid.nlat, p.ranks_x, p.ranks_y);
        return make_patch(rank, px, py, settings.grid.nlon, settings.grid.nlat, settings.levels.nz, sides);
    } catch (const std::invalid_argument &problem) {
        throw ConfigError(fmt::format("{}: {}", settings.common.file, problem.what()));
    }
}

int index_of(const Settings &settings, const std::string &tracer) {
    const auto found = std::ranges::find(settings.tracers, tracer, &TracerSettings::name);
    return static_cast<int>(found - settings.tracers.begin());
}

} // namespace

RunSpan span_of(const Settings &settings) {
    return {settings.common.run.start, settings.common.run.duration};
}

ConfigError fault_of_file(const Settings &settings, const TracerSettings &tracer,
                          const std::exception &problem) {
    return ConfigError(fmt::format("{}:{}: [tracer.{}]: the file {}", settings.common.file, tracer.line,
                                   tracer.name, problem.what()));
}

World::World(const Settings &settings, MPI_Comm comm)
    : settings_(settings), globe_(make_globe(settings.grid.kind, settings.grid.nlon, settings.grid.nlat)),
      levels_(make_levels(settings.levels)),
      flow_(settings.wind.file.empty() ? make_flow(settings.wind) : nullptr),
      neighbours_(comm, patch_of(settings, comm)), where_(globe_, levels_, neighbours_.patch(), flow_.get()),
      block_(neighbours_.patch().shape,
             fields_of(settings.advection.moments(), static_cast<int>(settings.tracers.size()))),
      fluxes_(neighbours_.patch().shape), weather_(neighbours_.patch().shape),
      advection_(neighbours_, settings.advection.moments(), static_cast<int>(settings.tracers.size()),
                 settings.advection.positive(), settings.families()),
      processes_(settings.mixing, settings.advection.moments(), settings.advection.positive(),
                 static_cast<int>(settings.tracers.size())) {
    for (const TracerSettings &tracer : settings.tracers) try {
            processes_.add_tracer(tracer.sources, where_, span_of(settings), comm);
        } catch (const AgreedError &problem) {
            throw fault_of_file(settings, tracer, problem);
        }
    if (!settings.common.run.restart_from.empty()) step_ = read_restart(settings, where_, block_, comm);
    read_winds(static_cast<double>(step_) * settings.common.run.time_step);
    if (settings.common.run.restart_from.empty()) set_start();
    first_step_ = step_;
    masses_at_start_ = masses();
}

void World::read_winds(double begin) {
    if (settings_.wind.file.empty()) return;
    try {
        winds_.emplace(settings_.wind, settings_.winds, where_, neighbours_.comm(), begin,
                       settings_.common.run.duration);
    } catch (const AgreedError &error) {
        throw ConfigError(fmt::format("{}: wind.file: {}", settings_.common.file, error.what()));
    }
    where_.set_surface(winds_->surface(begin));
}

void World::set_start() {
    set_air(block_, where_);
    for (int t = 0; t < static_cast<int>(settings_.tracers.size()); ++t) {
        const TracerSettings &tracer = settings_.tracers[static_cast<std::size_t>(t)];
        if (tracer.sources.clock) continue;
        set_tracer(block_, where_, settings_.advection.moments(), t, shape_of(tracer.shape), tracer.scale);
    }
}

/// `time`: seconds after the start.
void World::set_weather(double time) {
    if (settings_.weather.kind != "zonal") return;
    const CalendarTime now = add_seconds(parse_time(settings_.common.run.start), time);
    const auto of_day = now - std::chrono::floor<std::chrono::days>(now);
    set_zonal_weather(where_, std::chrono::duration<double>(of_day).count() - 43200, weather_);
}

void World::advance() {
    seconds_ += seconds_of([&] {
        const double step = settings_.common.run.time_step;
        const double begin = static_cast<double>(step_) * step;
        if (winds_)
            winds_->find(block_, begin, step, fluxes_, weather_);
        else
            find_fluxes(*flow_, where_, begin + 0.5 * step, step, fluxes_);
        set_weather(begin + 0.5 * step);
        advection_.step(block_, fluxes_, step_);
        if (winds_) where_.set_surface(winds_->surface(begin + step));
        if (settings_.chemistry.scheme == "terminator")
            react_terminator(block_, where_, settings_.advection.moments(),
                             index_of(settings_, settings_.chemistry.atoms),
                             index_of(settings_, settings_.chemistry.molecules), step);
        processes_.apply(block_, where_, weather_, begin, step);
        ++step_;
    });
}

void World::look() const {
    agree(neighbours_.comm(), [&] {
        const std::string fault =
            find_fault(block_, neighbours_.patch(), settings_.advection.moments(), settings_.tracer_names());
        if (!fault.empty()) throw AgreedError(fmt::format("after step {}: {}", step_, fault));
    });
}

std::vector<double> World::masses() const {
    std::vector<double> masses;
    for (int t = 0; t < static_cast<int>(settings_.tracers.size()); ++t)
        masses.push_back(
            total_mass(block_, field_of(settings_.advection.moments(), t, 0), neighbours_.comm()));
    return masses;
}

std::optional<WindCosts> World::wind_costs() const {
    if (!winds_) return {};
    return winds_->costs();
}

std::string World::summary() const {
    const double cells = static_cast<double>(globe_.nlon) * globe_.nlat * levels_.nz;
    const auto tracers = static_cast<double>(settings_.tracers.size());
    std::string text = fmt::format("{:.3g} million cells of tracers a second\n",
                                   1e-6 * cells * tracers * static_cast<double>(step_ - first_step_) /
                                       std::max(seconds_, 1e-9));
    if (winds_) text += winds_->summary();
    const auto now = masses();
    for (std::size_t t = 0; t < now.size(); ++t) {
        if (settings_.tracers[t].sources.clock) continue; // a time has no mass
        text += fmt::format("{}: {:.6e} kg, changed by {:.1e} of it\n", settings_.tracers[t].name, now[t],
                            (now[t] - masses_at_start_[t]) / std::max(std::abs(now[t]), 1e-300));
    }
    return text;
}

} // namespace squall::transport
