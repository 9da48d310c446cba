#include "run/domain.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "nesting/own_ground.hpp"
#include "run/agree.hpp"
#include "settings/nests.hpp"

namespace squall {
namespace {

Patch patch_of(const Config &config, MPI_Comm comm) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const DomainConfig &d = config.domain;
    const int grain = config.identity.parent_grid_ratio;
    const auto [px, py] =
        choose_process_grid(ranks, d.nx, d.ny, config.parallel.ranks_x, config.parallel.ranks_y, grain);
    return make_patch(rank, px, py, d.nx, d.ny, d.nz, d.boundaries, grain);
}

InitialState read_initial(const Config &config, const Patch &patch, MPI_Comm comm) {
    InitialState initial;
    agree(comm, [&] { initial = make_initial_state(config, patch); });
    return initial;
}

/// Latitude and longitude of a domain's middle cell, or of the mean of those around its middle. Collective.
std::array<double, 2> centre_of(const Grid &grid, const Patch &p, MPI_Comm comm) {
    double sum[] = {0, 0, 0};
    for (const int x : {(p.nx_domain - 1) / 2, p.nx_domain / 2})
        for (const int y : {(p.ny_domain - 1) / 2, p.ny_domain / 2}) {
            const int i = x - p.x0, j = y - p.y0;
            if (i < 0 || i >= p.shape.nx || j < 0 || j >= p.shape.ny) continue;
            sum[0] += grid.lat(i, j), sum[1] += grid.lon(i, j), sum[2] += 1;
        }
    MPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_DOUBLE, MPI_SUM, comm);
    return {sum[0] / sum[2], sum[1] / sum[2]};
}

/// What a nest begins with, from its parent as that is now and from a file of its own, if it has one.
/// Collective.
InitialState begin_nest(NestLink &link, const NestConfig &settings, const Config &config, const Patch &patch,
                        MPI_Comm comm, const InitialState &parent) {
    InitialState nest = link.begin(config, parent);
    if (settings.initial_file.empty()) return nest;
    InitialState own = read_initial(config, patch, comm);
    const StateOf state = settings.start > 0 ? StateOf::parent : StateOf::file;
    agree(comm, [&] { lay_on_own_ground(config, patch, settings.blend_rows, std::move(own), state, nest); });
    return nest;
}

const Extreme &worse(const Extreme &a, const Extreme &b) { return b.value > a.value ? b : a; }

} // namespace

Domain::Domain(const Config &config, io::Session &session)
    : Domain(config, patch_of(config, session.comm()), session,
             read_initial(config, patch_of(config, session.comm()), session.comm()), nullptr) {
    if (!config.run.restart_from.empty()) {
        go_on();
        agree(comm_, [&] { restore_streams(io::Reader(config.run.restart_from)); });
    }
}

Domain::Domain(const Config &config, const Patch &patch, io::Session &session, InitialState initial,
               std::unique_ptr<RimSource> rim)
    : config_(config), comm_(session.comm()), patch_(patch), costs_(config.streams.size()) {
    open_nests(session, initial);
    dynamics_ = std::make_unique<Solver>(config, patch_, comm_, std::move(initial), std::move(rim));
    if (config.run.restart_from.empty()) agree(comm_, [&] { dynamics_->set_time(seconds()); });
    std::vector<std::string> carried;
    for (const Scalar &scalar : dynamics_->scalars().all) carried.push_back(scalar.name);
    monitor_.emplace(comm_, patch_, config.domain.boundaries, dynamics_->grid(), make_stepping(config),
                     dynamics_->tiles(), std::move(carried));
    open_streams(session);
}

