/// What the parts of the YSU scheme tell one another of a batch of columns.
#pragma once

#include "core/constants.hpp"
#include "physics/boundary_layer_scheme.hpp"

namespace squall::ysu {

inline constexpr real karman = real(0.4);
inline constexpr real latent_heat = real(2.5e6), sublimation = real(2.834e6); // [J kg-1]
inline constexpr real least_momentum = real(0.1), least_heat = real(0.01);    // diffusivities [m2 s-1]
inline constexpr real most = 1000;
inline constexpr real surface_share = real(0.1);   // of the boundary layer that is surface layer
inline constexpr real much_cloud = real(1e-5);     // condensate that counts as cloud [kg kg-1]
inline constexpr real countergradient = real(6.8); // b of equation 4
inline constexpr real most_excess = 3;             // of a thermal [K]
inline constexpr real third = real(0.33333335);

/// The columns and what follows from them; layers k from 0, interface k is below layer k.
struct Profiles {
    const TurbulentColumns &c;
    const SurfaceColumns &s;
    Columns z, bottom;        ///< heights above the ground: middle of layers, interfaces (nz + 1) [m]
    Columns temperature;      ///< [K]
    Columns theta_v, theta_l; ///< virtual potential temperature; that of liquid water and ice [K]
    Columns condensate;       ///< cloud water and ice [kg kg-1]
    Columns middle;           ///< hydrostatic pressure in the middle of layers [Pa]

    real speed_squared(int i, int k) const { // not below 1 m2 s-2
        const real square = c.u(i, k) * c.u(i, k) + c.v(i, k) * c.v(i, k);
        return square > 1 ? square : real(1);
    }
    real cloud_water(int i, int k) const { return c.cloud.origin ? c.cloud(i, k) : real(0); }
};

/// The boundary layer of one column.
struct Layer {
    bool unstable;           ///< heated from below, by the Richardson number of the surface layer
    bool mixed;              ///< has countergradient fluxes and entrainment
    bool cloudy;             ///< has a cloud at its top that cools
    int top;                 ///< the layer that its top lies in; 0: nothing is mixed by profile
    real height;             ///< [m]
    real density;            ///< at the surface [kg m-3]
    real buoyancy;           ///< flux of virtual potential temperature at the surface [K m s-1]
    real thermal, thermal_l; ///< theta_v and theta_l of what rises from the ground [K]
    real ust, ust3;          ///< friction velocity and its cube
    real wstar3,
        cloud_wstar3;  ///< cubes of convective velocities, of the ground's heat and of the cloud's cooling
    real velocity;     ///< mixed-layer velocity scale [m s-1] (equation A9)
    real zeta;         ///< z / L of the lowest layer
    real phi_m, phi_h; ///< gradients at the top of the surface layer
    real heat, u, v;   ///< countergradient excess [K, m s-1]: over height, a gradient
    real entrainment;  ///< velocity at the top, negative [m s-1] (equation A11 over the jump)
    real theta_flux, vapour_flux, u_flux, v_flux; ///< at the top
    real depth;                                   ///< of the entrainment zone [m]
};

/// Sets all of `layer` but what entrain() sets.
void find_height(const Profiles &p, int i, Layer &layer);

/// Sets the entrainment at the top of a mixed layer; with a cloud there also the excess anew.
void entrain(const Profiles &p, int i, Layer &layer);

/// Diffusivities at interfaces k >= 1 [m2 s-1].
struct Diffusivities {
    Columns momentum, heat, vapour;
    Columns towards_top; ///< weight of the entrainment flux (1 - z/h)^3, 0 above
};

/// What the drag of one column's ground is multiplied by, once its diffusivities are known: the drag of its
/// terrain where the layer is calm and shallow, none of that where it convects (Jimenez and Dudhia 2012, with
/// the weakening by convection that WRF has added).
real terrain_drag(const Profiles &p, int i, const Layer &layer, const Diffusivities &d);

/// For all columns: as if there were no boundary layer.
void set_local(const Profiles &p, const Diffusivities &d);

/// For one column: within its boundary layer, and where that entrains from.
void set_nonlocal(const Profiles &p, int i, const Layer &layer, const Diffusivities &d);

} // namespace squall::ysu
