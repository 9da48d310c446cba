/// The prognostic variables of a patch at one time level.
#pragma once

#include "core/array.hpp"

namespace squall {

/// Halo included. Names and units are WRF's (U, V, W, T, PH, MU).
struct State {
    State() = default;
    explicit State(Shape s) : u(s), v(s), w(s), theta(s), ph(s), mu(s) {}

    Array3 u;     ///< x wind on west faces [m s-1]
    Array3 v;     ///< y wind on south faces [m s-1]
    Array3 w;     ///< vertical wind on interfaces, nz + 1 [m s-1]
    Array3 theta; ///< potential temperature minus 300 K on layers [K]
    Array3 ph;    ///< perturbation geopotential on interfaces, nz + 1 [m2 s-2]
    Array2 mu;    ///< perturbation dry column mass [Pa]
};

} // namespace squall
