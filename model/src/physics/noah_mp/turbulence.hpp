/// Exchange between ground, leaves and air: similarity above the canopy (Brutsaert 1982), resistances below
/// and around leaves (Niu and Yang 2004, J. Geophys. Res. 109, D23111).
#pragma once

#include "physics/noah_mp/column.hpp"

namespace squall::noah_mp {

/// Monin and Obukhov's similarity above a surface, iterated with the heat flux that it gives.
class Similarity {
  public:
    /// `displacement` and `height` of the air above the ground [m], roughness `z0` [m].
    Similarity(const Air &air, real height, real displacement, real z0);

    /// Once more, with the heat flux found with the last one [W m-2].
    void iterate(real heat);

    real conductance() const {
        return heat_ * air_.stirred() < 1 ? heat_ * air_.stirred() : real(1);
    }                                                             ///< [m s-1]
    real friction_velocity() const { return friction_velocity_; } ///< [m s-1]
    real conductance_2m() const; ///< from the surface to 2 m above it [m s-1]

  private:
    void find_stability(real heat);

    const Air &air_;
    real height_, z0_; ///< above the displacement
    bool first_ = true;
    int turns_ = 0; ///< how often stability has changed its sign
    real stability_ = 0, stability_2m_ = 0;
    real psi_momentum_ = 0, psi_heat_ = 0, psi_heat_2m_ = 0;
    real friction_velocity_ = 0, heat_ = 0;
};

/// Resistances [s m-1] from the ground to the air between leaves, and from leaves to it.
struct CanopyResistances {
    real ground, leaf;
};

/// What they hang on.
struct CanopyAir {
    real area;                        ///< of leaves and stems, effective
    real wind_absorption, top;        ///< of the canopy [m]
    real displacement, z0, z0_ground; ///< [m]
    real wind;                        ///< on top of the canopy [m s-1]
};

/// Below a canopy, iterated likewise.
class BelowCanopy {
  public:
    explicit BelowCanopy(const CanopyAir &canopy) : canopy_(canopy) {}

    /// With the friction velocity above, and the heat flux from the ground [W m-2] and the temperature
    /// between leaves [K] that came of the last iteration.
    CanopyResistances iterate(real friction_velocity, real density, real heat, real temperature);

  private:
    CanopyAir canopy_;
    bool first_ = true;
    real correction_ = 1;
};

} // namespace squall::noah_mp
