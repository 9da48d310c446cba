/// The up- and downdraught of one column: Kain and Fritsch (1990, J. Atmos. Sci. 47, 2784), Kain (2004, J.
/// Appl. Meteorol. 43, 170).
#pragma once

#include <cstddef>
#include <vector>

#include "physics/kain_fritsch/parcel.hpp"

namespace squall::kain_fritsch {

using Profile = std::vector<real>; // on layers, from the ground up

inline std::size_t at(int k) { return static_cast<std::size_t>(k); }

/// The air around.
struct Sounding {
    explicit Sounding(int layers);

    int nz;
    real area = 0;                                                  ///< of the cell [m2]
    real spacing = 0;                                               ///< [m]
    Profile pressure, temperature, vapour, u, v, updraught, height; ///< height above the ground [m]
    Profile dp;                                                     ///< weight of layers [Pa]
    Profile saturated;                                              ///< vapour of saturated air [kg kg-1]
    Profile mass;                         ///< of dry air, so that water is closed; WRF's is of moist air [kg]
    Profile density_temperature, theta_e; ///< [K]

    /// Vapour as the scheme sees it, and what follows from the rest.
    void complete();
};

/// Mass fluxes and rates in kg s-1.
struct Updraught {
    explicit Updraught(int layers);

    // Layers: the first and the last of the source, the first above the condensation level, the uppermost
    // that is warmer than the air, and the uppermost that it reaches.
    int first = 0, last = 0, base = 0, balance = 0, top = 0;
    bool shallow = false;
    real source_depth = 0;                                      ///< [Pa]
    real temperature = 0, vapour = 0, height = 0, pressure = 0; ///< of the source, mixed
    real lcl_temperature = 0, lcl_height = 0;                   ///< [K], [m]
    real lifting = 0;                                           ///< w that forces it [m s-1]
    real speed = 0;                                             ///< at its base [m s-1]
    real base_flux = 0;
    real cape = 0;          ///< with entrainment and load [J kg-1]
    real precipitation = 0; ///< all that it makes
    real cloud_depth = 0;   ///< [m]; 0: there is none

    Profile t, q, liquid, ice;          ///< within, after mixing
    Profile q_detrained;                ///< vapour before mixing
    Profile flux, entrained, detrained; ///< up through the top of layers
    Profile detrained_liquid, detrained_ice;
    Profile liquid_out, ice_out; ///< that falls out, over flux
    Profile rain, snow;          ///< that falls out
    Profile dilution;            ///< flux with what was entrained over that without

    void clear();
};

/// Mixes a source of 50 hPa from layer `first` on and lifts it; false where the air is not deep enough.
bool find_source(const Sounding &air, int first, Updraught &up);

/// Whether the source, warmed by what the resolved updraught forces, is buoyant at its condensation level:
/// equations 1 to 3 of Kain (2004). Sets the speed that it begins with.
bool triggers(const Sounding &air, Updraught &up);

/// Lets it rise and entrain, as far as it has speed.
void rise(const Sounding &air, Updraught &up);

/// Lets the flux fall to zero between where it is no longer warmer and its top.
void finish_top(const Sounding &air, Updraught &up);

struct Downdraught {
    explicit Downdraught(int layers);

    int start = 0, base = 0;            ///< layers, from the uppermost down
    real evaporation = 0;               ///< of precipitation [kg s-1]
    Profile flux, entrained, detrained; ///< down: negative, likewise entrained
    Profile theta, q;

    void clear();
};

/// Air that precipitation cools, from 150 hPa above the source; what it takes of the updraught's
/// precipitation. `efficiency`: share of the precipitation that reaches the ground by wind shear and the
/// height of the base.
void sink(const Sounding &air, const Updraught &up, real efficiency, Downdraught &down);

} // namespace squall::kain_fritsch
