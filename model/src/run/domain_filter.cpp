// How the outermost domain starts from a digital filter.
#include <cmath>
#include <utility>

#include "run/agree.hpp"
#include "run/digital_filter.hpp"
#include "run/domain.hpp"
#include "run/domain_start.hpp"

namespace squall {
namespace {

/// The beginning of a solver's step at a time.
void begin_step_of(Solver &solver, double seconds, MPI_Comm comm) {
    if (!solver.reads_at(seconds)) return solver.set_time(seconds);
    solver.prepare_rim();
    agree(comm, [&] { solver.set_time(seconds); });
}

} // namespace

/// All steps are as run.time_step says. No nest lives meanwhile (checked).
int Domain::filter_start(const std::function<int()> &notice) {
    const DigitalFilterConfig &filter = config_.digital_filter;
    const double dt = config_.run.time_step;
    const int half = static_cast<int>(std::lround(filter.span / dt / 2)),
              middle = filter.backward() ? 0 : half;
    const auto weights = filter_weights(filter.weights, half, dt, filter.cutoff);
    FilteredStart start(config_, patch_.shape);
    if (filter.backward()) {
        if (const int heard = go_back(half, weights, start, notice)) return heard;
        step_ = -half, seconds_ = -half * dt;
        dynamics_->call_radiation();
    }
    for (int n = 0; n <= 2 * half; ++n) {
        if (n > 0) {
            advance((middle - half + n) * dt);
            if (const int heard = monitor_->check(dynamics_->change_state(), seconds(), notice()).notice)
                return heard;
        }
        start.add(weights[static_cast<std::size_t>(n)], state());
        if (n == half) start.keep(dynamics_->physics());
    }
    start.put_into(change_state(), physics());
    step_ = middle, seconds_ = middle * dt;
    agree(comm_.get(), [&] { dynamics_->set_time(seconds()); });
    static_cast<void>(dynamics_->take_crossing()); // of the integration, which is no part of the run
    account_.open(seconds(), holdings());
    return 0;
}

/// Sets the air to what it was half the span before: by an integration without physics as far, or by the mean
/// of one twice as long.
int Domain::go_back(int half, const std::vector<double> &weights, FilteredStart &start,
                    const std::function<int()> &notice) {
    const bool twice = config_.digital_filter.scheme == "twice";
    const double dt = -config_.run.time_step;
    const Config config = backward_config(config_);
    InitialState now = read_initial(config_, patch_, comm_.get());
    now.physics = {};
    auto rim = file_rim(config, now.scalars);
    Solver air(config, patch_, comm_.get(), std::move(now), std::move(rim));
    air.set_time_step(dt);
    const int steps = twice ? 2 * half : half;
    for (int n = 0; n <= steps; ++n) {
        if (n > 0) {
            begin_step_of(air, (n - 1) * dt, comm_.get());
            air.step();
            if (const int heard = monitor_->check(air.change_state(), n * dt, notice()).notice) return heard;
        }
        if (twice) start.add(weights[static_cast<std::size_t>(n)], air.state());
    }
    if (!twice) start.add(1, air.state());
    start.move_air_into(change_state());
    return 0;
}

} // namespace squall
