/// A column as the scheme of Grell and Freitas sees it: its air now, and as it would be after a step without
/// convection.
///
/// Moist static energy h = g z + c_p T + L q, and of saturated air h_s with q_s; saturation over water by
/// Goff and Gratch (1946), over ice below -20 degrees; nowhere q > q_s, h > h_s. What updraughts meet at an
/// interface is the mean of the layers beside it (Grell 1993, Mon. Weather Rev. 121, 764).
#pragma once

#include "core/constants.hpp"
#include "physics/tiedtke/profile.hpp"

namespace squall::grell_freitas {

using tiedtke::Profile;

// As the scheme has them in WRF, but for the model's own c_p where energy becomes heat.
inline constexpr real heat_capacity = 1004, gravity = constants::g;
inline constexpr real vaporisation = real(2.5e6), fusion = real(3.5e5); // [J kg-1]
inline constexpr real vapour_gas = 461;                                 // [J kg-1 K-1]

/// Temperature and vapour of the column, and what follows from them.
struct Sounding {
    explicit Sounding(int layers);

    /// In layers: [K], [kg kg-1], [J kg-1].
    Profile temperature, vapour, energy;

    /// Between layers, of which k is the lower side of layer k; 0: at the ground. `saturated`, the energy of
    /// saturated air; gamma = (L / c_p) dq_s/dT.
    Profile t, q, q_saturated, h, h_saturated, gamma;

    /// From temperature and vapour; heights of layers [m], their pressure [Pa].
    void complete(const Profile &height, const Profile &pressure);

    /// Vapour of saturated air whose energy is more than that around by `more`, at interface k.
    real saturated_with(real more, int k) const {
        return q_saturated[k] + gamma[k] / (1 + gamma[k]) * more / vaporisation;
    }

  private:
    Profile saturated_, saturated_energy_; ///< in layers
    int layers_;
};

struct Air {
    explicit Air(int layers);

    int nz;
    bool land = false, as_wrf = false;
    real spacing = 0;        ///< of cells [m]
    real step = 0;           ///< over which the forcing acts [s]
    real interval = 0;       ///< that the rates of change are to last [s]
    real heat_flux = 0;      ///< from the surface [W m-2]
    real vapour_flux = 0;    ///< likewise [kg m-2 s-1]
    real boundary_layer = 0; ///< its height [m]
    real ground = 0;         ///< height of the ground [m]

    /// In layers.
    Profile pressure, height, depth; ///< [Pa], above the ground [m], [m]
    Profile density;                 ///< of moist air [kg m-3]
    Profile mass;                    ///< that rates refer to: of dry air; in WRF's form of all [kg m-2]
    Profile u, v;                    ///< [m s-1]
    Profile rising;                  ///< mass through the lower side [kg m-2 s-1]

    /// Between layers, as in Sounding: [Pa], [m], [m s-1].
    Profile p, z, east, north;

    Sounding now, forced; ///< the latter by all that is not convection, after `step`

    /// From the layers' values but for `mass` and `height`.
    void complete();

    /// Heights that count from the ground; in WRF's form of the scheme some count from the sea.
    real datum() const { return as_wrf ? ground : real(0); }
};

/// What a parcel near the ground has more than its surroundings.
struct Excess {
    real energy = 0, vapour = 0; ///< [J kg-1], [kg kg-1]
};

/// For the fluxes there (Grell and Freitas 2014, section 2; after Jakob and Siebesma 2003, Mon. Weather Rev.
/// 131, 2765).
Excess excess_of_parcels(const Air &air);

/// Speed of thermals that reach a layer [m s-1].
real speed_of_thermals(const Air &air, int layer);

/// The layer in which the boundary layer ends.
int end_of_boundary_layer(const Air &air);

/// The first interface above a height [m], or the uppermost.
int first_above(const Air &air, real height);

} // namespace squall::grell_freitas
