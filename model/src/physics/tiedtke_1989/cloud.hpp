/// Whether air from the ground condenses, and what kind of convection it may make there (Tiedtke 1989,
/// section 2c).
///
/// Air of the lowest layer rises without mixing, up to 0.5 K heavier than around, until it condenses. If
/// turbulence and advection make the air below moister, there is convection: deep where they bring more
/// vapour to the whole column than 1.1 times what the surface gives, shallow elsewhere. The mass flux that
/// keeps the air below as moist as it is begins the calculation:
///     M_b (q_u + l_u - q) = int_surface^base dq/dt dm
/// Deep convection detrains in an organised way from where the moist static energy of the air, followed
/// upwards, makes up for what lacks to saturation (Nordeng 1994, ECMWF Tech. Memo. 206).
#pragma once

#include "physics/tiedtke_1989/air.hpp"

namespace squall::tiedtke_1989 {

enum class Kind { none, shallow, middle, deep };

inline constexpr real kick = real(0.5);         ///< that air from below may be heavier [K]
inline constexpr real shallow_below = 15000;    ///< base less top, where no precipitation forms [Pa]
inline constexpr real least_flux = real(1e-10); ///< [kg m-2 s-1]
inline constexpr real smallest_deep_flux = real(0.01);

/// Interfaces, and what rises there.
struct Cloud {
    Kind kind = Kind::none;
    int base = 0;
    int highest = 0;       ///< that it may reach
    int detrains_from = 0; ///< in an organised way; none below
    Moist air;             ///< at the base, saturated
    real liquid = 0;       ///< there [kg kg-1]
    real work = 0;         ///< of buoyancy up to the base [J kg-1]
    real u = 0, v = 0;     ///< there [m s-1]
    real supply = 0;       ///< of vapour below the base [kg m-2 s-1]
    real flux = 0;         ///< mass flux at the base [kg m-2 s-1]
    real entrainment = 0;  ///< by turbulence [m-1]

    bool from_below() const { return kind == Kind::shallow || kind == Kind::deep; }
    /// Sets what goes with the kind.
    void become(Kind now, bool over_land);
};

/// Of what the layer above the base can lose.
real most_flux(const Air &air, int base);

/// M_b of this supply to air below, which `returning` (q) takes a share of; 0: there is none.
real flux_for_supply(const Air &air, const Cloud &cloud, real share, real returning);

Cloud find_cloud(const Air &air);

/// Buoyancy of a parcel at an interface, as a temperature [K].
inline real buoyancy(const Air &air, int k, const Moist &parcel, real liquid) {
    return parcel.t * (1 + constants::virtual_factor * parcel.q - liquid) -
           air.t[k] * (1 + constants::virtual_factor * air.q[k]);
}

/// As an acceleration, of each term on its own [m s-2]; not below 0.
inline real lift(const Air &air, int k, const Moist &parcel, real liquid) {
    return gravity * std::max((parcel.t - air.t[k]) / air.t[k] +
                                  constants::virtual_factor * (parcel.q - air.q[k]) - liquid,
                              real(0));
}

} // namespace squall::tiedtke_1989
