#include "globe.hpp"

#include <algorithm>

#include "drive/world.hpp"
#include "frames/history_declaration.hpp"
#include "frames/restart.hpp"
#include "moments/advection.hpp"
#include "round.hpp"
#include "runfile/read.hpp"

namespace squall::planner {
namespace {

using transport::Settings;

int fields_of(const Settings &settings) {
    return transport::fields_of(settings.advection.moments(), static_cast<int>(settings.tracers.size()));
}

/// The same winds on the same grid from the start, for the air alone on one rank.
Settings without_tracers(Settings settings) {
    settings.common.parallel = {};
    settings.common.run.restart_from.clear();
    settings.tracers.clear();
    settings.mixing = {};
    settings.weather = {};
    settings.chemistry = {};
    return settings;
}

/// Of the sweep from west to east: what Neighbours::fetch_sides() sends.
Phase plan_sides(const World &world, const std::vector<int> &reach, int fields, StepPlan &plan) {
    Round round(world);
    for (const Patch &patch : world.patches) {
        if (patch.px == 1 || patch.cx > 0) continue;
        const auto first = reach.begin() + patch.y0;
        const transport::Sides sides(patch, {first, first + patch.shape.ny});
        const double bytes = 8.0 * fields * patch.shape.nz;
        for (int to = 0; to < patch.px; ++to)
            for (int from = 0; from < patch.px; ++from) {
                const auto cells = static_cast<double>(from == to ? 0 : sides.wanted(to, from));
                if (cells > 0)
                    round.send(patch.cy * patch.px + from, patch.cy * patch.px + to, cells * bytes, 1, plan);
            }
    }
    return round.done();
}

/// Of the sweep from south to north: a row to the north, or one to the south, as Neighbours::fill_rows().
Phase plan_rows(const World &world, bool north, int fields, StepPlan &plan) {
    Round round(world);
    for (int r = 0; r < std::ssize(world.patches); ++r) {
        const Patch &patch = world.patches[static_cast<std::size_t>(r)];
        const int to = north ? patch.north : patch.south;
        if (to != MPI_PROC_NULL) round.send(r, to, 8.0 * fields * patch.shape.nz * patch.shape.nx, 1, plan);
    }
    return round.done();
}

std::optional<ReportPlan> plan_made(const World &world, const Settings &settings,
                                    const transport::HistoryDeclaration &history) {
    if (!history.makes()) return {};
    bench::Diagnostics what{.nx = settings.grid.nlon, .ny = settings.grid.nlat, .nz = settings.levels.nz};
    what.fields = static_cast<int>(std::ranges::count_if(history.fields, &transport::GlobeField::has_layers));
    what.stations = static_cast<int>(history.stations.size());
    what.zonal = history.stations.empty();
    if (what.fields == 0) return {};
    return plan_in_place(world, what);
}

} // namespace

Settings read_globe(const std::string &file, const std::vector<std::string> &overrides) {
    return transport::read_settings(MPI_COMM_SELF, file, overrides);
}

Config domain_of(const Settings &settings) {
    Config config = settings.common;
    config.streams.clear(); // of which the limited-area model would look for its own fields
    config.domain.nx = settings.grid.nlon, config.domain.ny = settings.grid.nlat;
    config.domain.nz = settings.levels.nz;
    config.domain.boundaries = {};
    config.domain.boundaries.south = config.domain.boundaries.north = Boundary::open;
    return config;
}

StepPlan plan_globe_step(const World &world, const Settings &settings, double seconds) {
    const Settings trial = without_tracers(settings);
    transport::World air(trial, MPI_COMM_SELF);
    air.advance();
    const int fields = fields_of(settings);
    StepPlan plan;
    for (int part = 0; part < air.parts(); ++part) {
        plan.phases.push_back(plan_sides(world, air.reach(), fields, plan));
        for (const bool north : {true, false}) plan.phases.push_back(plan_rows(world, north, fields, plan));
    }
    plan.cells.assign(static_cast<std::size_t>(world.nodes()), 0);
    for (int r = 0; r < std::ssize(world.patches); ++r) {
        const Shape &s = world.patches[static_cast<std::size_t>(r)].shape;
        double &most = plan.cells[static_cast<std::size_t>(world.node_of_patch(r))];
        most = std::max(most, double(s.nx) * s.ny * s.nz);
    }
    // Whether a step is to be divided, whether to stop, and in each part how far the wind reaches.
    plan.agreements = 2 + air.parts();
    const double tracers = static_cast<double>(settings.tracers.size());
    constexpr int directions = 3, ways = 2; // each reads and writes all moments
    plan.cell = CellWork{seconds * tracers, 8.0 * ways * directions * air.parts() * fields};
    return plan;
}

std::vector<GlobeStream> plan_globe_streams(const World &world, const Settings &settings, Way way,
                                            int aggregators_per_node) {
    const auto globe = transport::make_globe(settings.grid.kind, settings.grid.nlon, settings.grid.nlat);
    std::vector<GlobeStream> streams;
    for (const StreamConfig &stream : settings.common.streams) {
        if (stream.interval <= 0) continue;
        if (stream.name == "restart") {
            const StreamConfig restart = transport::restart_stream(settings);
            streams.push_back({restart,
                               plan_frame(world, transport::restart_spec(restart, settings, globe), way,
                                          aggregators_per_node),
                               {}});
        } else {
            const transport::HistoryDeclaration history(stream, settings, globe);
            streams.push_back({stream, plan_frame(world, history.spec(), way, aggregators_per_node),
                               plan_made(world, settings, history)});
        }
    }
    return streams;
}

double globe_memory(const World &world, const Settings &settings) {
    double most = 0;
    for (const Patch &patch : world.patches) {
        const Shape &s = patch.shape;
        const double values = double(s.nx) * (s.ny + 2) * s.nz * fields_of(settings);
        const double faces = double(s.nx + 1) * s.ny * s.nz + double(s.nx) * (s.ny + 1) * s.nz +
                             double(s.nx) * s.ny * (s.nz + 1);
        most = std::max(most, 8 * (values + 2 * faces)); // of a step, and of a part of it
    }
    return most;
}

} // namespace squall::planner
