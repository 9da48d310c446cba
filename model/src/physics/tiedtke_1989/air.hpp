/// A column as the scheme of Tiedtke (1989) sees it: layers, the air at interfaces, and saturation.
///
/// Water is specific humidity, mass that of all air. The air at an interface is that of the layer above,
/// brought down as if it were saturated (Tiedtke 1989, section 3): from the dry static energy s and the
/// humidity of saturation q_s of that layer
///     (t, q_s) = saturated(s - g z, q_s),   q = min(q, q_s) of the layer + how much q_s grew on the way
/// and s does not decrease upwards. At the lowest interface it is the air of the layer below.
/// Saturation is over water above 273.16 K and over ice below (Murray 1967, J. Appl. Meteorol. 6, 203):
///     e_s = 610.78 Pa exp(a (T - 273.16 K) / (T - b)),   a, b = 17.269, 35.86 K and 21.875, 7.66 K.
#pragma once

#include "core/constants.hpp"
#include "physics/tiedtke/profile.hpp"

namespace squall::tiedtke_1989 {

using tiedtke::Profile;

inline constexpr real heat_capacity = constants::c_p, gravity = constants::g;
inline constexpr real vaporisation = real(2.5e6), fusion = real(3.5e5); // [J kg-1]
inline constexpr real freezing = real(273.16);                          // [K]

struct Air {
    explicit Air(int layers);

    int nz;
    bool land = false;
    real interval = 0;    ///< that the rates of change are to last [s]
    real vapour_flux = 0; ///< from the surface [kg m-2 s-1]
    bool as_wrf = false;  ///< WRF's limits by numbers of layers, and its loss of energy at the freezing level

    /// In layers.
    Profile temperature, vapour, saturated; ///< [K], [kg kg-1]
    Profile pressure, height, depth, mass;  ///< [Pa], above the ground [m], [m], [kg m-2]
    Profile u, v, lifted;                   ///< [m s-1], mass flux by the grid's own ascent [kg m-2 s-1]
    Profile moistening;                     ///< by all that is not convection [kg kg-1 s-1]

    /// At interfaces, 0 to nz; those of `t`, `q` and `q_s` from 1 to nz - 1.
    Profile p, z, t, q, q_s; ///< z half way between the middles of layers

    int spread_below = 0;   ///< interface below which downdraughts spread out
    int highest_source = 0; ///< layer from which convection aloft may begin, not lower than `lowest_source`
    int lowest_source = 0;  ///< layer
    int humid_below = 0;    ///< interface up to which humidity counts for deep convection
    int middle_clouds_end = 0; ///< interface that clouds from aloft do not pass

    /// From the layers' values but for `saturated`.
    void complete();

    /// Dry static energy of a layer, of an interface [J kg-1].
    real dry(int layer) const { return heat_capacity * temperature[layer] + gravity * height[layer]; }
    real dry_at(int interface) const { return heat_capacity * t[interface] + gravity * z[interface]; }
    /// Growth of air's density with height just around an interface, over it [m-1].
    real density_growth(int interface) const;
    /// Moist static energy of saturated air that is as heavy as the air at an interface (Arakawa and Schubert
    /// 1974, J. Atmos. Sci. 31, 674, equation 141).
    real neutral_energy(int interface) const;

  private:
    void set_interfaces();
    void set_limits();
};

/// Latent heat of what condenses at a temperature [J kg-1].
inline real latent_heat(real temperature) {
    return temperature > freezing ? vaporisation : vaporisation + fusion;
}

/// Specific humidity of saturated air.
real saturation(real temperature, real pressure);

/// Air or a parcel.
struct Moist {
    real t = 0, q = 0;
};

enum class Change { condensation, evaporation, either };

/// Brings air to saturation by a change of phase of this kind, if that does; in two steps of Newton's method.
void saturate(real pressure, Change allowed, Moist &air);

} // namespace squall::tiedtke_1989
