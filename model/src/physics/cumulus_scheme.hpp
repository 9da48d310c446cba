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
    real *remaining; ///< of convection that goes on at least dt / 2: such columns are left alone
    real *rate;
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
};

/// All schemes, by the name that physics.cumulus takes.
const std::map<std::string, CumulusEntry> &cumulus_schemes();

/// One of them. Throws std::runtime_error if there is none of this name.
const CumulusEntry &cumulus_scheme(const std::string &name);

} // namespace squall
