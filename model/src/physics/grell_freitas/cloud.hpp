/// Where an updraught begins, condenses and ends, and the shape of its mass flux.
///
/// Source: the interface of most moist static energy in the lowest 4 km; the air is the mean of the three
/// interfaces below, with the excess of parcels. Base: where it is buoyant after entraining on its way, at
/// most 75 hPa above the source, 100 hPa over land with a heat flux; else the source is higher up.
/// Entrainment (Grell and Freitas 2014, equations 6 to 9): 0.2 / R = 7e-5 m-1; draughts of that radius cover
///     sigma = pi R^2 / dx^2,   at most 0.9, of which R is smaller,
/// and what they move shrinks by (1 - sigma)^2 (Arakawa et al. 2011, Atmos. Chem. Phys. 11, 3731). In air of
/// relative humidity f the rate is 1.3 - f times that.
/// Top: where the buoyancy of the entraining parcel, summed over height from the base, is most.
/// Mass flux: a beta function of pressure from the source to the top, 1 where it is largest.
#pragma once

#include "physics/grell_freitas/air.hpp"

namespace squall::grell_freitas {

struct Size {
    real share = 0;       ///< of the cell that draughts cover
    real entrainment = 0; ///< [m-1]

    /// Of what draughts move, in a cell.
    real weight() const { return (1 - share) * (1 - share); }
    bool largest() const { return share >= largest_share; }

    static constexpr real largest_share = real(0.9);
};

/// Of draughts in cells of this size [m].
Size size_of_draughts(real spacing);

struct Cloud {
    Size size;
    int source = 0, base = 0, top = 0; ///< interfaces; the last to which the updraught comes
    int stable = 0;                    ///< interface above the base at which saturated air has least energy
    int neutral = 0;                   ///< as `top`, which buoyancy of the updraught itself may lower
    Excess excess;                     ///< of the source
    bool shallow = false;
    real largest = 0, beta = 0; ///< of its Shape
};

/// Energy of a source at this interface [J kg-1].
real source_energy(const Sounding &air, const Cloud &cloud, int interface);

/// Rate at which air comes in above interface k, for its humidity [m-1].
real entrainment(const Air &air, const Cloud &cloud, int k);

/// Interface above the base at which saturated air has least energy, up to `highest`.
int most_stable(const Air &air, const Cloud &cloud, int highest);

/// False: there is none.
bool find_cloud(const Air &air, Cloud &cloud);

/// Energy of a parcel from the source of a cloud after entraining up to each interface [J kg-1].
class Parcel {
  public:
    Parcel(const Air &air, const Cloud &cloud);

    /// To the next interface, entraining at a rate [m-1].
    real rise(real rate);
    real energy() const { return energy_; }

  private:
    const Air &air_;
    int at_;
    real energy_;
};

/// Beta function of pressure from the lower interface to the upper one, with its largest value about where a
/// share `at` of the way is left behind: ((p - p_l) / d)^(a - 1) (1 - (p - p_l) / d)^(b - 1).
struct Shape {
    real from, depth; ///< pressure at the lower interface, difference to the upper one [Pa]
    real a, b;

    Shape(real lower, real upper, real at, real b);
    real at(real pressure) const;
    /// What makes its integral 1.
    real norm() const;
};

} // namespace squall::grell_freitas
