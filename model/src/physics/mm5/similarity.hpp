/// What both MM5 surface layers do: the column, gusts, roughness of water, and the fluxes that their profiles
/// make.
///
/// Gusts widen the wind: of convection (Beljaars 1995 over land; by the difference in virtual temperature
/// over water) and of what the grid does not resolve (Mahrt and Sun 1995). The roughness of water for
/// momentum is Charnock's with 0.0185 and the viscous one, bounded by 2.85 mm; for heat and vapour that of
/// COARE 3 (Fairall et al. 2003, J. Climate 16, 571-591, equation 28). Over land vapour and heat go through a
/// molecular sublayer (Carlson and Boland 1978), which counts for vapour alone, as in WRF. The friction
/// velocity is the mean of the last step's and this one's, as in WRF, to damp oscillations.
#pragma once

#include "physics/surface_layer_scheme.hpp"

namespace squall::mm5 {

inline constexpr real karman = real(0.4);
inline constexpr real viscous_sublayer = real(0.01); ///< [m], under land's vapour

/// One column: what its steps share.
struct Column {
    bool water;
    real z, theta, theta_ground, virtual_difference, density;
    real zeta = 0;
};

Column look(const SurfaceColumns &c, int i);

/// Wind with gusts; bulk Richardson number (equation 2 of Jimenez et al. 2012), not above 0 where the air was
/// heated from below in the last step. Sets both in `c`.
void find_richardson(const SurfaceColumns &c, int i, const Column &a);

/// Of water, for heat and vapour: COARE 3.
real scalar_roughness(const SurfaceColumns &c, int i);

/// ln(k u* z / molecular diffusivity + z / sublayer): of vapour over land, through the molecular sublayer.
real through_sublayer(const SurfaceColumns &c, int i, real z);

/// From the surface to the lowest layer or to so many metres.
struct Profiles {
    real momentum, momentum_10m;
    real heat, heat_2m, vapour, vapour_2m;
};

/// Ends the column: friction velocity, at least `least_ust` over land, wind at 10 m, roughness of water,
/// fluxes.
void finish(const SurfaceColumns &c, int i, const Column &a, const Profiles &p, real least_ust);

} // namespace squall::mm5
