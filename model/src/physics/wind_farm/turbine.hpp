/// A type of wind turbine: what it takes of the wind, and how much of its rotor is in a layer.
#pragma once

#include <vector>

#include "core/real.hpp"

namespace squall {

/// Shares of the wind's power through the rotor, 1/2 rho V^3 A (Fitch et al. 2012, MWR 140, 3017-3038,
/// equations 1 to 3).
struct TurbineCoefficients {
    real thrust; ///< that the wind loses
    real power;  ///< that becomes electricity
};

class TurbineType {
  public:
    /// Curves by wind speed at the hub [m s-1], which grows: thrust coefficients and power [kW]. Of speeds
    /// not above the first the thrust is `standing` and the power 0, from the last on the thrust is the last.
    /// `hub`: height above the ground, `diameter` of the rotor [m].
    TurbineType(double hub, double diameter, double standing, std::vector<double> speeds,
                std::vector<double> thrusts, std::vector<double> powers);

    real hub() const { return hub_; }
    real lowest() const { return hub_ - radius_; }  ///< tip of a blade [m]
    real highest() const { return hub_ + radius_; } ///< likewise
    real area() const;                              ///< of the rotor [m2]

    /// At a wind speed at the hub [m s-1]: linear in both curves, of powers as coefficients.
    TurbineCoefficients coefficients(real speed) const;

    /// Of the rotor between two heights above the ground [m2].
    real area_between(real lower, real upper) const;

    static constexpr real air_density = real(1.23); ///< that the power curve is for [kg m-3]

  private:
    real area_below(real height) const;

    real hub_, radius_, standing_;
    std::vector<real> speeds_, thrusts_, powers_; ///< both as coefficients
};

/// Where a turbine stands.
struct StandingTurbine {
    int i, j; ///< cell of the domain, from 0
    int type; ///< from 0
};

} // namespace squall
