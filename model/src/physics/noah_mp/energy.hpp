/// The balances of energy of bare ground, of leaves and of the ground under them, each solved for its
/// temperature by Newton's method: Niu et al. (2011, J. Geophys. Res. 116, D12109), equations 1 to 11.
#pragma once

#include "physics/noah_mp/leaves.hpp"
#include "physics/noah_mp/sunlight.hpp"

namespace squall::noah_mp {

inline real fourth(real t) { return (t * t) * (t * t); }

/// What the surface of a step is like.
struct Setting {
    real snow_cover;                        ///< share of the ground
    real z0, z0_ground;                     ///< of all of it, and of the ground alone [m]
    real displacement, displacement_ground; ///< [m]
    real height;                            ///< of the lowest layer's middle [m]
    real leaf_emissivity, ground_emissivity;
    real resistance;        ///< of the soil to what evaporates from it [s m-1]
    real relative_humidity; ///< in its pores, of saturation
    bool frozen_leaves, frozen_ground;
    real conductance; ///< of heat to the middle of the uppermost layer [W m-2 K-1]
    real below;       ///< its temperature [K]
    real hold;        ///< highest temperature of the ground [K]: that of melting snow
    real moist;       ///< share of water that plants want
    Layers roots;     ///< share of what they draw from each layer of soil
    bool glacier, as_wrf;
};

/// Psychrometric constant [Pa K-1], with the latent heat of ice or of water.
real psychrometric(const Air &air, bool frozen);

/// At which a surface of this emissivity would emit what leaves and ground send up beside what they reflect
/// [K]; `longwave`: net upward [W m-2].
real radiative_temperature(const Air &air, real longwave, real emissivity);

struct GroundFluxes {
    real temperature;                 ///< of the ground [K]
    real radiation, sensible, latent; ///< net upward [W m-2]
    real ground;                      ///< into it [W m-2]
    real humidity;                    ///< specific, at the surface
    real temperature_2m, humidity_2m; ///< [K], specific
    real conductance;                 ///< to the air [m s-1]
};

/// Of ground without leaves that takes up `sunlight` and gets `rain_heat` [W m-2]; `temperature`: from where
/// the iteration starts [K].
GroundFluxes bare_ground(const Setting &setting, const Air &air, real sunlight, real rain_heat,
                         real temperature);

/// Of leaves over all of the cell, and of the ground under them over their share.
struct LeafFluxes {
    real radiation, sensible, evaporation, transpiration; ///< upward [W m-2]
    real storage;                                         ///< that they took up [W m-2]
    GroundFluxes under;                                   ///< its 2 m values those above the leaves
};

/// Sets Column::leaf and vapour_pressure.
LeafFluxes leafy_ground(const Setting &setting, const Site &site, const Leaves &leaves, const Air &air,
                        const Sunlight &light, const Precipitation &fell, Column &column);

} // namespace squall::noah_mp
