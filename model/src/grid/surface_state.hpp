/// The surface between air and ground as physics leaves it from one step to the next: what radiation, surface
/// layer, boundary layer and land tell one another.
#pragma once

#include "core/array.hpp"

namespace squall {

struct Config;

/// Owned columns of a patch; halos are not filled. Part of a restart. Empty in a run without surface layer,
/// land and radiation. Fluxes are upward positive unless their name says down.
struct SurfaceState {
    SurfaceState() = default;
    SurfaceState(Shape s, int layers)
        : skin_temperature(s), albedo(s), emissivity(s), shortwave_net(s), longwave_down(s), sensible_heat(s),
          vapour_flux(s), friction_velocity(s), roughness(s), temperature_scale(s), surface_vapour(s),
          latent_heat(s), boundary_layer_height(s), wind_u_10m(s), wind_v_10m(s), temperature_2m(s),
          vapour_2m(s), soil_layers(layers) {
        if (layers > 0) soil_temperature = Array3({s.nx, s.ny, layers});
    }

    /// Set by land (over the sea from the start on), read by radiation.
    Array2 skin_temperature; ///< [K] (TSK)
    Array2 albedo;           ///< of shortwave radiation, 0 to 1 (ALBEDO)
    Array2 emissivity;       ///< of longwave radiation, 0 to 1 (EMISS)

    /// Set by radiation, read by land.
    Array2 shortwave_net; ///< absorbed by the ground: down less reflected [W m-2] (GSW)
    Array2 longwave_down; ///< [W m-2] (GLW)

    /// Set by surface layer and land, read by the boundary layer and by themselves in the next step.
    Array2 sensible_heat;     ///< [W m-2] (HFX)
    Array2 vapour_flux;       ///< [kg m-2 s-1] (QFX)
    Array2 friction_velocity; ///< [m s-1] (UST)
    Array2 roughness;         ///< for momentum [m]; of the sea it follows the wind (ZNT)
    Array2 temperature_scale; ///< theta* of Monin-Obukhov similarity [K] (MOL)
    Array2 surface_vapour;    ///< mixing ratio at the surface [kg kg-1]; 0 before the first step (QSFC)

    Array2 latent_heat;           ///< of vapour_flux [W m-2] (LH)
    Array2 boundary_layer_height; ///< above the ground [m], set by the boundary layer (PBLH)

    /// Diagnosed by the surface layer, as of the beginning of the last step.
    Array2 wind_u_10m, wind_v_10m; ///< along the grid, 10 m above the ground [m s-1] (U10, V10)
    Array2 temperature_2m;         ///< 2 m above the ground [K] (T2)
    Array2 vapour_2m;              ///< [kg kg-1] (Q2)

    int soil_layers = 0;
    Array3 soil_temperature; ///< layer k counted from the surface down [K] (TSLB); null without layers
};

/// What this run carries, zero; empty where it has no surface.
SurfaceState surface_state_of(const Config &config, Shape shape);

} // namespace squall
