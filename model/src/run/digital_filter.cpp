#include "run/digital_filter.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/loop.hpp"
#include "output/restart_variables.hpp"
#include "physics/declared_state.hpp"

namespace squall {
namespace {

using std::numbers::pi;

double lanczos(int n, int half, double angle) {
    if (n == 0) return angle / pi;
    const double x = n * pi / (half + 1);
    return std::sin(n * angle) / (n * pi) * (std::sin(x) / x);
}

/// T_n(x), for |x| > 1 too.
double chebyshev(int n, double x) {
    return std::abs(x) <= 1 ? std::cos(n * std::acos(x)) : std::cosh(n * std::acosh(std::abs(x)));
}

double dolph(int n, int half, double angle) {
    const int count = 2 * half + 1;
    const double x0 = 1 / std::cos(angle / 2), r = 1 / chebyshev(2 * half, x0);
    double sum = 1;
    for (int m = 1; m <= half; ++m)
        sum += 2 * r * chebyshev(2 * half, x0 * std::cos(m * pi / count)) * std::cos(2 * pi * m * n / count);
    return sum / count;
}

/// Of the variables of a domain, how many are the air's: they stand first.
std::size_t count_of_air(const State &state) { return 6 + state.scalars.size(); }

/// Runs f(into, from) for all points of variables [first, last) of two lists, the last faces too.
template <class A, class B, class F>
void for_each_pair(const A &into, const B &from, std::size_t first, std::size_t last, Shape s, F f) {
    for (std::size_t n = first; n < last; ++n)
        for_each({0, s.nx + 1, 0, s.ny + 1, 0, levels_of(into[n].where, s.nz)},
                 [f, a = into[n].view, b = from[n].view](int i, int k, int j) { f(a(i, k, j), b(i, k, j)); });
}

/// What is counted from the run's start on.
void forget_fallen(PhysicsState &physics) {
    LandWaterState &water = physics.surface.land_water;
    for (Array2 *sum : {&physics.rain, &physics.snow, &physics.graupel, &physics.convection.accumulated,
                        &water.surface_runoff, &water.drainage})
        if (sum->bytes() > 0) sum->fill(0);
}

/// The next even order.
void make_even(int &order) { order += order % 2; }

} // namespace

Config backward_config(const Config &config) {
    Config c = config;
    DynamicsConfig &d = c.dynamics;
    for (int *order : {&d.momentum_order_horizontal, &d.momentum_order_vertical, &d.scalar_order_horizontal,
                       &d.scalar_order_vertical})
        make_even(*order);
    d.limiter = "none";
    d.w_damping = false;
    c.physics = {};
    c.diffusion = {};
    c.damping = {};
    c.nudging = {};
    c.tracers.clear();
    return c;
}

std::vector<double> filter_weights(const std::string &window, int half, double dt, double cutoff) {
    const double angle = 2 * pi * dt / cutoff;
    std::vector<double> weights;
    for (int n = -half; n <= half; ++n)
        weights.push_back(window == "lanczos" ? lanczos(n, half, angle) : dolph(n, half, angle));
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double &w : weights) w /= sum;
    return weights;
}

FilteredStart::FilteredStart(const Config &config, Shape shape)
    : config_(config), shape_(shape), sum_(shape, scalars_of(config).size()),
      kept_(physics_state_of(config, shape)) {}

void FilteredStart::add(double weight, const State &state) {
    const auto w = static_cast<real>(weight);
    for_each_pair(state_variables(sum_, kept_, config_),
                  state_variables(state, std::as_const(kept_), config_), 0, count_of_air(sum_), shape_,
                  [w](real &sum, real x) { sum += w * x; });
}

void FilteredStart::keep(const PhysicsState &physics) {
    const auto into = state_variables(sum_, kept_, config_);
    for_each_pair(into, state_variables(std::as_const(sum_), physics, config_), count_of_air(sum_),
                  into.size(), shape_, [](real &kept, real x) { kept = x; });
}

void FilteredStart::put_air_into(State &state) const {
    PhysicsState none = physics_state_of(config_, shape_);
    const auto into = state_variables(state, none, config_);
    const std::size_t count = count_of_air(sum_);
    for_each_pair(into, state_variables(sum_, std::as_const(none), config_), 0, count, shape_,
                  [](real &to, real x) { to = x; });
    for_each_pair(into, into, 6, count, shape_,
                  [](real &amount, real) { amount = std::max(amount, real(0)); });
}

void FilteredStart::move_air_into(State &state) {
    put_air_into(state);
    sum_ = State(shape_, sum_.scalars.size());
}

void FilteredStart::put_into(State &state, PhysicsState &physics) const {
    put_air_into(state);
    const auto into = state_variables(state, physics, config_);
    for_each_pair(into, state_variables(sum_, kept_, config_), count_of_air(sum_), into.size(), shape_,
                  [](real &to, real x) { to = x; });
    if (config_.digital_filter.backward()) forget_fallen(physics);
    share_radiation(physics, config_);
}

} // namespace squall