/// Nests begin as their parent does, and may change it: its terrain is then theirs, from the run's beginning
/// on, also of those that begin later: a parent's ground never changes.
void Domain::open_nests(io::Session &session, InitialState &initial) {
    for (const auto &[settings, id] : nests_inside(config_)) {
        const auto step_of = [&](double time) { return std::llround(time / config_.run.time_step); };
        Nest nest{settings,
                  step_of(settings->start),
                  settings->end > 0 ? step_of(settings->end) : std::numeric_limits<std::int64_t>::max(),
                  {},
                  {},
                  {}};
        nest.config = std::make_unique<Config>(nest_config(config_, *settings, id));
        const Patch patch = patch_of(*nest.config, comm_);
        const NestPlace place{settings->i_parent_start - 1, settings->j_parent_start - 1,
                              settings->parent_grid_ratio, settings->nx, settings->ny};
        nest.link =
            std::make_unique<NestLink>(comm_, place, patch_, patch, initial.scalars, config_.run.time_step,
                                       LinkRules{interpolation_of(settings->interpolation),
                                                 smoothing_of(settings->smoothing), !config_.run.as_wrf()});
        InitialState begun = begin_nest(*nest.link, *settings, *nest.config, patch, comm_, initial);
        nest.config->identity.centre = centre_of(begun.grid, patch, comm_);
        nest.domain.reset(new Domain(*nest.config, patch, session, std::move(begun), nest.link->rim()));
        const Solver &inner = *nest.domain->dynamics_;
        if (settings->feedback)
            nest.link->feed_back_beginning(config_, inner.grid(), inner.state(), inner.physics(), initial);
        nests_.push_back(std::move(nest));
    }
    for (Nest &nest : nests_) nest.link->look_at_ground(initial.grid);
}

/// Takes the state of run.restart_from.
void Domain::go_on() {
    agree(comm_, [&] {
        RestartFrame frame = read_restart(config_.run.restart_from, config_, patch_, dynamics_->grid());
        dynamics_->state() = std::move(frame.state);
        dynamics_->physics() = std::move(frame.physics);
        step_ = frame.step;
        dynamics_->set_time(seconds());
    });
    for (Nest &nest : nests_) nest.domain->go_on();
}

/// Streams that were there before the restart go on; others begin.
void Domain::restore_streams(const io::Reader &file) {
    for (auto &h : histories_) h->restore(file);
    for (Nest &nest : nests_) nest.domain->restore_streams(file);
}

void Domain::open_streams(io::Session &session) {
    for (const StreamConfig &stream : config_.streams) {
        if (stream.interval <= 0) continue;
        if (stream.name == "restart")
            restart_.emplace(session, stream, config_, patch_, dynamics_->grid());
        else
            histories_.push_back(
                std::make_unique<History>(session, stream, config_, patch_, dynamics_->grid()));
    }
}

void Domain::step() {
    if (dynamics_->reads_at(seconds())) {
        dynamics_->prepare_rim();
        agree(comm_, [&] { dynamics_->set_time(seconds()); });
    } else
        dynamics_->set_time(seconds());
    dynamics_->step();
    ++step_;
    step_nests();
}

/// Siblings see the same state of their parent, which then takes what each has made of it.
void Domain::step_nests() {
    const auto stepping = [&](const Nest &nest) { return lives(nest) && step_ > nest.first; };
    for (Nest &nest : nests_)
        if (stepping(nest)) nest.link->look(dynamics_->state(), seconds());
    for (Nest &nest : nests_)
        for (int n = 0; stepping(nest) && n < nest.settings->time_step_ratio(); ++n) {
            if (n > 0) nest.domain->sample();
            nest.domain->step();
        }
    for (Nest &nest : nests_) {
        Solver &inner = *nest.domain->dynamics_;
        if (stepping(nest) && nest.settings->feedback)
            nest.link->feed_back(inner.state(), inner.physics(), dynamics_->state(), dynamics_->physics());
    }
    begin_nests();
}

/// Those whose time has come take their parent's state. Nests inside them come after.
void Domain::begin_nests() {
    for (Nest &nest : nests_) {
        if (nest.first == 0 || step_ != nest.first) continue;
        Domain &inner = *nest.domain;
        InitialState begun =
            begin_nest(*nest.link, *nest.settings, *nest.config, inner.patch_, comm_, dynamics_->present());
        PhysicsState &physics = inner.dynamics_->physics();
        std::swap(physics.heating, begun.physics.heating), std::swap(physics.rain, begun.physics.rain);
        std::swap(physics.snow, begun.physics.snow), std::swap(physics.graupel, begun.physics.graupel);
        if (nest.settings->initial_file.empty()) nest.link->tell_surface(dynamics_->physics(), physics);
        inner.dynamics_->state() = std::move(begun.state);
        inner.step_ = step_ * nest.settings->time_step_ratio();
        inner.begin_nests();
    }
}

Health Domain::check(int notice) try {
    Health health = monitor_->check(dynamics_->state(), seconds(), notice);
    for (Nest &nest : nests_) {
        if (!lives(nest)) continue;
        const Health inner = nest.domain->check(notice);
        health.courant_horizontal = worse(health.courant_horizontal, inner.courant_horizontal);
        health.courant_vertical = worse(health.courant_vertical, inner.courant_vertical);
        health.w = worse(health.w, inner.w);
    }
    return health;
} catch (const Violation &v) {
    if (config_.identity.name.empty() || std::string(v.what()).starts_with("nest ")) throw;
    throw Violation(fmt::format("nest {}: {}", config_.identity.name, v.what()), v.variable, v.at);
}

