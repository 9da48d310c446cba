#include "run/domain.hpp"

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

const StreamConfig *find_stream(const Config &config, const std::string &name) {
    for (const StreamConfig &s : config.streams)
        if (s.name == name && s.interval > 0) return &s;
    return nullptr;
}

} // namespace

Domain::Domain(const Config &config, MPI_Comm comm) : config_(config), patch_(patch_of(config, comm)) {
    InitialState initial;
    agree(comm, [&] { initial = make_initial_state(config, patch_); });
    dynamics_ = std::make_unique<Dynamics>(config, patch_, comm, std::move(initial));
    if (!config.run.restart_from.empty()) {
        agree(comm, [&] {
            RestartFrame frame = read_restart(config.run.restart_from, config, patch_, dynamics_->grid());
            dynamics_->state() = std::move(frame.state);
            step_ = frame.step;
        });
    }
    monitor_.emplace(comm, patch_, config.domain.boundaries, dynamics_->grid(), make_stepping(config),
                     dynamics_->tiles());
    session_.emplace(comm);
    history_config_ = find_stream(config, "history");
    restart_config_ = find_stream(config, "restart");
    if (history_config_) history_.emplace(*session_, *history_config_, config_, patch_, dynamics_->grid());
    if (restart_config_) restart_.emplace(*session_, *restart_config_, config_, patch_, dynamics_->grid());
}

void Domain::step() {
    dynamics_->step();
    ++step_;
    for (auto &nest : nests_) nest->step();
}

bool Domain::due(const StreamConfig &stream) const {
    return step_ % std::llround(stream.interval / config_.run.time_step) == 0;
}

void Domain::write_due_frames(bool cold_start) {
    const bool history = history_ && due(*history_config_),
               restart = restart_ && due(*restart_config_) && !cold_start;
    if (history || restart) dynamics_->diagnose();
    if (history) history_->write(seconds(), step_, dynamics_->state(), dynamics_->p());
    if (restart) restart_->write(seconds(), step_, dynamics_->state());
    for (auto &nest : nests_) nest->write_due_frames(cold_start);
}

void Domain::close_streams() {
    if (history_) history_->close();
    if (restart_) restart_->close();
    for (auto &nest : nests_) nest->close_streams();
}

std::int64_t Domain::cells() const {
    return std::int64_t(patch_.nx_domain) * patch_.ny_domain * patch_.shape.nz;
}

} // namespace squall
