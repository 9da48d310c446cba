/// What a cumulus scheme is: a function of a batch of columns, known by its name. Adding one is a folder
/// beside this file and a line in schemes.cpp.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "physics/column.hpp"

namespace squall {

/// A batch of columns at the beginning of a time step, all at the middle of layers, and what convection that
/// the grid does not resolve does in them.
struct ConvectiveColumns {
    int n = 0;                              ///< columns, at most columns_at_a_time
    int nz = 0;                             ///< layers
    real dt = 0;                            ///< [s]
    real interval = 0;                      ///< from call to call [s]
    bool as_wrf = false;                    ///< WRF's forms where the scheme's differ on purpose
    bool has_ice = false, has_snow = false; ///< whether the run carries them
    ConstColumns pressure;                  ///< hydrostatic, with the water's weight [Pa]
    ConstColumns temperature, exner;        ///< [K]; theta over it is 1 / exner
    ConstColumns vapour;                    ///< mixing ratio [kg kg-1]
    ConstColumns density;                   ///< of moist air [kg m-3]
    ConstColumns depth;                     ///< of layers [m]
    ConstColumns u, v;                      ///< [m s-1]
    ConstColumns updraught;                 ///< w, averaged over time [m s-1]
    const real *spacing;                    ///< root of the area of a cell [m]

    /// Set where convection begins or where none goes on: see ConvectionState. `heating` of dry potential
    /// temperature.
    Columns heating, dvapour, dcloud, drain, dice, dsnow;
    /// Of convection that goes on at least dt / 2, which a scheme may leave alone.
    real *remaining;
    real *rate;

    /// For schemes that see the forcing; null else. By all but convection, of dry potential temperature [K
    /// s-1] and vapour [kg kg-1 s-1]; from the surface [W m-2], [kg m-2 s-1]; 1 on land, null: all is sea.
    ConstColumns forced_theta{}, forced_vapour{};
    const real *heat_flux = nullptr, *vapour_flux = nullptr, *land = nullptr;
    /// Of wind, for schemes that move it [m s-2]; null else.
    Columns du{}, dv{};
    /// For schemes that see the forcing: w at interfaces [m s-1], not averaged; geopotential of the ground
    /// [m2 s-2], null: sea level; height of the boundary layer above it [m], null: not known.
    ConstColumns w{};
    const real *ground = nullptr, *boundary_layer = nullptr;
    /// Likewise, of the forcing what turbulence makes; null: none.
    ConstColumns mixed_theta{}, mixed_vapour{};

    /// There is no convection in column i.
    void clear(int i) const;
    /// Nor in any, as long as the scheme does not say so.
    void clear() const;
};

/// One object per thread, as MicrophysicsScheme.
class CumulusScheme {
  public:
    virtual ~CumulusScheme() = default;

    /// Allocates nothing.
    virtual void convect(const ConvectiveColumns &columns) = 0;
};

struct CumulusEntry {
    std::string title; ///< one line, with its source
    std::function<std::unique_ptr<CumulusScheme>(int nz)> make;
    bool sees_forcing = false; ///< what else changes the air, and the surface's fluxes
    bool moves_wind = false;
};

/// All schemes, by the name that physics.cumulus takes.
const std::map<std::string, CumulusEntry> &cumulus_schemes();

/// One of them. Throws std::runtime_error if there is none of this name.
const CumulusEntry &cumulus_scheme(const std::string &name);

} // namespace squall
