#include "run/domain.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "run/agree.hpp"

namespace squall {
namespace {

Patch patch_of(const Config &config, MPI_Comm comm) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const DomainConfig &d = config.domain;
    const auto [px, py] =
        choose_process_grid(ranks, d.nx, d.ny, config.parallel.ranks_x, config.parallel.ranks_y);
    return make_patch(rank, px, py, d.nx, d.ny, d.nz, d.boundaries);
}

} // namespace

Domain::Domain(const Config &config, io::Session &session)
    : config_(config), comm_(session.comm()), patch_(patch_of(config, comm_)), costs_(config.streams.size()) {
    InitialState initial;
    agree(comm_, [&] { initial = make_initial_state(config, patch_); });
    dynamics_ = std::make_unique<Dynamics>(config, patch_, comm_, std::move(initial));
    if (!config.run.restart_from.empty()) {
        agree(comm_, [&] {
            RestartFrame frame = read_restart(config.run.restart_from, config, patch_, dynamics_->grid());
            dynamics_->state() = std::move(frame.state);
            dynamics_->physics() = std::move(frame.physics);
            step_ = frame.step;
        });
    }
    agree(comm_, [&] { dynamics_->set_time(seconds()); });
    monitor_.emplace(comm_, patch_, config.domain.boundaries, dynamics_->grid(), make_stepping(config),
                     dynamics_->tiles());
    open_streams(session);
    if (!config.run.restart_from.empty()) agree(comm_, [&] { restore_streams(); });
}

/// Streams that were there before the restart go on; others begin.
void Domain::restore_streams() {
    const io::Reader file(config_.run.restart_from);
    for (auto &h : histories_) h->restore(file);
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
    if (dynamics_->reads_at(seconds()))
        agree(comm_, [&] { dynamics_->set_time(seconds()); });
    else
        dynamics_->set_time(seconds());
    dynamics_->step();
    ++step_;
    for (auto &nest : nests_) nest->step();
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

void Domain::write_due_frames(bool cold_start) {
    const bool restart = restart_ && due(restart_->settings()) && !cold_start;
    const bool history = std::ranges::any_of(histories_, [&](const auto &h) {
        return h->follows() || h->samples_at(step_) || due(h->settings());
    });
    if (history || restart) dynamics_->diagnose();
    const Snapshot now{dynamics_->state(), dynamics_->physics(), dynamics_->p(), dynamics_->al()};
    for (auto &h : histories_) {
        if (h->follows()) h->follow(now);
        if (due(h->settings()))
            count(h->settings().name, [&] { h->write(seconds(), step_, now); });
        else if (h->samples_at(step_))
            h->sample(seconds(), now);
    }
    if (restart) count("restart", [&] { write_restart_frame(); });
    for (auto &nest : nests_) nest->write_due_frames(cold_start);
}

std::string Domain::write_restart(io::Session &session) {
    if (!restart_) restart_.emplace(session, default_restart(config_), config_, patch_, dynamics_->grid());
    if (restart_->last_step() != step_) {
        dynamics_->diagnose();
        write_restart_frame();
    }
    return restart_->file();
}

void Domain::write_restart_frame() {
    restart_->write(seconds(), step_, dynamics_->state(), dynamics_->physics(), [&](io::Frame &frame) {
        for (const auto &h : histories_) h->save(frame);
    });
}

void Domain::close_streams() {
    for (auto &h : histories_) h->close();
    if (restart_) restart_->close();
    for (auto &nest : nests_) nest->close_streams();
}

std::int64_t Domain::cells() const {
    return std::int64_t(patch_.nx_domain) * patch_.ny_domain * patch_.shape.nz;
}

} // namespace squall
