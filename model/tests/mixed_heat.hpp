/// What boundary layer schemes keep, for tests of their budgets of energy.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "turbulent_case.hpp"

namespace squall::test {

using F = SurfaceCase::Field;

/// What takes the place of heat and its mass in a layer [J kg-1, kg m-2].
struct MixedHeat {
    std::function<double(Turbulent &, int)> change, mass;
    std::function<double(const SurfaceCase &)> given; ///< by the surface [W m-2]
};

inline double kinetic(Turbulent &t, F x, F dx, int k) {
    return t.at(dx, k) * (t.at(x, k) + 0.5 * t.at(dx, k));
}

/// Equation 4 of Reed and Jablonowski (2012), with the air as warm as it becomes.
inline double bulk_heat(const SurfaceCase &c) {
    SurfaceCase a = c;
    const auto lowest = [&a](F f) { return double(a.air.field(f)(0, 0)); };
    const double pressure = lowest(F::full_pressure) + 9.81 * lowest(F::density) * a.dz / 2;
    const double below = double(a.at(SurfaceCase::skin)) * std::pow(1e5 / pressure, 2.0 / 7);
    return 1004.5 * lowest(F::density) * 0.0011 * std::hypot(lowest(F::u), lowest(F::v)) *
           (below - lowest(F::theta) - lowest(F::dtheta));
}

/// What q^3 / (B1 L) of a step heats the air by [J kg-1]; nothing in the highest layer.
inline double dissipated(Turbulent &t, int k) {
    if (k == t.c.nz - 1) return 0;
    const double q = std::sqrt(t.at(F::qke, k) + t.at(F::dqke, k));
    const double length = std::max(0.5 * (t.at(F::length, k) + t.at(F::length, k + 1)), 1.0);
    return q * q * q / (24 * length) * std::exp(-1e4 / t.at(F::full_pressure, k)) * double(t.c.dt);
}

/// bulk, ysu and myj mix potential temperature and keep c_p theta; mynn keeps enthalpy with the energy of
/// wind and turbulence; resolved keeps enthalpy; mynn-edmf mixes liquid water potential temperature, and
/// heats it by what dissipates.
inline MixedHeat mixed_heat(const std::string &scheme) {
    const auto by_theta = [](Turbulent &t, int k) { return 1004.5 * t.at(F::dtheta, k); };
    const auto by_density = [](Turbulent &t, int k) { return t.at(F::density, k) * t.c.dz; };
    const auto sensible = [](const SurfaceCase &c) { return double(c.at(SurfaceCase::heat)); };
    if (scheme == "bulk") return {by_theta, by_density, bulk_heat};
    if (scheme == "ysu")
        return {by_theta,
                [](Turbulent &t, int k) { return (t.at(F::weight, k) - t.at(F::weight, k + 1)) / 9.81; },
                sensible};
    if (scheme == "myj")
        return {by_theta, by_density, [](const SurfaceCase &c) {
                    SurfaceCase a = c;
                    return double(a.at(SurfaceCase::heat)) / double(a.air.field(F::exner)(0, 0));
                }};
    if (scheme.starts_with("mynn-edmf"))
        return {[](Turbulent &t, int k) { return 1004.5 * t.at(F::dtheta, k) - dissipated(t, k); },
                by_density, sensible};
    if (scheme == "resolved")
        return {[](Turbulent &t, int k) { return 1004.5 * t.at(F::exner, k) * t.at(F::dtheta, k); },
                by_density, sensible};
    return {[](Turbulent &t, int k) {
                return 1004.5 * t.at(F::exner, k) * t.at(F::dtheta, k) + kinetic(t, F::u, F::du, k) +
                       kinetic(t, F::v, F::dv, k) + 0.5 * t.at(F::dqke, k);
            },
            by_density, sensible};
}

} // namespace squall::test
