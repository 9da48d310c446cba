#include "run/adaptive_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/interval.hpp"
#include "run/stability.hpp"
#include "settings/nests.hpp"

namespace squall {
namespace {

constexpr double longest_per_metre = 8e-3; ///< [s m-1], as WRF's max_time_step
constexpr double below_sound = 0.98;       ///< of the acoustic limit

/// What sound permits on all domains, as a step of the outermost [s].
double acoustic_bound(const Config &config) {
    double bound = std::numeric_limits<double>::infinity();
    for (const Config &domain : with_nests(config)) {
        const double courant = acoustic_courant(make_stepping(domain));
        bound = std::min(bound, below_sound * config.run.time_step / courant);
    }
    return bound;
}

/// By how much a step may change for one of its Courant numbers.
double factor(double courant, double target) {
    if (courant <= target) return target / std::max(courant, 1e-6);
    return std::max((target - 0.5 * (courant - target)) / courant, 0.5);
}

} // namespace

AdaptiveStep::AdaptiveStep(const Config &config)
    : target_horizontal_(config.run.target_courant_horizontal),
      target_vertical_(config.run.target_courant_vertical), increase_(config.run.max_step_increase),
      least_(config.run.min_time_step > 0 ? config.run.min_time_step : config.run.time_step / 3),
      most_(config.run.max_time_step > 0
                ? config.run.max_time_step
                : std::min(acoustic_bound(config),
                           longest_per_metre * std::min(config.domain.dx, config.domain.dy))),
      longest_(config.run.time_step), bound_given_(config.run.max_time_step > 0) {
    most_ = std::max(most_, least_);
    times_ = {config.run.duration, config.nudging.end};
    for (const Config &domain : with_nests(config))
        for (const StreamConfig &stream : domain.streams)
            for (const double every : {stream.interval, stream.sample})
                if (every > 0) intervals_.push_back(every);
    for (const NestConfig &nest : config.nests) {
        times_.insert(times_.end(), {nest.start, nest.end});
        for (const NestMove &move : nest.plan) times_.push_back(move.seconds);
        if (nest.follows()) intervals_.push_back(nest.follow_interval);
    }
}

void AdaptiveStep::bound_by_sound(const Stepping &here) {
    if (bound_given_) return;
    most_ = std::max(std::min(most_, below_sound * here.time_step / acoustic_courant(here)), least_);
}

double AdaptiveStep::next_event(double seconds, double change) const {
    double next = change;
    for (const double every : intervals_) next = std::min(next, next_multiple(seconds, every));
    for (const double time : times_)
        if (time > seconds * (1 + 1e-12) + 1e-6) next = std::min(next, time);
    return next;
}

double AdaptiveStep::end_of_step(double seconds, double change) const {
    const double event = next_event(seconds, change), left = event - seconds;
    const double steps = std::ceil(left / longest_ - 1e-6);
    return steps <= 1 ? event : seconds + left / steps;
}

void AdaptiveStep::adapt(const Health &health, double step) {
    const double by = std::min(factor(health.courant_horizontal.value, target_horizontal_),
                               factor(health.courant_vertical.value, target_vertical_));
    longest_ = std::clamp(std::min(step * by, longest_ * (1 + increase_)), least_, most_);
}

} // namespace squall
