/// The skin of the sea over the temperature that analyses have some metres below it, Zeng and Beljaars (2005,
/// Geophys. Res. Lett. 32, L14605; WRF's sst_skin): the sun warms the uppermost metres, and the last fraction
/// of a millimetre is cooled by what the surface gives off.
///
/// Warm layer, d = 3 m deep with a temperature that falls as z^0.3 in it, of its amplitude dT (equation 11):
///   d(dT)/dt = (Q + R - R(d)) (nu + 1) / (nu d rho c) - (nu + 1) k u* / (d phi(d/L)) dT,  nu = 0.3
/// with Q the heat that the surface takes up but for sunlight, R sunlight, R(d) what of it goes deeper, u*
/// the water's friction velocity, phi = 1 + 5 d/L where it is stable and (1 - 16 d/L)^-1/2 where not, and L =
/// rho c u*^3 / (k F) of the buoyancy flux F = g a (Q + R - R(d)); where that is not positive while the layer
/// is warm, F = (nu g a dT / (5 d))^1/2 rho c u*^2. Implicit in time, and not below 0. Cool skin of the depth
/// D (equations 4 and 6), where Q + f R is negative:
///   dT_skin = D (Q + f R) / kappa,  f = 0.065 + 11 D - 6.6e-5 / D (1 - exp(-D / 8e-4)),
///   D = 6 nu_w / u* (1 + (-16 g a rho c nu_w^3 (Q + f R) / (u*^4 kappa^2))^3/4)^-1/3
#pragma once

#include "physics/surface_columns.hpp"

namespace squall {

/// Advances sea_warming by dt and sets the skin's temperature where there is water, by the fluxes of the step
/// before and the radiation of now. Allocates nothing.
void advance_sea_skin(const SurfaceColumns &columns);

} // namespace squall
