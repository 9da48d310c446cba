#include "run/domain.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "run/agree.hpp"
#include "run/domain_start.hpp"

namespace squall {
namespace {

const Extreme &worse(const Extreme &a, const Extreme &b) { return b.value > a.value ? b : a; }

} // namespace

Domain::Domain(const Config &config, io::Session &session)
    : Domain(config, patch_of(config, session.comm()), session) {
    InitialState initial = read_initial(config, patch_, comm_);
    open_nests(initial);
    set_up(std::move(initial), nullptr);
    if (config.run.restart_from.empty()) return;
    go_on();
    agree(comm_, [&] { restore_streams(io::Reader(config.run.restart_from)); });
}

Domain::Domain(const Config &config, const Patch &patch, io::Session &session)
    : config_(config), session_(session), comm_(session.comm()), patch_(patch),
      costs_(config.streams.size()), step_cost_{.name = config.identity.name} {}

/// Makes what computes, of a state; the first time, streams too.
void Domain::set_up(InitialState initial, std::unique_ptr<RimSource> rim) {
    const bool begins = !computes();
    if (!begins) waited_before_ += dynamics_->waited() + monitor_->waited();
    dynamics_.emplace(config_, patch_, comm_, std::move(initial), std::move(rim));
    std::vector<std::string> carried;
    for (const Scalar &scalar : dynamics_->scalars().all) carried.push_back(scalar.name);
    monitor_.emplace(comm_, patch_, config_.domain.boundaries, dynamics_->grid(), make_stepping(config_),
                     dynamics_->tiles(), std::move(carried));
    if (!begins) return;
    if (config_.run.restart_from.empty()) agree(comm_, [&] { dynamics_->set_time(seconds()); });
    open_streams();
}

/// Gives back what it computes with, and its files to their readers: of a nest that has ended.
void Domain::let_go() {
    for (Nest &nest : nests_) nest.domain->let_go();
    if (!computes()) return;
    close_streams();
    histories_.clear();
    waited_before_ += dynamics_->waited() + monitor_->waited();
    monitor_.reset();
    dynamics_.reset();
}

/// Streams that were there before the restart go on; others begin.
void Domain::restore_streams(const io::Reader &file) {
    for (auto &h : histories_) h->restore(file);
    for (Nest &nest : nests_) nest.domain->restore_streams(file);
}

void Domain::open_streams() {
    for (const StreamConfig &stream : config_.streams) {
        if (stream.interval <= 0) continue;
        if (stream.name == "restart")
            restart_.emplace(session_, stream, config_, patch_, dynamics_->grid());
        else
            histories_.push_back(
                std::make_unique<History>(session_, stream, config_, patch_, dynamics_->grid()));
    }
}

/// Tells the solver the time, and its rim what is new there.
void Domain::begin_step() {
    if (dynamics_->reads_at(seconds())) {
        dynamics_->prepare_rim();
        agree(comm_, [&] { dynamics_->set_time(seconds()); });
    } else
        dynamics_->set_time(seconds());
}

void Domain::step() {
    Laps laps;
    begin_step();
    laps.add_to(config_.identity.id > 1 ? step_cost_.nesting : step_cost_.own);
    dynamics_->step();
    ++step_, ++step_cost_.steps;
    laps.add_to(step_cost_.own);
    step_nests();
}

Health Domain::check(int notice) try {
    Laps laps;
    Health health = monitor_->check(dynamics_->state(), seconds(), notice);
    laps.add_to(step_cost_.own);
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

void Domain::gather(std::vector<DomainCost> &costs) const {
    costs.push_back(step_cost_);
    for (const Nest &nest : nests_) nest.domain->gather(costs);
}

StepCosts Domain::step_costs() const {
    StepCosts all;
    gather(all.domains);
    int ranks = 1;
    MPI_Comm_size(comm_, &ranks);
    for (DomainCost &d : all.domains) {
        double sums[] = {d.own, d.nesting};
        MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, comm_);
        d.own = sums[0] / ranks, d.nesting = sums[1] / ranks;
    }
    return all;
}

double Domain::waited() const {
    double seconds = waited_before_;
    if (computes()) seconds += dynamics_->waited() + monitor_->waited();
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
    if (computes()) dynamics_->diagnose();
    for (Nest &nest : nests_) nest.domain->diagnose();
}

Snapshot Domain::now() const {
    return {dynamics_->state(), dynamics_->physics(), dynamics_->p(), dynamics_->al()};
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
    const Snapshot now = this->now();
    for (auto &h : histories_) {
        if (h->follows()) h->follow(seconds(), now);
        if (due(h->settings()))
            count(h->settings().name, [&] { h->write(seconds(), step_, now); });
        else if (h->samples_at(step_))
            h->sample(seconds(), now);
    }
    if (restart) count("restart", [&] { write_restart_frame(); });
    for (Nest &nest : nests_) {
        if (lives(nest)) nest.domain->write_due_frames(cold_start);
        if (step_ >= nest.last) nest.domain->let_go();
    }
}

/// What streams make over time, at a step within one of the parent: frames are due at the end of that.
void Domain::sample() {
    const bool wanted =
        std::ranges::any_of(histories_, [&](const auto &h) { return h->follows() || h->samples_at(step_); });
    if (wanted) dynamics_->diagnose();
    const Snapshot now = this->now();
    for (auto &h : histories_) {
        if (h->follows()) h->follow(seconds(), now);
        if (h->samples_at(step_)) h->sample(seconds(), now);
    }
    for (Nest &nest : nests_)
        if (lives(nest)) nest.domain->sample();
}

std::string Domain::write_restart() {
    if (!restart_) restart_.emplace(session_, default_restart(config_), config_, patch_, dynamics_->grid());
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
    if (computes())
        parts.push_back(
            {&config_, &patch_, &dynamics_->state(), &dynamics_->physics(), [this](io::Frame &frame) {
                 for (const auto &h : histories_) h->save(frame);
             }});
    else
        parts.push_back({&config_, &patch_, nullptr, nullptr});
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
