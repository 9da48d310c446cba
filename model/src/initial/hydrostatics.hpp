/// The model's hypsometric relation in double precision, for building balanced states.
/// The same as dynamics/state_equation.hpp evaluates in the model's precision.
#pragma once

#include <cmath>

#include "grid/grid.hpp"

namespace squall {

/// Dry mass of layer k over area, times g [Pa], under column mass mu [Pa].
inline double layer_mass(const VerticalGrid &v, int k, double mu) {
    return -double(v.dnw[k]) * (double(v.c1h[k]) * mu + v.c2h[k]);
}

/// Dry hydrostatic pressure of layer k [Pa].
inline double layer_pressure(const VerticalGrid &v, int k, double mu) {
    return double(v.c3h[k]) * mu + v.c4h[k] + v.p_top;
}

/// The depth of layer k [Pa] that gives its geopotential thickness when multiplied by its inverse
/// density: its mass for hypsometric 1, p ln(p_lower / p_upper) for 2.
inline double hypsometric_depth(const VerticalGrid &v, int k, double mu, int hypsometric) {
    const double mass = layer_mass(v, k, mu);
    if (hypsometric == 1) return mass;
    const double p = layer_pressure(v, k, mu);
    return 2 * p * std::atanh(mass / (2 * p));
}

} // namespace squall
