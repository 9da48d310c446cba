/// What a step of the scheme consists of, in this order.
#pragma once

#include "physics/mynn_edmf/column.hpp"

namespace squall::mynn_edmf {

/// Sets what follows from the state: theta_l, theta_v, water, heights of interfaces, density there.
void complete(Column &c);

/// Height of the boundary layer [m]: of low ones by turbulence, of high ones by what caps them (Olson et al.
/// 2019, section 4).
real height_of(const Column &c);

/// Sets how much of the turbulence is left to the scheme, of which the grid resolves the rest (Honnert et al.
/// 2011, J. Atmos. Sci. 68, 3112-3131): in the boundary layer and of shallow convection.
void set_coarseness(Column &c);

/// Sets clouds from the variance of water (Chaboureau and Bechtold 2002, J. Atmos. Sci. 59, 2362-2372).
void set_stratiform_clouds(Column &c);

/// Sets what eight plumes of different width carry from the ground (Neggers 2015, J. Adv. Model. Earth Syst.
/// 7, 121-136; Olson et al. 2019), and adds their clouds.
void raise_plumes(Column &c);
/// The clouds of plumes up to the interface above layer `top`.
void add_plume_clouds(Column &c, int top);

/// Sets gradients and q at interfaces.
void set_gradients(Column &c);
/// Sets the length scale that WRF has with bl_mynn_mixlength = 1 or, `blended`, 2.
void set_length(Column &c, bool blended);
/// Sets the geometric mean of the distances up and down that its energy lets an eddy go against buoyancy
/// (Bougeault and Lacarrere 1989, Mon. Wea. Rev. 117, 1872-1890). `energy`, `theta`: at interfaces.
void set_free_length(const Column &c, const Profile &energy, const Profile &theta, Profile &mean);

/// Sets conductances and production (levels 2.5 and 2 of Mellor and Yamada 1982).
void set_turbulence(Column &c);

/// Sets energy, variance and length of a first step: production in balance with dissipation.
void begin_turbulence(Column &c, bool blended);

/// Production of TKE next to the ground over u*^3 / (k z) at z/L: gradient of wind less z/L, by the functions
/// of Cheng and Brutsaert (2005, BLM 114, 519-538) in stable air, of Fairall et al. (1996, J. Geophys. Res.
/// 101, 3747-3764) in unstable.
real production_of_ground(real zeta);

/// A tridiagonal system, lower[k] x[k-1] + diagonal[k] x[k] + upper[k] x[k+1] = right[k].
struct Tridiagonal {
    explicit Tridiagonal(int nz) : lower(nz), diagonal(nz), upper(nz), right(nz), ratio(nz) {}
    void solve(int nz, Profile &x);

    Profile lower, diagonal, upper, right;

  private:
    Profile ratio;
};

/// Sets the next energy and variance, and what dissipation heats the air by [K s-1, of theta_l].
void predict(Column &c, Tridiagonal &system, Profile &heating);

/// What a step changes, but for the turbulence.
struct Changes {
    explicit Changes(int nz) : u(nz), v(nz), theta(nz), vapour(nz), cloud(nz), ice(nz), ice_number(nz) {}
    Profile u, v, theta;        ///< [m s-1], [K]
    Profile vapour, cloud, ice; ///< mixing ratios [kg kg-1]
    Profile ice_number;         ///< [kg-1]
};

/// Mixes by eddies and plumes, backward in time.
void mix(Column &c, Tridiagonal &system, const Profile &heating, Changes &changes);

} // namespace squall::mynn_edmf