std::vector<StreamCost> Domain::costs() const {
    auto all = costs_;
    for (const Nest &nest : nests_) {
        const auto inner = nest.domain->costs();
        all.insert(all.end(), inner.begin(), inner.end());
    }
    return all;
}

double Domain::waited() const {
    double seconds = dynamics_->waited() + monitor_->waited();
    for (const Nest &nest : nests_) seconds += nest.link->waited() + nest.domain->waited();
    return seconds;
}

bool Domain::due(const StreamConfig &stream) const {
    return step_ % std::llround(stream.interval / config_.run.time_step) == 0;
}

/// Takes the time of a stream's frame.
template <class F> void Domain::count(const std::string &stream, F write) {
    const auto begin = std::chrono::steady_clock::now();
    write();
    const auto at = std::ranges::find(config_.streams, stream, &StreamConfig::name) - config_.streams.begin();
    StreamCost &cost = costs_[static_cast<std::size_t>(at)];
    cost.last = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    cost.total += cost.last;
    ++cost.frames;
}

/// Fills halos, and what histories read of pressure, in this domain and its nests: a restart frame has their
/// last faces.
void Domain::diagnose() {
    dynamics_->diagnose();
    for (Nest &nest : nests_) nest.domain->diagnose();
}

void Domain::write_due_frames(bool cold_start) {
    const bool restart = restart_ && due(restart_->settings()) && !cold_start;
    const bool history = std::ranges::any_of(histories_, [&](const auto &h) {
        return h->follows() || h->samples_at(step_) || due(h->settings());
    });
    if (restart)
        diagnose();
    else if (history)
        dynamics_->diagnose();
    const Snapshot now{dynamics_->state(), dynamics_->physics(), dynamics_->p(), dynamics_->al()};
    for (auto &h : histories_) {
        if (h->follows()) h->follow(now);
        if (due(h->settings()))
            count(h->settings().name, [&] { h->write(seconds(), step_, now); });
        else if (h->samples_at(step_))
            h->sample(seconds(), now);
    }
    if (restart) count("restart", [&] { write_restart_frame(); });
    for (Nest &nest : nests_)
        if (lives(nest)) nest.domain->write_due_frames(cold_start);
}

/// What streams make over time, at a step within one of the parent: frames are due at the end of that.
void Domain::sample() {
    const bool wanted =
        std::ranges::any_of(histories_, [&](const auto &h) { return h->follows() || h->samples_at(step_); });
    if (wanted) dynamics_->diagnose();
    const Snapshot now{dynamics_->state(), dynamics_->physics(), dynamics_->p(), dynamics_->al()};
    for (auto &h : histories_) {
        if (h->follows()) h->follow(now);
        if (h->samples_at(step_)) h->sample(seconds(), now);
    }
    for (Nest &nest : nests_) nest.domain->sample();
}

std::string Domain::write_restart(io::Session &session) {
    if (!restart_) restart_.emplace(session, default_restart(config_), config_, patch_, dynamics_->grid());
    if (restart_->last_step() != step_) {
        diagnose();
        write_restart_frame();
    }
    return restart_->file();
}

void Domain::write_restart_frame() {
    std::vector<RestartPart> parts;
    gather(parts);
    restart_->write(seconds(), step_, parts);
}

/// What a restart frame holds of this domain and its nests.
void Domain::gather(std::vector<RestartPart> &parts) {
    parts.push_back({&config_, &patch_, &dynamics_->state(), &dynamics_->physics(), [this](io::Frame &frame) {
                         for (const auto &h : histories_) h->save(frame);
                     }});
    for (Nest &nest : nests_) nest.domain->gather(parts);
}

void Domain::close_streams() {
    for (auto &h : histories_) h->close();
    if (restart_) restart_->close();
    for (Nest &nest : nests_) nest.domain->close_streams();
}

std::int64_t Domain::cells() const {
    std::int64_t cells = std::int64_t(patch_.nx_domain) * patch_.ny_domain * patch_.shape.nz;
    for (const Nest &nest : nests_)
        if (lives(nest) && step_ < nest.last)
            cells += nest.settings->time_step_ratio() * nest.domain->cells();
    return cells;
}

} // namespace squall
