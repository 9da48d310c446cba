/// Where convection begins and of which kind: test parcels that rise without the rest of the scheme.
///
/// A parcel entrains with the rate e, keeps its condensate (of deep convection a half of it), and has the
/// kinetic energy K = w^2 / 2 (after Jakob and Siebesma 2003, with the factors of WRF's cu_physics = 16)
///     dK/dz = 2 g (T_v,u - T_v) / T_v - 2 e K
/// Shallow: from the lowest layer, warmer and moister by what the surface's fluxes make of it,
///     e = 0.8 / z + 2e-4 m-1,    w* = 1.2 (1e-3 + 1.5 k g z F / (rho T))^(1/3),
///     dT = 1.5 H / (rho c_p w*),    dq = 1.5 E / (rho w*),    F = H / c_p + 0.61 T E > 0
/// Deep: from each layer within 350 hPa of the ground, mixed over 50 hPa near it, warmer by 0.2 K and moister
/// by 1e-4, with 1 m/s and
///     e = 1.75e-3 m-1 min(1, q_s / q_s,source)^3
/// A cloud of more than 200 hPa is deep. Where neither is: middle, from layers at 500 m to 10 km with more
/// than 80 % of humidity that rise (Tiedtke 1989, section 2c3).
#pragma once

#include "physics/tiedtke/air.hpp"

namespace squall::tiedtke {

enum class Kind { none, shallow, middle, deep };

inline constexpr real deep_from = 20000; ///< of base less top [Pa]

/// Interfaces, but `source`, the layer that it rises from.
struct Cloud {
    Kind kind = Kind::none;
    int source = 0, base = 0, top = 0;
    int foot = 0;  ///< where air begins to be drawn in: the ground, or the bottom of a source high above it
    Parcel parcel; ///< at the base
    real kinetic = 0; ///< there [m2 s-2]
};

Cloud find_cloud(const Air &air);

} // namespace squall::tiedtke
