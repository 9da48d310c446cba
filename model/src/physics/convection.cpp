#include "physics/convection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <omp.h>

#include "core/constants.hpp"
#include "core/elementary.hpp"
#include "core/interval.hpp"
#include "physics/column_batch.hpp"

namespace squall {
namespace {

/// From call to call [s]: whole steps of run.time_step; 0: every step.
double interval_of(const Config &config) {
    const double step = config.run.time_step, steps = std::round(config.physics.cumulus_interval / step);
    return steps > 1 ? steps * step : 0;
}

/// Fields of a batch that the driver holds.
enum Stored {
    pressure,
    temperature,
    exner,
    density,
    depth,
    u,
    v,
    forced_theta,
    forced_vapour,
    mixed_theta,
    mixed_vapour,
    weight_above,
    stored_fields
};

} // namespace

/// Neighbouring columns of a row and what they are part of.
struct Convection::Batch : ColumnBatch {
    const Surroundings &around;
    PhysicsState &physics;
};

Convection::Convection(const Config &config, const ScalarSet &scalars, int nz)
    : scalars_(scalars), nz_(nz), dt_(static_cast<real>(config.run.time_step)),
      interval_(interval_of(config)), moist_theta_(config.dynamics.moist_theta), as_wrf_(config.run.as_wrf()),
      sees_forcing_(cumulus_scheme(config.physics.cumulus).sees_forcing) {
    const std::vector<real> values(columns_at_a_time);
    for (int thread = 0; thread < omp_get_max_threads(); ++thread)
        workers_.push_back({cumulus_scheme(config.physics.cumulus).make(nz),
                            ColumnStorage(stored_fields, nz + 1), values, values, values});
}

bool Convection::due(double seconds) const {
    return interval_ == 0 || falls_due(seconds, double(dt_), interval_);
}

void Convection::follow(Range columns, bool due, const State &state, ConvectionState &convection) const {
    if (as_wrf_ && !due) return;
    const auto weight = static_cast<real>(double(dt_) / (2 * std::max(interval_, double(dt_))));
    for (int j = columns.j0; j < columns.j1; ++j)
        for (int k = 0; k < nz_; ++k)
            for_each_i(columns.i0, columns.i1,
                       [weight, mean = convection.updraught.view().row(k, j), w = state.w.view().row(k, j),
                        above = state.w.view().row(k + 1, j)](int i) {
                           mean[i] += weight * (real(0.5) * (w[i] + above[i]) - mean[i]);
                       });
}

void Convection::advance(Range columns, const GridView &grid, const State &state, const Surroundings &around,
                         PhysicsState &physics) {
    Worker &worker = workers_[static_cast<std::size_t>(omp_get_thread_num())];
    for_each_batch(columns, [&](int i0, int n, int j) {
        const Batch batch{{i0, n, j, grid, state, around.p, around.al}, around, physics};
        prepare(batch, worker);
        if (sees_forcing_) prepare_forcing(batch, worker);
        worker.scheme->convect(columns_of(batch, worker));
    });
}

/// The air as the scheme sees it.
void Convection::prepare(const Batch &b, Worker &worker) const {
    using namespace constants;
    const auto field = [&](Stored f) { return worker.storage.field(f); };
    const ConstColumns q = b.species(scalars_.vapour), weight = field(weight_above);
    std::fill_n(worker.spacing.data(), b.n, b.grid.dx);
    find_weight(b, nz_, scalars_.waters, field(weight_above));
    for (int k = 0; k < nz_; ++k) {
        const real *ph = b.row(b.state.ph.view(), k), *ph_above = b.row(b.state.ph.view(), k + 1);
        const real *phb = b.row(b.grid.phb, k), *phb_above = b.row(b.grid.phb, k + 1);
        const real *p = b.row(b.p, k), *pb = b.row(b.grid.pb, k);
        const real *al = b.row(b.al, k), *alb = b.row(b.grid.alb, k);
        const real *theta = b.row(b.state.theta.view(), k);
        for (int i = 0; i < b.n; ++i) {
            const real pi = power((p[i] + pb[i]) / p0, kappa);
            const real dry = (theta[i] + theta0) / (moist_theta_ ? 1 + rv_over_rd * q(i, k) : real(1));
            field(pressure)(i, k) = real(0.5) * (weight(i, k + 1) + weight(i, k));
            field(exner)(i, k) = pi;
            field(temperature)(i, k) = dry * pi;
            field(density)(i, k) = (1 + q(i, k)) / (al[i] + alb[i]);
            field(depth)(i, k) = (ph_above[i] + phb_above[i]) / g - (ph[i] + phb[i]) / g;
        }
        find_wind(b, k, field(u).row(k), field(v).row(k));
    }
}

/// Dry potential temperature and vapour by advection, in centred differences, turbulence and radiation; and
/// the surface's fluxes, which are what turbulence brings into the column.
void Convection::prepare_forcing(const Batch &b, Worker &worker) const {
    const auto field = [&](Stored f) { return worker.storage.field(f); };
    const Columns theta_rate = field(forced_theta), vapour_rate = field(forced_vapour);
    const GridView &g = b.grid;
    const ConstField3 theta = b.state.theta.view();
    const ConstField3 q = b.state.scalars[static_cast<std::size_t>(scalars_.vapour)].view();
    const auto dry = [&](int i, int k, int j) {
        const real moist = theta(i, k, j) + constants::theta0;
        return moist_theta_ ? moist / (1 + constants::rv_over_rd * q(i, k, j)) : moist;
    };
    const auto vapour = [&](int i, int k, int j) { return q(i, k, j); };
    std::fill_n(worker.heat_flux.data(), b.n, real(0));
    std::fill_n(worker.vapour_flux.data(), b.n, real(0));
    for (int k = 0; k < nz_; ++k)
        for (int n = 0; n < b.n; ++n) {
            const int i = b.i0 + n, j = b.j;
            const real mass = g.c1h[k] * (g.mub(i, j) + std::as_const(b.state.mu).view()(i, j)) + g.c2h[k];
            const auto descent = [&](auto f, int at) {
                return at == 0 || at == nz_
                           ? real(0)
                           : b.around.omega(i, at, j) * g.rdn[at] * (f(i, at, j) - f(i, at - 1, j));
            };
            const auto advection = [&](auto f) {
                const real east = (f(i + 1, k, j) - f(i - 1, k, j)) * g.rdx / 2 * g.msftx(i, j);
                const real north = (f(i, k, j + 1) - f(i, k, j - 1)) * g.rdy / 2 * g.msfty(i, j);
                return -(field(u)(n, k) * east + field(v)(n, k) * north) -
                       g.msfty(i, j) / mass * (descent(f, k) + descent(f, k + 1)) / 2;
            };
            theta_rate(n, k) = advection(dry);
            vapour_rate(n, k) = advection(vapour);
            if (b.around.radiative.origin) theta_rate(n, k) += b.around.radiative(i, k, j);
            if (!b.around.theta.origin) continue;
            const real dq = b.around.vapour(i, k, j);
            real dtheta = b.around.theta(i, k, j);
            if (moist_theta_)
                dtheta = (dtheta - constants::rv_over_rd * dry(i, k, j) * dq) /
                         (1 + constants::rv_over_rd * q(i, k, j));
            theta_rate(n, k) += dtheta;
            vapour_rate(n, k) += dq;
            field(mixed_theta)(n, k) = dtheta;
            field(mixed_vapour)(n, k) = dq;
            const real layer = field(density)(n, k) / (1 + q(i, k, j)) * field(depth)(n, k);
            worker.heat_flux[static_cast<std::size_t>(n)] +=
                layer * constants::c_p * field(exner)(n, k) * dtheta;
            worker.vapour_flux[static_cast<std::size_t>(n)] += layer * dq;
        }
}

ConvectiveColumns Convection::columns_of(const Batch &b, Worker &worker) const {
    ConvectionState &c = b.physics.convection;
    const Array2 &height = b.physics.surface.boundary_layer_height;
    const auto field = [&](Stored f) { return worker.storage.field(f); };
    const auto rates = [&](Array3 &f) { return f.bytes() > 0 ? columns_at(f.view(), b.i0, b.j) : Columns{}; };
    const bool mixed = b.around.theta.origin != nullptr;
    const auto forcing = [&](Stored f) { return sees_forcing_ ? ConstColumns(field(f)) : ConstColumns{}; };
    return {.n = b.n,
            .nz = nz_,
            .dt = dt_,
            .interval = interval_ > 0 ? static_cast<real>(interval_) : dt_,
            .as_wrf = as_wrf_,
            .has_ice = scalars_.ice >= 0,
            .has_snow = scalars_.snow >= 0,
            .pressure = field(pressure),
            .temperature = field(temperature),
            .exner = field(exner),
            .vapour = b.species(scalars_.vapour),
            .density = field(density),
            .depth = field(depth),
            .u = field(u),
            .v = field(v),
            .updraught = columns_at(std::as_const(c.updraught).view(), b.i0, b.j),
            .spacing = worker.spacing.data(),
            .heating = rates(c.heating),
            .dvapour = rates(c.vapour),
            .dcloud = rates(c.cloud),
            .drain = rates(c.rain),
            .dice = rates(c.ice),
            .dsnow = rates(c.snow),
            .remaining = b.of(c.remaining),
            .rate = b.of(c.rate),
            .forced_theta = forcing(forced_theta),
            .forced_vapour = forcing(forced_vapour),
            .heat_flux = sees_forcing_ ? worker.heat_flux.data() : nullptr,
            .vapour_flux = sees_forcing_ ? worker.vapour_flux.data() : nullptr,
            .land = b.around.land.origin ? b.row(b.around.land) : nullptr,
            .du = rates(c.u),
            .dv = rates(c.v),
            .w = columns_at(b.state.w.view(), b.i0, b.j),
            .ground = b.grid.phb.row(0, b.j) + b.i0,
            .boundary_layer = height.bytes() > 0 ? b.of(height) : nullptr,
            .mixed_theta = mixed ? forcing(mixed_theta) : ConstColumns{},
            .mixed_vapour = mixed ? forcing(mixed_vapour) : ConstColumns{}};
}

void Convection::finish(Range columns, PhysicsState &physics) const {
    ConvectionState &c = physics.convection;
    const bool to_land = physics.surface.has_land_water();
    for (int j = columns.j0; j < columns.j1; ++j)
        for (int i = columns.i0; i < columns.i1; ++i) {
            if (c.remaining(i, j) <= 0) continue;
            const real fell = c.rate(i, j) * dt_;
            c.accumulated(i, j) += fell;
            if (to_land) physics.surface.land_water.precipitation(i, j) += fell;
            c.remaining(i, j) -= dt_;
            if (c.remaining(i, j) >= real(0.5) * dt_) continue;
            c.remaining(i, j) = 0;
            for (Array3 *f : {&c.heating, &c.vapour, &c.cloud, &c.rain, &c.ice, &c.snow, &c.u, &c.v})
                for (int k = 0; k < nz_ && f->bytes() > 0; ++k) (*f)(i, k, j) = 0;
        }
}

} // namespace squall
