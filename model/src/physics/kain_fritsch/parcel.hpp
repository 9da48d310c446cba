/// Thermodynamics of a moist parcel: Bolton (1980, Mon. Weather Rev. 108, 1046) as Kain and Fritsch use it.
#pragma once

#include "core/real.hpp"

namespace squall::kain_fritsch {

inline constexpr real gas_constant = real(287.0); // of dry air [J kg-1 K-1]
inline constexpr real heat_capacity = real(7.0 * 287.0 / 2.0);
inline constexpr real gravity = real(9.81);
inline constexpr real melting = real(273.16); // [K]
inline constexpr real fusion = real(3.339e5); // [J kg-1]

/// Vapour pressure over water [Pa] and the mixing ratio of saturated air [kg kg-1].
real saturation_pressure(real temperature);
real saturation(real temperature, real pressure);
/// Change of the former's logarithm with temperature [K-1].
real saturation_growth(real temperature);

/// Latent heat of vaporisation [J kg-1].
inline real vaporisation(real temperature) { return real(3.15e6) - real(2370) * temperature; }

/// theta over temperature of air with this much vapour.
real theta_factor(real pressure, real vapour);

/// Temperature at which a parcel lifted from here saturates [K].
real saturation_temperature(real pressure, real temperature, real vapour);

/// Equivalent potential temperature [K] of air that saturates at `saturated` [K].
real equivalent(real pressure, real temperature, real vapour, real saturated);
real equivalent(real pressure, real temperature, real vapour);

inline real virtual_temperature(real temperature, real vapour, real condensate = 0) {
    return temperature * (1 + real(0.608) * vapour - condensate);
}

struct Saturated {
    real temperature, vapour;
};
/// Saturated air of this equivalent potential temperature.
Saturated saturated_air(real pressure, real theta_e);

/// Air with its water.
struct Parcel {
    real temperature, vapour, liquid, ice;
    real density_temperature() const { return virtual_temperature(temperature, vapour, liquid + ice); }
};

/// Brings a parcel of this equivalent potential temperature to saturation: its condensate evaporates, as far
/// as there is some, or vapour condenses; the mixing ratio of new liquid water, which is not in `parcel` yet.
real saturate(real pressure, real theta_e, Parcel &parcel);

/// Lets `water` of a parcel freeze at once: it warms, and saturates anew; its new equivalent potential
/// temperature.
real freeze(real pressure, real water, Parcel &parcel);

} // namespace squall::kain_fritsch
