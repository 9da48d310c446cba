/// What is under the columns of a pair, as WRF wrote it, and as surface layer and land see it.
#pragma once

#include <optional>
#include <string>

#include "physics/surface_columns.hpp"
#include "wrf_columns.hpp"

namespace squall::columns {

/// The schemes of ours that are to do what made the file; empty: none of ours is that scheme.
struct Schemes {
    std::string surface_layer, boundary_layer, land;
};
Schemes schemes_of(const WrfColumns &file);

/// Soil moisture, snow and plants of a pair, where land keeps account of them.
struct LandWater {
    Field vegetation, soil, green, least_green, most_green, deep, snow_albedo, ice, sunlight, precipitation,
        frozen;
    Field canopy, snow_water, snow_depth, snow_cover, snow_age, ground_heat, runoff, drainage, moisture,
        liquid;

    /// Rain is that of the step before; the age of snow is not in the file: none has just fallen.
    LandWater(const WrfColumns &file, int pair);
};

/// Leaves, and layers of snow, of a pair, where land has them.
struct Canopy {
    Field latitude, sun, snow_count, leaf, ground, vapour, liquid, ice, snow_albedo, snowfall;
    Field snow_temperature, snow_ice, snow_liquid, snow_thickness;
    real year = 0;

    Canopy(const WrfColumns &file, int pair);
    CanopyColumns at(const Air &air, int c);
};

/// What the Eta surface layer left. WRF writes conductances and roughness; what lies at z0 is on land what
/// the surface is.
struct Sublayer {
    Field heat, momentum, u, v, theta, humidity, bare;
    bool told; ///< what lies at z0, over water too

    Sublayer(const WrfColumns &file, int pair);
    SublayerColumns at(int c) {
        return {heat.data() + c,  momentum.data() + c, u.data() + c,   v.data() + c,
                theta.data() + c, humidity.data() + c, bare.data() + c};
    }
};

/// The ocean's mixed layer, where the file has one.
struct Ocean {
    Field first, coriolis, depth, u, v;

    Ocean(const WrfColumns &file, int pair);
    OceanColumns at(int c) {
        return {first.data() + c, coriolis.data() + c, depth.data() + c, u.data() + c, v.data() + c};
    }
};

/// What is under the columns of a pair, and what becomes of it.
struct Ground {
    std::optional<LandWater> water;
    std::optional<Canopy> canopy;
    Field albedo;
    Field land, availability, inertia, snow;
    Field emissivity, shortwave, longwave, height, skin, heat, vapour, ust, roughness, scale, surface_vapour,
        soil;
    Field heat_exchange, vapour_exchange, heat_2m, vapour_2m, speed, richardson, profile_m, profile_h, u10,
        v10, t2, q2, latent, conductance, saturation;
    std::optional<Sublayer> sublayer;
    std::optional<Ocean> ocean;

    Ground(const WrfColumns &file, int pair);
};

/// Columns c, c + 1, ..., n of them, of air over ground.
SurfaceColumns surface_columns(const Air &air, Ground &ground, int c, int n, double dt);

} // namespace squall::columns
