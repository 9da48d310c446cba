/// What a mass-flux scheme does to a column at last, and what it must keep whatever the scheme was.
#pragma once

#include "physics/cumulus_scheme.hpp"
#include "physics/tiedtke/profile.hpp"

namespace squall::tiedtke {

/// Rates of change of layers.
struct Rates {
    explicit Rates(int layers);

    void clear();
    /// Of layers' contents [K kg m-2 s-1], [kg m-2 s-1], [N m-2] by their mass [kg m-2].
    void divide_by(const Profile &mass);
    /// Where wind changes most, the kinetic energy that mixing takes becomes heat. `eastward`, `northward`:
    /// wind [m s-1].
    void dissipate(const Profile &mass, const Profile &eastward, const Profile &northward);
    void scale(real factor);
    void add(const Rates &more);
    /// Less of all where else vapour would be used up within `interval` [s].
    void keep_vapour(const Profile &mixing_ratio, real interval);
    /// Hands them over for column i, until the next call. Ice melts where the run has none [J kg-1].
    void write(const ConvectiveColumns &c, int i, real heat_of_fusion) const;

    Profile temperature, vapour, liquid, ice; ///< [K s-1], [kg kg-1 s-1]
    Profile u, v;                             ///< [m s-2]
    real precipitation = 0, snowfall = 0;     ///< at the ground, the latter part of it [kg m-2 s-1]

  private:
    int layers_;
};

} // namespace squall::tiedtke
