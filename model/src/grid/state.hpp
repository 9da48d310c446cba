/// The prognostic variables of a patch at one time level.
#pragma once

#include <vector>

#include "core/array.hpp"

namespace squall {

/// State without its scalars, as kernels hold it.
struct StateFields {
    Field3 u, v, w, theta, ph;
    Field2 mu;
};

/// Halo included. Names and units are WRF's (U, V, W, T, PH, MU).
struct State {
    State() = default;
    explicit State(Shape s, int scalars_ = 0) : u(s), v(s), w(s), theta(s), ph(s), mu(s) {
        for (int n = 0; n < scalars_; ++n) scalars.emplace_back(s);
    }

    Array3 u; ///< x wind on west faces [m s-1]
    Array3 v; ///< y wind on south faces [m s-1]
    Array3 w; ///< vertical wind on interfaces, nz + 1 [m s-1]
    /// Potential temperature minus 300 K on layers [K]; where `dynamics.moist_theta` is on, moist
    /// potential temperature theta (1 + r_v / r_d q_v) minus 300 K.
    Array3 theta;
    Array3 ph;                   ///< perturbation geopotential on interfaces, nz + 1 [m2 s-2]
    Array2 mu;                   ///< perturbation dry column mass [Pa]
    std::vector<Array3> scalars; ///< on layers, per mass of dry air; which: ScalarSet

    StateFields fields() { return {u.view(), v.view(), w.view(), theta.view(), ph.view(), mu.view()}; }
};

} // namespace squall
