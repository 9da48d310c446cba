/// Static stability of moist air, as the closures see it.
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "dynamics/diffusion/metrics.hpp"
#include "grid/grid_view.hpp"

namespace squall::diffusion {

/// The air on layers: prognostic theta minus 300 K, inverse density of dry air [m3 kg-1],
/// perturbation pressure [Pa], mixing ratios. Views of water that the run lacks have no data.
struct MoistAir {
    ConstField3 theta, alt, p;
    ConstField3 vapour, cloud, ice;
    bool moist_theta = false; ///< theta is theta (1 + r_v / r_d q_v)

    bool moist() const { return vapour.origin != nullptr; }
};

/// What is found of it on cells.
struct Thermodynamics {
    Field3 theta;       ///< potential temperature of dry air [K]
    Field3 temperature; ///< [K]
    // Of moist air, for its stability:
    Field3 theta_e;    ///< theta (1 + L q_s / (c_p T)), that of saturated air [K]
    Field3 saturation; ///< saturation mixing ratio q_s over water
    Field3 water;      ///< q_v + q_c + q_i
};

/// Fills theta and temperature on `cells`, all layers. T is that of the gas law, p alpha_d / (r_d (1 + r_v /
/// r_d q_v)), which for the diagnosed pressure is theta times the Exner function. Dry air whose temperature
/// nobody wants (no view for it) needs neither pressure nor density.
void find_thermodynamics(Range cells, const GridView &grid, const MoistAir &air, const Thermodynamics &out);

/// theta [K] of the surface and of the model top, for one column: temperature extrapolated in height
/// from the two layers next to it, and pressure likewise (its logarithm at the top).
real surface_theta(const GridView &grid, const Metrics &metrics, ConstField3 temperature, ConstField3 p,
                   int i, int j);
real top_theta(const GridView &grid, const Metrics &metrics, ConstField3 temperature, ConstField3 p, int i,
               int j);

/// Squared Brunt-Vaisala frequency [s-2] on `cells` (Skamarock et al. 2019, NCAR/TN-556, section
/// 4.2.4; Durran and Klemp 1982). Centred over the two layers around; where q_v >= q_s or
/// q_c >= 1e-5,
///   N^2 = g (A d(theta_e)/dz - d(q_w)/dz),
///   A = (1 + L q_v / (r_d T)) / (1 + L^2 q_v / (c_p r_v T^2)) / theta,
/// else N^2 = g (d ln(theta)/dz + 1.61 d(q_v)/dz - d(q_w)/dz), q_w being all water that floats. As in
/// WRF the lowest layer has differences between itself (or the surface, for water and saturated air)
/// and the layer above, and the highest the value of the one below. Reads theta and temperature of `t`, and
/// fills the rest of it.
void find_stability(Range cells, const GridView &grid, const Metrics &metrics, const MoistAir &air,
                    const Thermodynamics &t, Field3 n2);

} // namespace squall::diffusion
