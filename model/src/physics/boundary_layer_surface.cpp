// What surface layer and land want to know of a batch of columns, and what they change.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/constants.hpp"
#include "core/elementary.hpp"
#include "physics/boundary_layer_batch.hpp"
#include "physics/canopy_columns.hpp"

namespace squall {

void BoundaryLayer::prepare_surface(const Batch &b, Worker &worker) const {
    ColumnStorage &stored = worker.storage;
    const auto row = [&](RowOfBatch r) { return worker.rows.field(r).row(0); };
    find_weight(b, nz_, waters_, stored.field(weight));
    if (SurfaceState &surface = b.around.surface; surface.has_pressure())
        std::copy_n(stored.field(weight).row(0), b.n, b.of(surface.pressure));
    for (int k = 0; k < nz_; ++k)
        for_each_i(0, b.n, [pi = stored.field(exner).row(k), p = stored.field(pressure).row(k)](int i) {
            pi[i] = power(p[i] / constants::p0, constants::kappa);
        });
    for_each_i(0, b.n,
               [t = row(lowest_temperature), p = row(lowest_pressure), th = stored.field(theta).row(0),
                pi = stored.field(exner).row(0), below = stored.field(weight).row(0),
                above = stored.field(weight).row(1)](int i) {
                   t[i] = th[i] * pi[i];
                   p[i] = real(0.5) * (below[i] + above[i]);
               });
    for_each_i(0, b.n,
               [d = row(spacing), dx = b.grid.dx, dy = b.grid.dy, mx = b.grid.msftx.row(b.j) + b.i0,
                my = b.grid.msfty.row(b.j) + b.i0](int i) { d[i] = std::sqrt(dx / mx[i] * (dy / my[i])); });
}

/// Null origins where land keeps no account of water.
LandWaterColumns BoundaryLayer::land_water_columns(const Batch &b) const {
    SurfaceState &surface = b.around.surface;
    if (!surface.has_land_water()) return {};
    const LandCover &cover = b.around.ground.cover;
    LandWaterState &water = surface.land_water;
    const auto of = [&](auto &plane) { return b.of(plane); };
    return {.vegetation = of(cover.vegetation),
            .soil = of(cover.soil),
            .green = of(cover.green),
            .least_green = of(cover.least_green),
            .most_green = of(cover.most_green),
            .deep_temperature = of(cover.deep_temperature),
            .snow_albedo = of(cover.snow_albedo),
            .ice = of(cover.ice),
            .shortwave_down = of(surface.shortwave_down),
            .precipitation = of(water.precipitation),
            .frozen_precipitation = of(water.frozen_precipitation),
            .albedo = of(surface.albedo),
            .emissivity = of(surface.emissivity),
            .canopy_water = of(water.canopy_water),
            .snow_water = of(water.snow_water),
            .snow_depth = of(water.snow_depth),
            .snow_cover = of(water.snow_cover),
            .snow_age = of(water.snow_age),
            .ground_heat = of(water.ground_heat),
            .surface_runoff = of(water.surface_runoff),
            .drainage = of(water.drainage),
            .moisture = columns_at(water.moisture.view(), b.i0, b.j),
            .liquid = columns_at(water.liquid.view(), b.i0, b.j)};
}

/// Null origins where land has no leaves of its own.
CanopyColumns BoundaryLayer::canopy_columns(const Batch &b) const {
    const Surroundings &around = b.around;
    if (!around.surface.has_canopy()) return {};
    CanopyColumns c = columns_of(around.surface.canopy, b.i0, b.j);
    c.latitude = around.latitude.row(b.j) + b.i0;
    c.sun = around.sun.row(b.j) + b.i0;
    c.options = land_options_;
    c.year = real(share_of_year(add_seconds(*start_, around.seconds)));
    return c;
}

/// Null where the surface layer carries none.
SublayerColumns BoundaryLayer::sublayer_columns(const Batch &b) {
    if (!b.around.surface.has_sublayer()) return {};
    SublayerState &s = b.around.surface.sublayer;
    const auto of = [&](auto &plane) { return b.of(plane); };
    return {of(s.heat_conductance), of(s.momentum_conductance), of(s.u), of(s.v), of(s.theta),
            of(s.humidity),         of(s.bare_roughness)};
}

/// Null in a run without.
OceanColumns BoundaryLayer::ocean_columns(const Batch &b) {
    if (!b.around.surface.has_ocean()) return {};
    OceanState &o = b.around.surface.ocean;
    const auto of = [&](auto &plane) { return b.of(plane); };
    return {of(std::as_const(o.first_temperature)), b.grid.f.row(b.j) + b.i0, of(o.depth), of(o.u_transport),
            of(o.v_transport)};
}

/// Null where ice covers cells wholly or not.
IceColumns BoundaryLayer::ice_columns(const Batch &b) {
    SeaState &sea = b.around.surface.sea;
    if (!sea.has_ice_alone()) return {};
    IceState &ice = sea.ice_alone;
    const auto of = [&](auto &plane) { return b.of(plane); };
    return {of(sea.ice),    of(sea.temperature), of(ice.temperature),
            of(ice.vapour), of(ice.albedo),      of(ice.emissivity)};
}

SurfaceColumns BoundaryLayer::surface_columns(const Batch &b, Worker &worker) const {
    ColumnStorage &stored = worker.storage;
    const Ground &ground = b.around.ground;
    SurfaceState &surface = b.around.surface;
    const auto row = [&](RowOfBatch r) { return worker.rows.field(r).row(0); };
    const auto of = [&](auto &plane) { return b.of(plane); };
    return {.n = b.n,
            .dt = dt_,
            .u = stored.field(u).row(0),
            .v = stored.field(v).row(0),
            .temperature = row(lowest_temperature),
            .vapour = b.species(vapour_).row(0),
            .pressure = row(lowest_pressure),
            .depth = stored.field(depth).row(0),
            .surface_pressure = stored.field(weight).row(0),
            .spacing = row(spacing),
            .land = of(ground.land),
            .availability = of(ground.wetness),
            .thermal_inertia = of(ground.thermal_inertia),
            .snow_cover = of(ground.snow_cover),
            .emissivity = of(surface.emissivity),
            .shortwave_net = of(surface.shortwave_net),
            .longwave_down = of(surface.longwave_down),
            .radiates = radiates_,
            .boundary_layer_height = of(surface.boundary_layer_height),
            .skin_temperature = of(surface.skin_temperature),
            .sensible_heat = of(surface.sensible_heat),
            .vapour_flux = of(surface.vapour_flux),
            .latent_heat = of(surface.latent_heat),
            .friction_velocity = of(surface.friction_velocity),
            .roughness = of(surface.roughness),
            .temperature_scale = of(surface.temperature_scale),
            .surface_vapour = of(surface.surface_vapour),
            .soil_temperature =
                surface.soil_layers > 0 ? columns_at(surface.soil_temperature.view(), b.i0, b.j) : Columns{},
            .land_water = land_water_columns(b),
            .canopy = canopy_columns(b),
            .conductance = row(conductance),
            .heat_exchange = row(heat_exchange),
            .vapour_exchange = row(vapour_exchange),
            .heat_exchange_2m = row(heat_exchange_2m),
            .vapour_exchange_2m = row(vapour_exchange_2m),
            .wind_speed = row(wind_speed),
            .richardson = row(richardson),
            .momentum_profile = row(momentum_profile),
            .heat_profile = row(heat_profile),
            .wind_u_10m = of(surface.wind_u_10m),
            .wind_v_10m = of(surface.wind_v_10m),
            .temperature_2m = of(surface.temperature_2m),
            .vapour_2m = of(surface.vapour_2m),
            .sea_temperature = has_skin_ ? of(std::as_const(surface.sea.temperature)) : nullptr,
            .sea_warming = has_skin_ ? of(surface.sea.warming) : nullptr,
            .ocean = ocean_columns(b),
            .sublayer = sublayer_columns(b),
            .air_saturation = row(air_saturation),
            .theta = stored.field(theta).row(0),
            .cloud = cloud_ >= 0 ? b.species(cloud_).row(0) : nullptr,
            .as_wrf = as_wrf_,
            .ice = ice_columns(b)};
}

} // namespace squall
