/// One column of land as Noah-MP sees it: air, the place, leaves, layers of snow and of soil.
#pragma once

#include <array>
#include <cstddef>

#include "physics/land_options.hpp"
#include "physics/noah/column.hpp"
#include "physics/noah_mp/classes.hpp"

namespace squall::noah_mp {

using noah::Layers;

inline constexpr std::size_t snow_layers = 3, soil_layers = noah::layers;

// WRF's constants of Noah-MP, a little different from those of Noah.
inline constexpr real gravity = real(9.80616);
inline constexpr real karman = real(0.4);
inline constexpr real freezing_point = real(273.16);    // [K]
inline constexpr real vaporisation = real(2.5104e6);    // [J kg-1]
inline constexpr real sublimation = real(2.8440e6);     // [J kg-1]
inline constexpr real fusion = real(0.3336e6);          // [J kg-1]
inline constexpr real heat_of_air = real(1004.64);      // [J kg-1 K-1]
inline constexpr real gas_constant = real(287.04);      // of dry air [J kg-1 K-1]
inline constexpr real stefan_boltzmann = real(5.67e-8); // [W m-2 K-4]
inline constexpr real volume_heat_of_water = real(4.188e6), volume_heat_of_ice = real(2.094e6); // [J m-3 K-1]
inline constexpr real water_density = 1000, ice_density = 917;                                  // [kg m-3]
inline constexpr real snow_roughness = real(0.002);                                             // [m]
inline constexpr real tiny = real(1e-6); ///< in place of a divisor that may be zero

/// The air above, of one time step.
struct Air {
    real dt;               ///< [s]
    real temperature;      ///< of the lowest layer [K]
    real pressure;         ///< in the middle of it [Pa]
    real surface_pressure; ///< [Pa]
    real humidity;         ///< specific [kg kg-1]
    real vapour_pressure;  ///< [Pa]
    real density;          ///< [kg m-3]
    real wind;             ///< [m s-1]
    real height;           ///< of the middle of the layer [m]
    real sunlight;         ///< that arrives, 0 at night [W m-2]
    real cosine;           ///< of the sun's zenith angle
    real longwave;         ///< that arrives [W m-2]
    real rain, snow;       ///< that fall [kg m-2 s-1]
    real snow_density;     ///< of what falls [kg m-3]

    real stirred() const { return wind > 1 ? wind : real(1); } ///< as the turbulence has it, at least 1 m s-1
};

/// What the place is like.
struct Site {
    Vegetation vegetation;
    noah::Soil soil;
    bool urban, bare;      ///< nothing grows
    real most_green;       ///< share under leaves in the year's best month
    real green;            ///< and in this season
    real leaf_area = -1;   ///< that a file says; below 0: that of the table
    real deep_temperature; ///< 8 m below the ground [K]
    real year;             ///< share of it that is over, of the northern hemisphere's seasons
    LandOptions options;
};

/// Of snow, all for each square metre.
struct SnowLayer {
    real thickness, ice, liquid; ///< [m], [kg m-2]
    real temperature;            ///< [K]

    real mass() const { return ice + liquid; }
};

/// Up to three layers, the uppermost first; snow that is too shallow for one has a mass and a depth only.
struct Snow {
    std::size_t count = 0;
    std::array<SnowLayer, snow_layers> layer{};
    real water = 0; ///< of all of it [kg m-2]
    real depth = 0; ///< [m]

    void erase(std::size_t n) {
        for (std::size_t i = n; i + 1 < count; ++i) layer[i] = layer[i + 1];
        layer[--count] = {};
    }
};

/// Below the soil: Niu et al. (2007, J. Geophys. Res. 112, D07103).
struct Groundwater {
    real depth;   ///< of the water table [m]
    real aquifer; ///< water in the aquifer [kg m-2]
    real all;     ///< that and the water of saturated soil [kg m-2]
};

/// The ground and what stands on it, from step to step.
struct Column {
    Snow snow;
    Groundwater below;
    Layers temperature;             ///< of soil [K]
    Layers moisture;                ///< liquid and frozen [m3 m-3]
    Layers liquid;                  ///< [m3 m-3]
    real leaf;                      ///< temperature of leaves [K]
    real ground;                    ///< temperature of the ground or of the snow on it [K]
    real vapour_pressure;           ///< between the leaves [Pa]
    real canopy_liquid, canopy_ice; ///< on leaves [kg m-2]
    real snow_albedo;               ///< of the snow, as it was by day
    real snowfall;                  ///< that reached the ground in the last step [kg m-2 s-1]
};

/// What a step did. Upward positive but for ground.
struct Fluxes {
    real sensible, latent;      ///< [W m-2]
    real vapour;                ///< [kg m-2 s-1]
    real ground;                ///< into snow or soil [W m-2]
    real radiative_temperature; ///< [K]
    real emissivity;
    real albedo;                      ///< below 0: the sun did not shine
    real roughness;                   ///< [m]
    real snow_cover;                  ///< share of the ground
    real surface_humidity;            ///< specific, of the bare ground
    real temperature_2m, humidity_2m; ///< [K], specific
    real runoff, drainage;            ///< over the ground and below the soil [kg m-2 s-1]
    real sunlight, longwave;          ///< taken up, and net upward [W m-2]
    real storage;                     ///< heat that leaves took up [W m-2]
    real rain_heat;                   ///< that rain and snow brought [W m-2]
    real bottom;                      ///< heat from below the soil [W m-2]
};

/// Of what falls, by the temperature of the air [K]: Jordan (1991, CRREL Spec. Rep. 91-16), or all of it
/// below a threshold.
real frozen_share(real temperature, LandOptions::Snowfall rule = LandOptions::Snowfall::jordan);
/// Of snow that falls [kg m-3]: Hedstrom and Pomeroy (1998, Hydrol. Process. 12, 1611), at most 120.
real fresh_snow_density(real temperature);

} // namespace squall::noah_mp
