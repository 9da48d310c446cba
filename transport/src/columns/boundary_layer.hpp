/// Mixing of the boundary layer by a profile of diffusivities.
///
/// Holtslag, A. A. M., and B. A. Boville (1993): Local versus nonlocal boundary-layer diffusion in a global
/// climate model. J. Climate 6, 1825-1842: a diffusivity that depends on the layer's height and on the fluxes
/// at the ground, K = k w z (1 - z / h)^2, in the matrix of all tracers; and a flux whatever the gradient is,
/// K gamma, of what a tracer itself gets from the ground.
#pragma once

#include "columns/exchange.hpp"
#include "globe/scratch.hpp"

namespace squall::transport {

/// What the ground gives to the air above it.
struct GroundFluxes {
    double height;            ///< of the boundary layer above the ground [m]
    double friction_velocity; ///< [m s-1]
    double heat;              ///< of virtual temperature, upwards [K m s-1]
    double temperature;       ///< virtual, of the lowest layer [K]
};

/// Of heat and tracers, at a height above the ground [m2 s-1]; 0 above the boundary layer.
double diffusivity(const GroundFluxes &ground, double height);

/// gamma over the flux (w'c')_0 of a tracer from the ground, 7.2 w* / (w_m^2 h) [s m-2], over warm ground and
/// above the surface layer; 0 elsewhere.
double counter_gradient(const GroundFluxes &ground, double height);

/// The ground's fluxes in column i of row j.
GroundFluxes ground_fluxes(const ColumnAir &air, const Weather &weather, int i, int j);

/// K in a row of columns, and what follows from it.
class BoundaryLayer {
  public:
    /// `counter`: the flux against the gradient is wanted, too.
    BoundaryLayer(const ColumnAir &air, const Weather &weather, int j, bool counter);

    /// Adds what the eddies of column exchange.column() exchange.
    void mix(Exchange &exchange) const;

    /// The flux K gamma through interface k of column i, as a share of the mass that comes in from the
    /// ground; 0 at it.
    double share(int i, int k) const { return shares_[at(i, k)]; }
    /// Layers of column i below this one give or get some of that flux; 0: none.
    int counter_depth(int i) const { return counter_depths_[static_cast<std::size_t>(i)]; }

  private:
    std::size_t at(int i, int k) const { return static_cast<std::size_t>(i * interfaces_ + k); }
    int interfaces_;
    Scratch<double> fluxes_; ///< of air, up and down alike [kg m-2 s-1]
    Scratch<double> shares_;
    Scratch<int> tops_, counter_depths_; ///< tops_: interface k has eddies for 0 < k < tops_[i]
};

} // namespace squall::transport
