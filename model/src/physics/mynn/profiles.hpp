/// What the parts of the MYNN scheme tell one another of a batch of columns.
#pragma once

#include "core/constants.hpp"
#include "physics/boundary_layer_scheme.hpp"

namespace squall::mynn {

inline constexpr real karman = real(0.4);
inline constexpr real latent_heat = real(2.5e6); // [J kg-1]
inline constexpr real least_q = real(0.01);      // where it mixes [m s-1]

/// The columns and what follows from them; layers k from 0, interface k is below layer k.
struct Profiles {
    const TurbulentColumns &c;
    const SurfaceColumns &s;
    Columns z, bottom;      ///< heights above the ground: middle of layers, interfaces (nz + 1) [m]
    Columns mass;           ///< of dry air [kg m-2]
    Columns theta_l, water; ///< liquid water potential temperature [K]; vapour and cloud water [kg kg-1]
    Columns theta_v;        ///< virtual potential temperature [K]
    Columns energy;         ///< q^2 at the beginning of the step [m2 s-2]
    Columns of_theta_l;     ///< flux of theta_v for one of theta_l, in layers (beta_theta)
    Columns of_water;       ///< and for one of water [K] (beta_q)
    Columns q;              ///< at interfaces k >= 1, as all below [m s-1]
    Columns shear;          ///< squared [s-2]
    Columns theta_l_z;      ///< gradients [K m-1]
    Columns water_z;        ///< [m-1]
    Columns frequency;      ///< squared buoyancy frequency [s-2]
    Columns length;         ///< L [m]
    Columns momentum, heat; ///< diffusivities [m2 s-1]
    const real *buoyancy;   ///< upward flux of theta_v at the surface [K m s-1]
    const real *obukhov;    ///< inverse length of Obukhov [m-1]
    const real *whole;      ///< the length scale of the whole boundary layer [m]
};

/// The height of the boundary layer of column i [m].
real find_height(const Profiles &p, int i);

/// The length scale of the whole layer (L_T), of turbulence up to somewhat above `height` [m].
real find_whole_length(const Profiles &p, int i, real height);

/// Sets `length` at interface k.
void set_length(const Profiles &p, int k);

/// Sets what a flux of theta_v is made of in layer k: air without cloud.
void set_clear(const Profiles &p, int k);

/// The same with the cloud water of eddies, whose amplitude follows from length and diffusivity of heat at
/// the interfaces.
void set_cloudy(const Profiles &p, int k);

} // namespace squall::mynn
