/// One column of land as Noah sees it: the soil and what lies on it, what grows there, and the air above.
#pragma once

#include <array>

#include "physics/noah/classes.hpp"

namespace squall::noah {

inline constexpr int layers = 4;
/// Values of the layers of soil, from the surface down.
using Layers = std::array<real, layers>;

inline constexpr Layers thickness{real(0.1), real(0.3), real(0.6), real(1.0)}; ///< [m]
inline constexpr Layers bottom{real(0.1), real(0.4), real(1.0), real(2.0)};    ///< depth [m]

/// Between the middles of layers k and k + 1 [m].
constexpr real to_next(std::size_t k) { return (thickness[k] + thickness[k + 1]) / 2; }

inline constexpr real freezing_point = real(273.15);    // [K]
inline constexpr real canopy_holds = real(0.5e-3);      // water on leaves [m]
inline constexpr real day = 86400;                      // [s]
inline constexpr real vaporisation = real(2.501e6);     // [J kg-1]
inline constexpr real sublimation = real(2.83e6);       // [J kg-1]
inline constexpr real fusion = real(3.335e5);           // [J kg-1]
inline constexpr real stefan_boltzmann = real(5.67e-8); // [W m-2 K-4]
inline constexpr real heat_of_water = real(4.218e3);    // [J kg-1 K-1]
inline constexpr real heat_of_ice = real(2.106e3);      // [J kg-1 K-1]
inline constexpr real water_density = real(1000);       // [kg m-3]

/// What falls onto the ground.
enum class Falling { nothing, rain, freezing_rain, snow };

/// The air above, of one time step.
struct Air {
    real dt;               ///< [s]
    real temperature;      ///< of the lowest layer [K]
    real theta;            ///< its potential temperature, that at the surface's pressure being the unit [K]
    real pressure;         ///< in the middle of the layer [Pa]
    real humidity;         ///< specific [kg kg-1]
    real saturation;       ///< specific humidity of saturated air [kg kg-1]
    real saturation_slope; ///< its change with temperature [kg kg-1 K-1]
    real conductance;      ///< of the surface layer for heat and vapour [m s-1]
    real richardson;       ///< bulk Richardson number of the lowest layer
    real sunlight;         ///< that arrives [W m-2]
    real absorbed;         ///< sunlight and thermal radiation that the ground takes up [W m-2]
    real precipitation;    ///< [kg m-2 s-1]
    Falling falling;
};

/// What the place is like, as of this time of the year.
struct Site {
    Vegetation vegetation;
    Soil soil;
    real green;             ///< share of the ground under green leaves
    real leaf_area;         ///< of the green part
    real albedo;            ///< without snow
    real emissivity;        ///< without snow
    real roughness;         ///< without snow [m]
    real deep_temperature;  ///< 8 m below the ground [K]
    real snow_albedo;       ///< of deep snow
    real frozen_resistance; ///< of frozen soil to infiltration [m]
    bool urban;
};

struct Snow {
    real water; ///< [m]
    real depth; ///< [m]
    real cover; ///< share of the ground
    real age;   ///< since the last fall [s]
};

/// The ground, from step to step.
struct Column {
    Layers temperature; ///< [K]
    Layers moisture;    ///< liquid and frozen [m3 m-3]
    Layers liquid;      ///< [m3 m-3]
    real skin;          ///< [K]
    real canopy;        ///< water on leaves [m]
    Snow snow;
    real albedo, emissivity, roughness; ///< as they are, with snow
};

/// What a step did. Upward positive but for ground.
struct Fluxes {
    real sensible; ///< [W m-2]
    real latent;   ///< [W m-2]
    real vapour;   ///< [kg m-2 s-1]
    real humidity; ///< specific, at the surface, with which the surface layer would have this vapour flux
    real ground;   ///< into the soil [W m-2]
    real runoff;   ///< over the ground [kg m-2 s-1]
    real drainage; ///< below it [kg m-2 s-1]
};

/// Solves the tridiagonal system below[k] x[k-1] + middle[k] x[k] + above[k] x[k+1] = x[k] in place, of the
/// first `count` values (Thomas).
template <std::size_t N>
void solve(const std::array<real, N> &below, const std::array<real, N> &middle,
           const std::array<real, N> &above, std::array<real, N> &x, std::size_t count = N) {
    std::array<real, N> ratio{};
    real pivot = middle[0];
    x[0] /= pivot;
    for (std::size_t k = 1; k < count; ++k) {
        ratio[k] = above[k - 1] / pivot;
        pivot = middle[k] - below[k] * ratio[k];
        x[k] = (x[k] - below[k] * x[k - 1]) / pivot;
    }
    for (std::size_t k = count - 1; k-- > 0;) x[k] -= ratio[k + 1] * x[k + 1];
}

} // namespace squall::noah
