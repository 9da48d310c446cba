// squall-planner: what a run file would take on a machine that is simulated. Result as JSON on standard
// output.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <mpi.h>
#include <nlohmann/json.hpp>
#include <omp.h>

#include "config/read.hpp"
#include "globe.hpp"
#include "nested.hpp"
#include "outcome.hpp"
#include "output/history_declaration.hpp"
#include "output/restart.hpp"
#include "physics/declared_state.hpp"
#include "physics_cost.hpp"
#include "run/patch_memory.hpp"

namespace {

namespace planner = squall::planner;
using nlohmann::json;

struct Arguments {
    std::string run_file, machine, calibration, way = "squall", method;
    std::vector<std::string> overrides;
    int ranks = 1, threads = 1, aggregators = 2, per_node = 0;
    bool local = false, last = false;
    int stations = 0, fields = 10, apart = 128;
    std::string schemes;
    double step_factor = 0, tracer_step = 0;
    bool zonal = false;
};

void declare(CLI::App &app, Arguments &a) {
    app.add_option("run_file", a.run_file, "Run file (TOML)")->required();
    app.add_option("--machine", a.machine, "Machine file (TOML)")->required();
    app.add_option(
        "--calibration", a.calibration,
        "Calibration: the cost of each kernel on a core (JSON). Default: [calibration] in the machine file");
    app.add_option("--method", a.method, "Method to find times. Default: simgrid if this build has it")
        ->check(CLI::IsMember({"simgrid", "closed-form"}));
    app.add_option("--ranks-per-node", a.per_node, "MPI ranks per node. Default: as many as fit its cores")
        ->check(CLI::PositiveNumber);
    app.add_option("-n,--ranks", a.ranks, "MPI ranks, including servers")->check(CLI::PositiveNumber);
    app.add_option("--threads", a.threads, "Threads per rank")->check(CLI::PositiveNumber);
    app.add_option("--schemes", a.schemes,
                   "Costs of physics schemes (JSON), from which the cost of a step is computed");
    app.add_option("--step-factor", a.step_factor,
                   "Factor on the calibrated time of a cell-step, in place of --schemes")
        ->check(CLI::PositiveNumber);
    app.add_option("--tracer-step", a.tracer_step,
                   "Plan a run file of squall-transport; seconds of the calibration's core per cell and "
                   "tracer in a step")
        ->check(CLI::PositiveNumber);
    app.add_option("--set", a.overrides, "Override a key of the run file")->allow_extra_args(false);
    app.add_option("--way", a.way, "Method of writing frames: squall, or another model's");
    app.add_option("--aggregators", a.aggregators, "Writers per node, for methods that aggregate");
    app.add_option("--stations", a.stations,
                   "Estimate a frame of this many stations, sampled in place and gathered")
        ->check(CLI::PositiveNumber);
    app.add_flag("--zonal", a.zonal, "Estimate zonal means, computed in place and gathered");
    app.add_option("--fields", a.fields, "Number of fields for --stations and --zonal")
        ->check(CLI::PositiveNumber);
    app.add_option("--apart", a.apart,
                   "Nodes of a star to simulate individually; beyond this number, nodes are grouped")
        ->check(CLI::PositiveNumber);
    app.add_flag("--local", a.local, "Write to node-local disks");
    app.add_flag("--servers-last", a.last, "Use the last ranks as servers, whatever nodes they are on");
}

struct Stream {
    squall::StreamConfig settings;
    const planner::World *world; ///< of its domain
    planner::FramePlan plan;
    planner::FrameTime time;
};

/// Diagnostics of a frame, in one of the ways to make them.
struct Diagnosed {
    std::string way;
    planner::ReportPlan plan;
    planner::ReportTime time;
};

struct Result {
    planner::CellStepCost cell_step; ///< of the outermost domain, and what is unknown of its nests
    planner::StepTime step;
    std::vector<squall::HaloExchange> exchanges;
    std::vector<Diagnosed> diagnostics;
    std::vector<planner::NestPlan> nests;
    std::vector<Stream> streams;
    double memory = 0; ///< of the rank with most, without output [B]
};

/// Those of a domain and of all nests inside it.
void plan_streams(const squall::Config &config, const planner::World &world,
                  const std::vector<planner::NestPlan> &nests, const Arguments &a,
                  std::vector<Stream> &streams) {
    for (const auto &s : config.streams) {
        if (s.interval <= 0) continue;
        const auto spec =
            s.name == "restart" ? squall::restart_spec(s, config) : squall::history_spec(s, config);
        streams.push_back(
            {s, &world, planner::plan_frame(world, spec, planner::way_named(a.way), a.aggregators), {}});
    }
    for (const auto &nest : nests) plan_streams(nest.config, nest.world, nest.nests, a, streams);
}

std::vector<Diagnosed> plan_diagnostics(const squall::Config &config, const planner::World &world,
                                        const Arguments &a) {
    if (a.stations == 0 && !a.zonal) return {};
    const squall::DomainConfig &d = config.domain;
    squall::bench::Diagnostics what{.nx = d.nx, .ny = d.ny, .nz = d.nz};
    what.fields = a.fields, what.stations = a.stations, what.zonal = a.zonal;
    return {{"in place", planner::plan_in_place(world, what), {}},
            {"gathered", planner::plan_gathered(world, what), {}}};
}

json diagnostics_json(const Result &result) {
    json all = json::object();
    for (const Diagnosed &d : result.diagnostics)
        all[d.way] = {{"made", d.time.made},
                      {"seconds", d.time.seconds},
                      {"messages", d.plan.travel.messages},
                      {"bytes", d.plan.travel.bytes},
                      {"held", d.plan.held}};
    return all;
}

/// Seconds of a run, where a frame that drains longer than the next takes to come is waited for.
json run_of(const squall::Config &config, const Result &result) {
    const double steps = config.run.duration / config.run.time_step;
    double output = 0;
    for (const Stream &s : result.streams) {
        const double between = s.settings.interval / config.run.time_step * result.step.seconds;
        const double waited =
            s.time.perceived < s.time.drain ? std::max(0.0, s.time.drain - s.time.perceived - between) : 0;
        output += (s.time.perceived + waited) * config.run.duration / s.settings.interval;
    }
    const double computing = steps * result.step.seconds;
    return {{"steps", steps},
            {"computing", computing},
            {"output", output},
            {"seconds", computing + output},
            {"cost", (computing + output) / computing}};
}

/// The schemes of its physics, which cost time that a calibration by another case does not know of.
json physics_json(const squall::PhysicsConfig &p) {
    json schemes = json::array();
    for (const auto &scheme : {p.microphysics, p.surface_layer, p.boundary_layer, p.land, p.cumulus,
                               p.gravity_wave_drag, p.radiation})
        if (scheme != "none") schemes.push_back(scheme);
    return schemes;
}

/// What a domain and those inside it take for a cell-step: given, or summed up over their schemes.
planner::CellStepCost set_costs(const Arguments &a, const planner::SchemeCosts &costs,
                                const squall::Config &config, planner::StepPlan &step,
                                std::vector<planner::NestPlan> &nests) {
    planner::CellStepCost cost;
    if (a.step_factor > 0)
        cost.factor = a.step_factor;
    else if (!a.schemes.empty())
        cost = planner::cell_step_cost(costs, config);
    step.cost = cost.factor;
    for (planner::NestPlan &nest : nests)
        for (const std::string &scheme : set_costs(a, costs, nest.config, nest.step, nest.nests).unknown)
            if (std::ranges::find(cost.unknown, scheme) == cost.unknown.end()) cost.unknown.push_back(scheme);
    return cost;
}

json cell_step_json(const planner::CellStepCost &cost, const std::string &source) {
    return {{"factor", cost.factor}, {"parts", cost.parts}, {"unknown", cost.unknown}, {"source", source}};
}

/// What neighbours exchange in a step, for who counts it.
json exchanges_json(const squall::Config &config, const std::vector<squall::HaloExchange> &exchanges) {
    json kinds = json::array();
    for (const auto &e : exchanges) {
        json fields = json::array();
        for (const auto &part : e.fields) fields.push_back({part.nk, static_cast<int>(part.points)});
        kinds.push_back({{"times", e.times}, {"width", e.width}, {"corners", e.corners}, {"fields", fields}});
    }
    const auto &d = config.domain;
    const auto periodic = [](squall::Boundary side) { return side == squall::Boundary::periodic; };
    return {{"cells", {d.nx, d.ny, d.nz}},
            {"periodic", {periodic(d.boundaries.west), periodic(d.boundaries.south)}},
            {"kinds", kinds}};
}

json stream_json(const squall::Config &config, const Stream &s, double step) {
    return {{"name", s.settings.name},
            {"engine", s.plan.engine},
            {"placement", s.plan.placement},
            {"codec", s.plan.codec},
            {"bytes", s.plan.bytes},
            {"stored", s.time.stored},
            {"staged", s.plan.staged},
            {"assembled", s.plan.assembled},
            {"perceived", s.time.perceived},
            {"drain", s.time.drain},
            {"between_frames", s.settings.interval / config.run.time_step * step},
            {"busy", s.time.busy}};
}

/// The nests, each after the one that it is in.
void add_json(const std::vector<planner::NestPlan> &nests, int times, json &all) {
    for (const auto &nest : nests) {
        const auto &d = nest.config.domain;
        const auto &patch = nest.world.patches.front();
        all.push_back({{"name", nest.config.identity.name},
                       {"cells", {d.nx, d.ny, d.nz}},
                       {"ranks", nest.world.clients.size()},
                       {"process_grid", {patch.px, patch.py}},
                       {"steps", times * nest.steps},
                       {"factor", nest.step.cost},
                       {"side_by_side", planner::side_by_side(nests)},
                       {"looked_at", nest.look.bytes},
                       {"fed_back", nest.feedback.bytes}});
        add_json(nest.nests, times * nest.steps, all);
    }
}

/// Bytes of the patches that a rank may have, one of each domain.
std::size_t patches_memory(const squall::Config &config, const planner::World &world,
                           const std::vector<planner::NestPlan> &nests) {
    const auto cells = [](const squall::Patch &p) { return std::int64_t(p.shape.nx) * p.shape.ny; };
    const auto &largest = *std::ranges::max_element(world.patches, {}, cells);
    std::size_t bytes = squall::patch_memory(config, largest.shape, world.threads);
    std::size_t together = 0, most = 0;
    for (const auto &nest : nests) {
        const std::size_t inside = patches_memory(nest.config, nest.world, nest.nests);
        together += inside, most = std::max(most, inside);
    }
    return bytes + (planner::side_by_side(nests) ? most : together);
}

json to_json(const squall::Config &config, const planner::Machine &machine, const planner::World &world,
             const planner::StepPlan &plan, const Result &result, const std::string &method,
             const std::string &source, const std::string &costs_from, double begun) {
    json streams = json::array();
    json nests = json::array();
    add_json(result.nests, 1, nests);
    const auto sent = planner::sent_in_step(plan, result.nests);
    double staged = 0, assembled = 0;
    for (const Stream &s : result.streams) {
        streams.push_back(stream_json(config, s, result.step.seconds));
        staged += s.plan.staged, assembled += s.plan.assembled;
    }
    const planner::StepTime &t = result.step;
    const auto &first = world.patches.front();
    const double wall =
        std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count() - begun;
    return {{"machine", machine.name},
            {"ranks", world.ranks},
            {"threads", world.threads},
            {"servers", world.servers()},
            {"groups", world.groups.size()},
            {"nodes", world.nodes()},
            {"process_grid", {first.px, first.py}},
            {"step",
             {{"seconds", t.seconds},
              {"computing", t.computing},
              {"inside", t.inside},
              {"agreeing", t.agreeing},
              {"waiting", t.waiting()},
              {"messages", sent.messages},
              {"bytes", sent.bytes}}},
            {"nests", nests},
            {"physics", physics_json(config.physics)},
            {"cell_step", cell_step_json(result.cell_step, costs_from)},
            {"exchanges", exchanges_json(config, result.exchanges)},
            {"streams", streams},
            {"diagnostics", diagnostics_json(result)},
            {"memory", {{"rank", result.memory + staged}, {"server", assembled}}},
            {"run", run_of(config, result)},
            {"method", method},
            {"calibrated", source},
            {"wall", wall}};
}

/// A run and what is planned of it.
struct Planned {
    squall::Config config;
    planner::World world;
    planner::StepPlan step;
    Result result;
};

/// Of the limited-area model. Fills `planned`, whose streams point to its world.
void plan_model(const Arguments &a, const planner::Machine &machine, const planner::SchemeCosts &costs,
                Planned &planned) {
    auto &[config, world, step, result] = planned;
    config = squall::read_config(a.run_file, a.overrides);
    world = planner::make_world(config, machine, a.ranks, a.threads, a.per_node, a.last);
    result.exchanges = planner::exchanges_of_a_step(config);
    step = planner::plan_step(world, result.exchanges);
    result.diagnostics = plan_diagnostics(config, world, a);
    result.nests = planner::plan_nests(config, world);
    result.cell_step = set_costs(a, costs, config, step, result.nests);
    plan_streams(config, world, result.nests, a, result.streams);
    result.memory = static_cast<double>(patches_memory(config, world, result.nests));
}

/// Of the transport on the globe: diagnostics are those of its streams, by their names.
void plan_transport(const Arguments &a, const planner::Machine &machine, Planned &planned) {
    const auto settings = planner::read_globe(a.run_file, a.overrides);
    auto &[config, world, step, result] = planned;
    config = planner::domain_of(settings);
    world = planner::make_world(config, machine, a.ranks, a.threads, a.per_node, a.last);
    step = planner::plan_globe_step(world, settings, a.tracer_step);
    for (auto &stream :
         planner::plan_globe_streams(world, settings, planner::way_named(a.way), a.aggregators)) {
        if (stream.made) result.diagnostics.push_back({stream.settings.name, *stream.made, {}});
        result.streams.push_back({stream.settings, &world, std::move(stream.frame), {}});
    }
    result.memory = planner::globe_memory(world, settings);
}

void carry_out(const Arguments &a) {
    const double begun =
        std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    const auto machine = planner::read_machine(a.machine);
    const auto calibration = planner::read_calibration(a.calibration.empty() ? a.machine : a.calibration);
    const auto costs = a.schemes.empty() ? planner::SchemeCosts() : planner::read_scheme_costs(a.schemes);
    Planned planned;
    if (a.tracer_step > 0)
        plan_transport(a, machine, planned);
    else
        plan_model(a, machine, costs, planned);
    auto &[config, world, step, result] = planned;
    planner::Task task{machine, calibration, world, step, {}, a.local};
    task.nests = result.nests;
    for (const Stream &s : result.streams) task.frames.push_back(s.plan), task.of_frames.push_back(s.world);
    task.most_apart = a.apart;
    for (const Diagnosed &d : result.diagnostics) task.reports.push_back(d.plan);
    const std::string method = !a.method.empty()      ? a.method
                               : planner::simulates() ? "simgrid"
                                                      : "closed-form";
    const auto outcome = method == "simgrid" ? planner::simulate(task) : planner::estimate(task);
    result.step = outcome.step;
    for (std::size_t s = 0; s < result.streams.size(); ++s) result.streams[s].time = outcome.frames[s];
    for (std::size_t d = 0; d < result.diagnostics.size(); ++d)
        result.diagnostics[d].time = outcome.reports[d];
    std::cout << to_json(config, machine, world, step, result, method, calibration.source, costs.source,
                         begun)
                     .dump(1)
              << std::endl;
}

} // namespace

int main(int argc, char **argv) {
    Arguments arguments;
    CLI::App app("Plan Squall on a simulated machine");
    declare(app, arguments);
    CLI11_PARSE(app, argc, argv);
    MPI_Init(&argc, &argv); // the planners name communicators, and send nothing
    omp_set_num_threads(1);
    int status = EXIT_SUCCESS;
    try {
        carry_out(arguments);
    } catch (const std::exception &e) {
        std::cerr << "squall-planner: " << e.what() << std::endl;
        status = EXIT_FAILURE;
    }
    MPI_Finalize();
    return status;
}
