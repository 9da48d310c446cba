/// A column as the scheme of Tiedtke (1989) sees it, and the thermodynamics of its parcels.
///
/// Parcels keep frozen moist static energy h = c_p T + g z + L_v q - L_f i and total water r = q + l + i, all
/// per mass of dry air, while they saturate; of their condensate the share a(T) is liquid:
///     a = ((T - T_ice) / (T_0 - T_ice))^2 between T_ice = 250.16 K and T_0 = 273.16 K
/// (IFS documentation, Cy40r1, part IV, equation 6.6).
#pragma once

#include "core/constants.hpp"
#include "physics/tiedtke/profile.hpp"

namespace squall::tiedtke {

inline constexpr real heat_capacity = constants::c_p, gravity = constants::g;
inline constexpr real vaporisation = real(2.501e6), fusion = real(3.337e5); // [J kg-1]
inline constexpr real melting = real(273.16), no_liquid = real(250.16);     // [K]

struct Air {
    explicit Air(int layers);

    int nz;
    bool land = false;
    real spacing = 0;  ///< of cells [m]
    real interval = 0; ///< that the rates of change are to last [s]

    /// In layers.
    Profile temperature, vapour, saturated; ///< [K], [kg kg-1]
    Profile pressure, height, depth;        ///< [Pa], above the ground [m], [m]
    Profile mass;                           ///< of dry air [kg m-2]
    Profile u, v, updraught;                ///< [m s-1]
    Profile warming, moistening; ///< by all that is not convection [K s-1], [kg kg-1 s-1]; zero if not known
    real heat_flux = 0, vapour_flux = 0; ///< from the surface [W m-2], [kg m-2 s-1]

    /// At interfaces, 0 to nz: pressure, height, and between the layers' values.
    Profile p, z, t, q;

    /// From the layers' values but for `saturated`.
    void complete();

    real humidity(int layer) const { return std::min(vapour[layer] / saturated[layer], real(1)); }
    /// Dry static energy and h of a layer [J kg-1].
    real dry(int layer) const { return heat_capacity * temperature[layer] + gravity * height[layer]; }
    real moist(int layer) const { return dry(layer) + vaporisation * vapour[layer]; }
    real virtual_temperature(int interface) const {
        return t[interface] * (1 + constants::virtual_factor * q[interface]);
    }
};

/// Share of condensate that is liquid.
real liquid_share(real temperature);

/// Mixing ratio of saturated air, over water and ice by their shares.
real saturation(real temperature, real pressure);

/// A parcel at an interface.
struct Parcel {
    real h = 0, water = 0;                                 ///< [J kg-1], [kg kg-1]
    real temperature = 0, vapour = 0, ice = 0, liquid = 0; ///< which follow from them

    real condensate() const { return liquid + ice; }
    /// Temperature of dry air as heavy as it is.
    real density_temperature() const {
        return temperature * (1 + constants::virtual_factor * vapour - condensate());
    }
};

/// Sets temperature and phases of a parcel by its h and water; `guess` [K] shortens the search.
void saturate(real pressure, real height, real guess, Parcel &parcel);

/// Takes `amount` of the condensate out, as it is frozen.
void take_out(real amount, Parcel &parcel);

/// `rest` of what was in the parcel, and entrained air.
void mix(real rest, const Parcel &was, real entrained, real h, real water, Parcel &parcel);

} // namespace squall::tiedtke
