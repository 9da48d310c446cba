/// Columns of air over a surface, for tests of surface layer, land and boundary layer.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "physics/boundary_layer_scheme.hpp"
#include "physics/land_scheme.hpp"
#include "physics/surface_layer_scheme.hpp"

namespace squall::test {

/// `n` equal columns of wind (8, -3) m/s, theta growing by 4 K/km from 300 K, 8 g/kg of vapour at the ground,
/// over land of 300 K with a roughness of 0.1 m and a soil of 290 K.
struct SurfaceCase {
    int n, nz;
    real dt;
    double dz;
    std::vector<std::vector<real>> rows;
    ColumnStorage air;
    enum Row {
        temperature,
        pressure,
        depth,
        surface_pressure,
        spacing,
        land,
        availability,
        inertia,
        snow,
        emissivity,
        shortwave,
        longwave,
        height,
        skin,
        heat,
        vapour,
        latent,
        ust,
        roughness,
        scale,
        surface_vapour,
        heat_exchange,
        vapour_exchange,
        heat_2m,
        vapour_2m,
        speed,
        richardson,
        profile_m,
        profile_h,
        u10,
        v10,
        t2,
        q2,
        conductance,
        heat_conductance,
        momentum_conductance,
        u0,
        v0,
        theta0,
        humidity0,
        bare_roughness,
        air_saturation,
        row_count
    };
    enum Field {
        u,
        v,
        theta,
        q,
        exner,
        weight,
        full_pressure,
        density,
        layer_depth,
        du,
        dv,
        dtheta,
        dq,
        cloud,
        dcloud,
        qke,
        dqke,
        variance,
        length,
        cover,
        cloud_water,
        cloud_ice,
        field_count
    };
    ColumnStorage soil;
    bool sublayer = false, as_wrf = false;

    explicit SurfaceCase(int columns = 1, int layers = 40, double thickness = 50, real step = 60)
        : n(columns), nz(layers), dt(step), dz(thickness),
          rows(row_count, std::vector<real>(static_cast<std::size_t>(columns))), air(field_count, layers + 1),
          soil(1, 5) {
        for (int k = 0; k <= nz; ++k) set_all(weight, k, 1e5 * std::exp(-k * dz / 8400));
        for (int k = 0; k < nz; ++k) {
            const double z = (k + 0.5) * dz, p = 1e5 * std::exp(-z / 8400), th = 300 + 0.004 * z;
            const double pi = std::pow(p / 1e5, 2.0 / 7);
            set_all(u, k, 8);
            set_all(v, k, -3);
            set_all(theta, k, th);
            set_all(q, k, 0.008 * std::exp(-z / 2000));
            set_all(exner, k, pi);
            set_all(full_pressure, k, p);
            set_all(density, k, p / (287 * th * pi));
            set_all(layer_depth, k, dz);
        }
        const std::array<std::pair<Row, double>, 17> values{
            {{temperature, air.field(theta)(0, 0) * air.field(exner)(0, 0)},
             {pressure, 1e5 * std::exp(-0.5 * dz / 8400)},
             {depth, dz},
             {surface_pressure, 1e5},
             {spacing, 3000},
             {land, 1},
             {availability, 0.3},
             {inertia, 0.04},
             {emissivity, 0.95},
             {shortwave, 400},
             {longwave, 350},
             {height, 500},
             {skin, 300},
             {ust, 0.3},
             {roughness, 0.1},
             {snow, 0},
             {surface_vapour, 0}}};
        for (const auto &[row, value] : values) set(row, value);
        for (int k = 0; k < 5; ++k)
            for (int i = 0; i < n; ++i) soil.field(0)(i, k) = 290;
    }

    void set(Row row, double value) { rows[row].assign(static_cast<std::size_t>(n), real(value)); }
    real at(Row row, int i = 0) const { return rows[row][static_cast<std::size_t>(i)]; }
    void set_all(Field f, int k, double value) {
        for (int i = 0; i < n; ++i) air.field(f)(i, k) = real(value);
    }
    real *row(Row r) { return rows[r].data(); }

