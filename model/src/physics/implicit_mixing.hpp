/// Vertical mixing of columns by backward Euler, for schemes that know the fluxes per difference.
#pragma once

#include "physics/column.hpp"

namespace squall {

/// With m the mass of layers, d(m x)/dt = G(k+1) (x(k+1) - x(k)) - G(k) (x(k) - x(k-1)) + m S - m r x, where
/// x(-1) is the value at the surface and G(nz) = 0. It is solved for the increment, so that a
/// well-mixed column keeps its bits.
class ImplicitMixing {
  public:
    explicit ImplicitMixing(int nz);

    /// For `n` columns, a time step dt [s], masses m [kg m-2] and conductances G [kg m-2 s-1] at the
    /// interfaces below layers k >= 1, and at the surface (per column); `removal`: r [s-1], null: none. Holds
    /// for the calls of increments() that follow.
    void factor(int n, real dt, ConstColumns mass, ConstColumns conductance, const real *surface,
                ConstColumns removal = {});

    /// Sets dx, the change of x over dt above the surface value `below` (per column). `forcing`: what S alone
    /// would change over dt; null: nothing.
    void increments(ConstColumns x, const real *below, Columns dx, ConstColumns forcing = {});

  private:
    enum Stored { lower, upper, eliminated, inverse, removed, stored_fields };
    int n_ = 0, nz_;
    bool removes_ = false;
    ColumnStorage storage_;
};

} // namespace squall
