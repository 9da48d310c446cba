/// Vertical mixing of columns by backward Euler, for schemes that know the fluxes per difference.
#pragma once

#include "physics/boundary_layer_scheme.hpp"

namespace squall {

/// With m the mass of layers, d(m x)/dt = G(k+1) (x(k+1) - x(k)) - G(k) (x(k) - x(k-1)), where
/// x(-1) is the value at the surface and G(nz) = 0. It is solved for the increment, so that a
/// well-mixed column keeps its bits.
class ImplicitMixing {
  public:
    explicit ImplicitMixing(int nz);

    /// For conductances G [kg m-2 s-1] at the interfaces below layers k >= 1, and at the surface
    /// (per column). Holds for the calls of increments() that follow.
    void factor(const TurbulentColumns &c, ConstColumns conductance, const real *surface);

    /// Sets dx, the change of x over c.dt above the surface value `below` (per column).
    void increments(const TurbulentColumns &c, ConstColumns x, const real *below, Columns dx);

  private:
    enum Stored { lower, upper, eliminated, inverse };
    ColumnStorage storage_;
};

} // namespace squall
