#include "physics/microphysics.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <omp.h>

#include "core/constants.hpp"
#include "core/elementary.hpp"

namespace squall {
namespace {

constexpr real vapour_factor = constants::r_v / constants::r_d;
/// WRF's mp_tend_lim: theta changes no faster [K s-1].
constexpr real max_heating = 10;

/// Fields of a batch that the driver holds.
enum Stored {
    theta,
    theta_before,
    vapour_before,
    exner,
    pressure,
    density,
    mass,
    depth,
    height,
    stored_fields
};
/// Rows: what falls in a step.
enum Fallen { fallen, fallen_snow, fallen_graupel, fallen_rows };

std::vector<int> indices_of(const ScalarSet &scalars, const std::vector<Water> &waters,
                            const std::string &scheme) {
    const std::vector<int> of_run{scalars.vapour, scalars.cloud, scalars.rain,
                                  scalars.ice,    scalars.snow,  scalars.graupel};
    std::vector<int> used(of_run.size(), -1);
    for (const Water water : waters) {
        const auto n = static_cast<std::size_t>(water);
        if (of_run[n] < 0)
            throw std::runtime_error(
                fmt::format("microphysics \"{}\" needs a species that the run does not transport", scheme));
        used[n] = of_run[n];
    }
    return used;
}

} // namespace

/// Neighbouring columns of a row and what they are part of.
struct Microphysics::Batch {
    int i0, n, j;
    const GridView &grid;
    State &state;
    ConstField3 p, al;
    PhysicsState &physics;
};

bool Microphysics::wanted(const PhysicsConfig &config) {
    return config.microphysics != "none" && config.microphysics != "vapour";
}

Microphysics::Microphysics(const Config &config, const ScalarSet &scalars, int nz)
    : nz_(nz), dt_(static_cast<real>(config.run.time_step)), moist_theta_(config.dynamics.moist_theta),
      as_wrf_(config.run.as_wrf()) {
    const std::string &name = config.physics.microphysics;
    const MicrophysicsEntry &scheme = microphysics_scheme(name);
    waters_ = indices_of(scalars, scheme.waters, name);
    for (const Number number : {Number::rain, Number::ice, Number::snow, Number::graupel})
        numbers_.push_back(index_of(number, scheme, scalars));
    for (int thread = 0; thread < omp_get_max_threads(); ++thread)
        workers_.push_back(
            {scheme.make(nz), ColumnStorage(stored_fields, nz), ColumnStorage(fallen_rows, 1)});
}

void Microphysics::advance(Range columns, const GridView &grid, State &state, ConstField3 p, ConstField3 al,
                           PhysicsState &physics) {
    Worker &worker = workers_[static_cast<std::size_t>(omp_get_thread_num())];
    for (int j = columns.j0; j < columns.j1; ++j)
        for (int i0 = columns.i0; i0 < columns.i1; i0 += columns_at_a_time) {
            const int n = std::min(columns_at_a_time, columns.i1 - i0);
            const Batch batch{i0, n, j, grid, state, p, al, physics};
            prepare(batch, worker);
            for (const Fallen f : {fallen, fallen_snow, fallen_graupel})
                std::fill_n(worker.fallen.field(f).row(0), n, real(0));
            worker.scheme->advance(moist_columns(batch, worker));
            finish(batch, worker);
            add_fallen(batch, worker);
        }
}

MoistColumns Microphysics::moist_columns(const Batch &b, Worker &worker) const {
    ColumnStorage &stored = worker.storage;
    const auto scalar = [&](int n) {
        return n < 0 ? Columns{} : columns_at(b.state.scalars[static_cast<std::size_t>(n)].view(), b.i0, b.j);
    };
    const auto species = [&](Water water) { return scalar(waters_[static_cast<std::size_t>(water)]); };
    const auto number = [&](Number of) { return scalar(numbers_[static_cast<std::size_t>(of)]); };
    return {.n = b.n,
            .nz = nz_,
            .dt = dt_,
            .as_wrf = as_wrf_,
            .exner = stored.field(exner),
            .pressure = stored.field(pressure),
            .density = stored.field(density),
            .mass = stored.field(mass),
            .depth = stored.field(depth),
            .height = stored.field(height),
            .updraught = columns_at(std::as_const(b.state.w).view(), b.i0, b.j),
            .theta = stored.field(theta),
            .vapour = species(Water::vapour),
            .cloud = species(Water::cloud),
            .rain = species(Water::rain),
            .ice = species(Water::ice),
            .snow = species(Water::snow),
            .graupel = species(Water::graupel),
            .rain_number = number(Number::rain),
            .ice_number = number(Number::ice),
            .rain_sum = worker.fallen.field(fallen).row(0),
            .snow_sum = worker.fallen.field(fallen_snow).row(0),
            .graupel_sum = worker.fallen.field(fallen_graupel).row(0),
            .snow_number = number(Number::snow),
            .graupel_number = number(Number::graupel)};
}

/// What a scheme wants to know of the columns, and what finish() must know of before it.
void Microphysics::prepare(const Batch &b, Worker &worker) const {
    using namespace constants;
    const MoistColumns c = moist_columns(b, worker);
    ColumnStorage &stored = worker.storage;
    const ConstColumns ph = columns_at(b.state.ph.view(), b.i0, b.j), phb = columns_at(b.grid.phb, b.i0, b.j);
    const ConstColumns dp = columns_at(b.p, b.i0, b.j), pb = columns_at(b.grid.pb, b.i0, b.j);
    const ConstColumns al = columns_at(b.al, b.i0, b.j), alb = columns_at(b.grid.alb, b.i0, b.j);
    const ConstColumns dtheta = columns_at(b.state.theta.view(), b.i0, b.j);
    const bool moist = moist_theta_;
    for (int k = 0; k < nz_; ++k) {
        const auto to = [&](Stored f) { return stored.field(f).row(k); };
        const auto from = [k](ConstColumns f) { return f.row(k); };
        for_each_i(0, b.n,
                   [=, p = to(pressure), rho = to(density), dz = to(depth), z = to(height), lower = from(ph),
                    upper = ph.row(k + 1), lower_b = from(phb), upper_b = phb.row(k + 1), dp = from(dp),
                    pb = from(pb), al = from(al), alb = from(alb)](int i) {
                       p[i] = dp[i] + pb[i];
                       rho[i] = 1 / (al[i] + alb[i]);
                       const real bottom = (lower[i] + lower_b[i]) / g, top = (upper[i] + upper_b[i]) / g;
                       dz[i] = top - bottom;
                       z[i] = real(0.5) * (bottom + top);
                   });
        for_each_i(0, b.n,
                   [=, mass = to(mass), mub = b.grid.mub.row(b.j) + b.i0,
                    mu = std::as_const(b.state.mu).view().row(b.j) + b.i0, c1 = b.grid.c1h[k],
                    c2 = b.grid.c2h[k],
                    dnw = b.grid.dnw[k]](int i) { mass[i] = -dnw * (c1 * (mub[i] + mu[i]) + c2) / g; });
        for_each_i(0, b.n,
                   [=, th = to(theta), before = to(theta_before), qv_before = to(vapour_before),
                    qv = from(c.vapour), dtheta = from(dtheta)](int i) {
                       const real full = dtheta[i] + theta0;
                       th[i] = moist ? full / (1 + vapour_factor * qv[i]) : full;
                       before[i] = th[i];
                       qv_before[i] = qv[i];
                   });
        for_each_i(0, b.n, [pi = to(exner), p = to(pressure)](int i) { pi[i] = power(p[i] / p0, kappa); });
    }
}

/// Adds up what reached the ground, and hands it to land.
void Microphysics::add_fallen(const Batch &b, Worker &worker) const {
    const auto row = [&](Fallen f) { return worker.fallen.field(f).row(0); };
    const auto add = [&](Array2 &sum, const real *fell) {
        for_each_i(0, b.n, [to = sum.view().row(b.j) + b.i0, fell](int i) { to[i] += fell[i]; });
    };
    add(b.physics.rain, row(fallen));
    add(b.physics.snow, row(fallen_snow));
    add(b.physics.graupel, row(fallen_graupel));
    if (!b.physics.surface.has_land_water()) return;
    LandWaterState &land = b.physics.surface.land_water;
    add(land.precipitation, row(fallen));
    add(land.frozen_precipitation, row(fallen_snow));
    add(land.frozen_precipitation, row(fallen_graupel));
}

/// Adds to theta of the state what the scheme did to theta; the heating. The change of moist theta is
/// formed from the changes, so that air in which nothing happens keeps its bits.
void Microphysics::finish(const Batch &b, Worker &worker) const {
    const MoistColumns c = moist_columns(b, worker);
    ColumnStorage &stored = worker.storage;
    const Columns dtheta = columns_at(b.state.theta.view(), b.i0, b.j);
    const Columns heating = columns_at(b.physics.heating.view(), b.i0, b.j);
    const bool moist = moist_theta_;
    const real dt = dt_, limit = max_heating * dt_;
    for (int k = 0; k < nz_; ++k) {
        for_each_i(0, b.n,
                   [=, th = c.theta.row(k), before = stored.field(theta_before).row(k), qv = c.vapour.row(k),
                    qv_before = stored.field(vapour_before).row(k), state = dtheta.row(k),
                    rate = heating.row(k)](int i) {
                       real change = std::max(-limit, std::min(limit, th[i] - before[i]));
                       if (moist)
                           change = change * (1 + vapour_factor * qv[i]) +
                                    vapour_factor * (qv[i] - qv_before[i]) * th[i];
                       state[i] += change;
                       rate[i] = change / dt;
                   });
    }
}

} // namespace squall
