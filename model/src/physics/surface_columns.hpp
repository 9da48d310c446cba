/// The surface under a batch of columns, as surface layer, land and boundary layer share it.
#pragma once

#include "physics/column.hpp"
#include "physics/land_options.hpp"

namespace squall {

/// What is besides of land that keeps account of its water and snow (LandEntry::water); null origins else.
struct LandWaterColumns {
    // Constant in time: see LandCover.
    const real *vegetation, *soil;
    const real *green, *least_green, *most_green;
    const real *deep_temperature, *snow_albedo, *ice;

    const real *shortwave_down;       ///< that arrives [W m-2]
    const real *precipitation;        ///< since land last looked, of all kinds [kg m-2]
    const real *frozen_precipitation; ///< of it snow, graupel and ice [kg m-2]

    // What is carried from step to step: see LandWaterState and SurfaceState.
    real *albedo, *emissivity;
    real *canopy_water, *snow_water, *snow_depth, *snow_cover, *snow_age;
    real *ground_heat, *surface_runoff, *drainage;
    Columns moisture, liquid; ///< indexed (i, layer)
};

/// What is besides of land with leaves and layers of snow of their own (LandEntry::canopy): see CanopyState;
/// null origins else.
struct CanopyColumns {
    const real *latitude = nullptr; ///< degrees north
    const real *sun = nullptr;      ///< cosine of its zenith angle, 0 at night
    real year = 0;                  ///< share of it that is over
    LandOptions options{};
    const real *leaf_area = nullptr; ///< of a file; null: that of the class's table

    // What is carried from step to step.
    real *snow_count = nullptr;
    real *leaf_temperature = nullptr, *ground_temperature = nullptr, *vapour_pressure = nullptr;
    real *liquid = nullptr, *ice = nullptr, *snow_albedo = nullptr, *snowfall = nullptr;
    Columns snow_temperature{}, snow_ice{}, snow_liquid{}, snow_thickness{}; ///< indexed (i, layer)
    real *water_table = nullptr, *aquifer = nullptr, *groundwater = nullptr; ///< null without an aquifer
};

/// What a surface layer with a sublayer over water carries (SurfaceLayerEntry::sublayer): see SublayerState;
/// null with another.
struct SublayerColumns {
    real *heat_conductance, *momentum_conductance;
    real *u, *v, *theta, *humidity;
    real *bare_roughness;
};

/// An ocean's mixed layer: see OceanState; null in a run without.
struct OceanColumns {
    const real *first_temperature = nullptr, *coriolis = nullptr; ///< [K], [s-1]
    real *depth = nullptr, *u_transport = nullptr, *v_transport = nullptr;
};

/// Of a sea that is partly under ice (physics.fractional_sea_ice): see SeaState and IceState; null else.
struct IceColumns {
    const real *share, *water_temperature;
    real *temperature, *vapour, *albedo, *emissivity;
};

/// Rows of n values, one for each column. Fluxes are upward positive.
struct SurfaceColumns {
    int n = 0;   ///< columns, at most columns_at_a_time
    real dt = 0; ///< [s]

    // The air at the beginning of a time step: its lowest layer, pressure hydrostatic with the water's
    // weight.
    const real *u, *v;            ///< [m s-1]
    const real *temperature;      ///< [K]
    const real *vapour;           ///< mixing ratio [kg kg-1]
    const real *pressure;         ///< in the middle of the layer [Pa]
    const real *depth;            ///< of the layer [m]
    const real *surface_pressure; ///< [Pa]
    const real *spacing;          ///< root of the area of a cell [m]

    // The ground, constant in time: see Ground.
    const real *land;            ///< 1 on land and ice, 0 on water
    const real *availability;    ///< evaporation over that of open water
    const real *thermal_inertia; ///< [cal cm-2 K-1 s-1/2]
    const real *snow_cover;      ///< 0 to 1

    // What is carried from step to step: see SurfaceState.
    const real *emissivity, *shortwave_net, *longwave_down;
    bool radiates = true; ///< the run has radiation: without, the ground does not emit any either
    const real *boundary_layer_height;
    real *skin_temperature;
    real *sensible_heat, *vapour_flux, *latent_heat;
    real *friction_velocity, *roughness, *temperature_scale, *surface_vapour;
    Columns soil_temperature; ///< indexed (i, layer)
    LandWaterColumns land_water{};
    CanopyColumns canopy{};

    // What the surface layer finds for the others of this step.
    real *conductance;        ///< from wet leaves to the lowest layer, through a molecular sublayer [m s-1]
    real *heat_exchange;      ///< heat flux per potential temperature difference [W m-2 K-1]
    real *vapour_exchange;    ///< vapour flux per mixing ratio difference [kg m-2 s-1]
    real *heat_exchange_2m;   ///< conductance from the surface to 2 m for heat [m s-1]; below 0: land has
                              ///< found the values there itself
    real *vapour_exchange_2m; ///< and for vapour
    real *wind_speed;         ///< of the lowest layer, with gusts [m s-1]
    real *richardson;         ///< bulk Richardson number of the lowest layer
    real *momentum_profile;   ///< ln(z/z0) less its correction for stability, for momentum
    real *heat_profile;       ///< and for heat
    real *wind_u_10m, *wind_v_10m;
    real *temperature_2m, *vapour_2m;

    // Of a sea with a skin of its own: see SeaState; null else.
    const real *sea_temperature = nullptr;
    real *sea_warming = nullptr;

    OceanColumns ocean{};
    SublayerColumns sublayer{};
    /// Specific humidity of the lowest layer's air were it saturated, where a surface layer tells land, as in
    /// WRF; 0: land finds it [kg kg-1].
    real *air_saturation = nullptr;
    const real *theta = nullptr; ///< potential temperature of the lowest layer [K]
    const real *cloud = nullptr; ///< water of the lowest layer [kg kg-1]; null where the run has none
    bool as_wrf = false;         ///< WRF's forms where a scheme's differ on purpose
    IceColumns ice{};
};

} // namespace squall
