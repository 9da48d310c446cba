#include "physics/boundary_layer_batch.hpp"

#include <algorithm>
#include <utility>

#include <omp.h>

#include "core/constants.hpp"
#include "physics/sea_skin.hpp"

namespace squall {
namespace {

constexpr real latent_heat = real(2.5e6); // [J kg-1]

} // namespace

bool BoundaryLayer::mixes_condensate(const PhysicsConfig &config) {
    return boundary_layer_scheme(config.boundary_layer).on_surface_layer;
}

bool BoundaryLayer::mixes_numbers(const PhysicsConfig &config) {
    return boundary_layer_scheme(config.boundary_layer).keeps_eddies;
}

BoundaryLayer::BoundaryLayer(const Config &config, const ScalarSet &scalars, int nz)
    : vapour_(scalars.vapour), cloud_(scalars.cloud), ice_(scalars.ice), qke_(scalars.qke),
      snow_(scalars.snow), ice_number_(mixes_numbers(config.physics) ? scalars.ice_number : -1),
      waters_(scalars.waters), on_surface_layer_(config.physics.surface_layer != "none"),
      mixes_condensate_(mixes_condensate(config.physics)), has_skin_(config.physics.sea_skin != "none"),
      nz_(nz), dt_(static_cast<real>(config.run.time_step)),
      moist_theta_(config.dynamics.moist_theta && scalars.vapour >= 0), as_wrf_(config.run.as_wrf()),
      balanced_variance_(config.physics.eddy_variance == "balanced"),
      plume_turbulence_(config.physics.plume_turbulence), radiates_(config.physics.radiation != "none"),
      heat_fluxes_(config.physics.heat_fluxes), land_options_(land_options(config.land)) {
    const PhysicsConfig &physics = config.physics;
    if (physics.ocean != "none") ocean_.emplace(physics);
    if (physics.land != "none" && land_scheme(physics.land).canopy) start_ = parse_time(config.run.start);
    for (int thread = 0; thread < omp_get_max_threads(); ++thread) {
        Worker &worker = workers_.emplace_back(
            Worker{{}, {}, {}, {}, ColumnStorage(stored_fields, nz + 1), ColumnStorage(stored_rows, 1)});
        if (on_surface_layer_) worker.surface_layer = surface_layer_scheme(physics.surface_layer).make();
        if (physics.land != "none") worker.land = land_scheme(physics.land).make();
        worker.scheme = boundary_layer_scheme(physics.boundary_layer).make(nz);
    }
}

template <class F>
void BoundaryLayer::for_each_batch(Range columns, const GridView &grid, const State &state, ConstField3 p,
                                   ConstField3 al, Surroundings around, BoundaryLayerRates rates, F f) {
    Worker &worker = workers_[static_cast<std::size_t>(omp_get_thread_num())];
    squall::for_each_batch(columns, [&](int i0, int n, int j) {
        f(Batch{{i0, n, j, grid, state, p, al}, around, rates}, worker);
    });
}

void BoundaryLayer::rates(Range columns, const GridView &grid, const State &state, ConstField3 p,
                          ConstField3 al, Surroundings around, BoundaryLayerRates rates) {
    for_each_batch(columns, grid, state, p, al, around, rates, [&](const Batch &batch, Worker &worker) {
        prepare(batch, worker);
        TurbulentColumns c = turbulent_columns(batch, worker);
        SurfaceColumns surface;
        if (on_surface_layer_) {
            prepare_surface(batch, worker);
            surface = surface_columns(batch, worker);
            if (has_skin_) advance_sea_skin(surface);
            advance_surface(batch, worker, surface);
            if (ocean_) ocean_->advance(surface);
            take_precipitation(batch);
            set_2m_values(surface);
            c.surface = &surface;
        }
        worker.scheme->mix(c);
        if (farm_) farm_->act(c, batch.i0, batch.j, around.surface.turbine_power.view());
        finish(batch, worker);
    });
}

/// Without fluxes of heat and vapour the sea does not become rougher either, as in WRF.
void BoundaryLayer::exchange(const Batch &b, Worker &worker, const SurfaceColumns &surface) const {
    if (heat_fluxes_) return worker.surface_layer->exchange(surface);
    real *roughness = worker.rows.field(former_roughness).row(0);
    std::copy_n(surface.roughness, b.n, roughness);
    worker.surface_layer->exchange(surface);
    std::copy_n(roughness, b.n, surface.roughness);
    std::fill_n(surface.sensible_heat, b.n, real(0));
    std::fill_n(surface.vapour_flux, b.n, real(0));
}

/// Surface layer and land, of what a cell is and where it is two things, of both.
void BoundaryLayer::advance_surface(const Batch &b, Worker &worker, const SurfaceColumns &c) const {
    const auto set_latent_heat = [](const SurfaceColumns &of) {
        for (int i = 0; i < of.n; ++i) of.latent_heat[i] = latent_heat * of.vapour_flux[i];
    };
    const bool two = SeaIce::any(c);
    if (two)
        worker.sea_ice.exchange(*worker.surface_layer, c);
    else
        exchange(b, worker, c);
    set_latent_heat(c);
    if (two) {
        set_latent_heat(worker.sea_ice.water());
        worker.sea_ice.tell_land(c);
    }
    if (worker.land) worker.land->advance(c);
    if (two) worker.sea_ice.blend(c);
}

/// Land has had what fell.
void BoundaryLayer::take_precipitation(const Batch &b) {
    LandWaterState &water = b.around.surface.land_water;
    if (!b.around.surface.has_land_water()) return;
    std::fill_n(water.precipitation.view().row(b.j) + b.i0, b.n, real(0));
    std::fill_n(water.frozen_precipitation.view().row(b.j) + b.i0, b.n, real(0));
}

void BoundaryLayer::begin(Range columns, const GridView &grid, const State &state, ConstField3 p,
                          ConstField3 al, Surroundings around) {
    for_each_batch(columns, grid, state, p, al, around, {}, [&](const Batch &batch, Worker &worker) {
        prepare(batch, worker);
        prepare_surface(batch, worker);
        const SurfaceColumns surface = surface_columns(batch, worker);
        if (SeaIce::any(surface)) {
            worker.sea_ice.exchange(*worker.surface_layer, surface);
            worker.sea_ice.blend(surface);
        } else
            exchange(batch, worker, surface);
        set_2m_values(surface);
    });
}

TurbulentColumns BoundaryLayer::turbulent_columns(const Batch &b, Worker &worker) const {
    ColumnStorage &stored = worker.storage;
    const auto of_terrain = [&](const Array2 &plane) { return plane.bytes() > 0 ? b.of(plane) : nullptr; };
    return {.n = b.n,
            .nz = nz_,
            .dt = dt_,
            .pressure = stored.field(pressure),
            .density = stored.field(density),
            .depth = stored.field(depth),
            .u = stored.field(u),
            .v = stored.field(v),
            .theta = stored.field(theta),
            .vapour = b.species(vapour_),
            .surface_temperature = b.of(b.around.ground.temperature),
            .wetness = b.of(b.around.ground.wetness),
            .du = stored.field(du),
            .dv = stored.field(dv),
            .dtheta = stored.field(dtheta),
            .dvapour = stored.field(dvapour),
            .as_wrf = as_wrf_,
            .surface = nullptr,
            .exner = stored.field(exner),
            .weight = stored.field(weight),
            .cloud = mixes_condensate_ ? b.species(cloud_) : ConstColumns{},
            .ice = mixes_condensate_ ? b.species(ice_) : ConstColumns{},
            .dcloud = stored.field(dcloud),
            .dice = stored.field(dice),
            .radiative_heating = b.around.radiative_heating.origin
                                     ? columns_at(b.around.radiative_heating, b.i0, b.j)
                                     : ConstColumns{},
            .height = on_surface_layer_ ? b.of(b.around.surface.boundary_layer_height) : nullptr,
            .terrain_drag = of_terrain(b.around.ground.terrain_wind.drag),
            .shelter = of_terrain(b.around.ground.terrain_wind.shelter),
            .qke = b.around.surface.has_turbulence()
                       ? columns_at(std::as_const(b.around.surface.turbulence).view(), b.i0, b.j)
                       : b.species(qke_),
            .dqke = stored.field(dqke),
            .w = columns_at(b.state.w.view(), b.i0, b.j),
            .snow = b.species(snow_),
            .ice_number = b.species(ice_number_),
            .dice_number = stored.field(dice_number),
            .eddies = eddy_columns(b),
            .balanced_variance = balanced_variance_,
            .plume_turbulence = plume_turbulence_};
}

EddyColumns BoundaryLayer::eddy_columns(const Batch &b) {
    if (!b.around.surface.has_eddies()) return {};
    EddyState &e = b.around.surface.eddies;
    const auto of = [&](Array3 &field) { return columns_at(field.view(), b.i0, b.j); };
    return {of(e.variance), of(e.length), of(e.cover), of(e.cloud_water), of(e.cloud_ice)};
}

void BoundaryLayer::prepare(const Batch &b, Worker &worker) const {
    ColumnStorage &stored = worker.storage;
    const int i0 = b.i0, j = b.j;
    const ConstColumns vapour = b.species(moist_theta_ ? vapour_ : -1);
    for (int k = 0; k < nz_; ++k) {
        const auto to = [&](StoredInBatch f) { return stored.field(f).row(k); };
        const auto from = [&](ConstField3 f) { return f.row(k, j) + i0; };
        for_each_i(0, b.n,
                   [pressure = to(pressure), rho = to(density), dz = to(depth), dp = from(b.p),
                    pb = from(b.grid.pb), al = from(b.al), alb = from(b.grid.alb),
                    ph = from(b.state.ph.view()), phb = from(b.grid.phb),
                    ph_above = b.state.ph.view().row(k + 1, j) + i0,
                    phb_above = b.grid.phb.row(k + 1, j) + i0](int i) {
                       pressure[i] = dp[i] + pb[i];
                       rho[i] = 1 / (al[i] + alb[i]);
                       dz[i] = (ph_above[i] + phb_above[i]) / constants::g - (ph[i] + phb[i]) / constants::g;
                   });
        find_wind(b, k, to(u), to(v));
        for_each_i(0, b.n,
                   [th = to(theta), dtheta = from(b.state.theta.view()),
                    q = vapour.origin ? vapour.row(k) : nullptr](int i) {
                       th[i] =
                           (dtheta[i] + constants::theta0) / (q ? 1 + constants::rv_over_rd * q[i] : real(1));
                   });
    }
}

void BoundaryLayer::finish(const Batch &b, Worker &worker) const {
    const TurbulentColumns c = turbulent_columns(b, worker);
    const int i0 = b.i0, j = b.j;
    const bool moist = moist_theta_;
    for (int k = 0; k < nz_; ++k) {
        const auto to = [&](Field3 f) { return f.row(k, j) + i0; };
        for_each_i(
            0, b.n,
            [u = to(b.rates.u), v = to(b.rates.v), du = c.du.row(k), dv = c.dv.row(k), dt = dt_](int i) {
                u[i] = du[i] / dt;
                v[i] = dv[i] / dt;
            });
        for_each_i(0, b.n,
                   [moist, rate = to(b.rates.theta), th = c.theta.row(k), dth = c.dtheta.row(k),
                    q = moist ? c.vapour.row(k) : nullptr, dq = c.dvapour.row(k), dt = dt_](int i) {
                       const real by_heat =
                           moist ? dth[i] * (1 + constants::rv_over_rd * (q[i] + dq[i])) : dth[i];
                       const real by_vapour = moist ? constants::rv_over_rd * dq[i] * th[i] : real(0);
                       rate[i] = (by_heat + by_vapour) / dt;
                   });
        const auto set = [&](Field3 rate, ConstColumns change) {
            for_each_i(0, b.n,
                       [rate = to(rate), dq = change.row(k), dt = dt_](int i) { rate[i] = dq[i] / dt; });
        };
        if (vapour_ >= 0) set(b.rates.vapour, c.dvapour);
        if (c.cloud.origin) set(b.rates.cloud, c.dcloud);
        if (c.ice.origin) set(b.rates.ice, c.dice);
        if (c.ice_number.origin) set(b.rates.ice_number, c.dice_number);
        if (b.around.surface.has_turbulence())
            for_each_i(0, b.n, [q2 = to(b.around.surface.turbulence.view()), dq2 = c.dqke.row(k)](int i) {
                q2[i] += dq2[i];
            });
        else if (c.qke.origin)
            set(b.rates.qke, c.dqke);
    }
}

} // namespace squall
