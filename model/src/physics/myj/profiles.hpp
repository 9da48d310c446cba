/// What the parts of the MYJ scheme tell one another of a batch of columns.
#pragma once

#include <array>

#include "physics/boundary_layer_scheme.hpp"

namespace squall::myj {

/// The columns and what follows from them; layers k from 0, interface k is below layer k.
struct Profiles {
    const TurbulentColumns &c;
    const SurfaceColumns &s;
    Columns bottom;        ///< height of interfaces above the ground, nz + 1 [m]
    Columns distance;      ///< between the middles of the layers around interfaces k >= 1 [m]
    Columns density, mass; ///< [kg m-3, kg m-2]
    Columns temperature;   ///< [K]
    Columns theta_l;       ///< theta without the heat of its condensate [K]
    Columns humidity;      ///< specific [kg kg-1]
    Columns condensate;    ///< cloud water and ice [kg kg-1]
    Columns energy;        ///< q^2 at interfaces, at the ground too [m2 s-2]
    Columns shear,
        stability;          ///< G_M, squared, and G_H, as of virtual theta, at interfaces k >= 1 [s-2, K m-1]
    Columns longest;        ///< that l may be there [m]
    Columns length;         ///< l there; 0 at the ground [m]
    Columns momentum, heat; ///< diffusivities over `distance` there [m s-1]
    std::array<int, columns_at_a_time> &top; ///< the lowest interface whose q^2 is not above the least
};

/// Sets `top` and `length`.
void find_lengths(const Profiles &p);

} // namespace squall::myj