    SurfaceColumns surface() {
        return {.n = n,
                .dt = dt,
                .u = air.field(u).row(0),
                .v = air.field(v).row(0),
                .temperature = row(temperature),
                .vapour = air.field(q).row(0),
                .pressure = row(pressure),
                .depth = row(depth),
                .surface_pressure = row(surface_pressure),
                .spacing = row(spacing),
                .land = row(land),
                .availability = row(availability),
                .thermal_inertia = row(inertia),
                .snow_cover = row(snow),
                .emissivity = row(emissivity),
                .shortwave_net = row(shortwave),
                .longwave_down = row(longwave),
                .boundary_layer_height = row(height),
                .skin_temperature = row(skin),
                .sensible_heat = row(heat),
                .vapour_flux = row(vapour),
                .latent_heat = row(latent),
                .friction_velocity = row(ust),
                .roughness = row(roughness),
                .temperature_scale = row(scale),
                .surface_vapour = row(surface_vapour),
                .soil_temperature = soil.field(0),
                .conductance = row(conductance),
                .heat_exchange = row(heat_exchange),
                .vapour_exchange = row(vapour_exchange),
                .heat_exchange_2m = row(heat_2m),
                .vapour_exchange_2m = row(vapour_2m),
                .wind_speed = row(speed),
                .richardson = row(richardson),
                .momentum_profile = row(profile_m),
                .heat_profile = row(profile_h),
                .wind_u_10m = row(u10),
                .wind_v_10m = row(v10),
                .temperature_2m = row(t2),
                .vapour_2m = row(q2),
                .sublayer = sublayer ? sublayer_columns() : SublayerColumns{},
                .air_saturation = row(air_saturation),
                .theta = air.field(theta).row(0),
                .cloud = air.field(cloud).row(0),
                .as_wrf = as_wrf};
    }

    SublayerColumns sublayer_columns() {
        return {row(heat_conductance), row(momentum_conductance), row(u0), row(v0), row(theta0),
                row(humidity0),        row(bare_roughness)};
    }

    TurbulentColumns columns(const SurfaceColumns &s) {
        return {.n = n,
                .nz = nz,
                .dt = dt,
                .pressure = air.field(full_pressure),
                .density = air.field(density),
                .depth = air.field(layer_depth),
                .u = air.field(u),
                .v = air.field(v),
                .theta = air.field(theta),
                .vapour = air.field(q),
                .surface_temperature = row(skin),
                .wetness = row(availability),
                .du = air.field(du),
                .dv = air.field(dv),
                .dtheta = air.field(dtheta),
                .dvapour = air.field(dq),
                .as_wrf = as_wrf,
                .surface = &s,
                .exner = air.field(exner),
                .weight = air.field(weight),
                .cloud = air.field(cloud),
                .dcloud = air.field(dcloud),
                .height = row(height),
                .qke = air.field(qke),
                .dqke = air.field(dqke),
                .eddies = {air.field(variance), air.field(length), air.field(cover), air.field(cloud_water),
                           air.field(cloud_ice)}};
    }

    /// Mass of dry air times field of column 0, summed up: of mixing ratios [kg m-2].
    double of_dry_air(Field f) {
        double sum = 0;
        for (int k = 0; k < nz; ++k) sum += double(air.field(density)(0, k)) * dz * air.field(f)(0, k);
        return sum;
    }

    /// Weight over g times field of column 0, summed up [kg m-2 times its unit].
    double integral(Field f) {
        double sum = 0;
        for (int k = 0; k < nz; ++k)
            sum +=
                (double(air.field(weight)(0, k)) - air.field(weight)(0, k + 1)) / 9.81 * air.field(f)(0, k);
        return sum;
    }
};

} // namespace squall::test
