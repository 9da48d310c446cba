/// What a scheme of orographic gravity-wave drag is: a function of a batch of columns, known by its name.
/// Adding one is a folder beside this file and a line in schemes.cpp.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "grid/subgrid_orography.hpp"
#include "physics/column.hpp"

namespace squall {

/// A batch of columns at the beginning of a time step, at the middle of layers where nothing else is said,
/// over mountains that the grid does not resolve; and what these do to the air, to be set.
struct OrographicColumns {
    using ByDirection = std::array<const real *, SubgridOrography::directions>;

    int n = 0;            ///< columns, at most columns_at_a_time
    int nz = 0;           ///< layers
    real dt = 0;          ///< [s]
    ConstColumns weight;  ///< hydrostatic pressure, water's weight included, at interfaces [Pa]
    ConstColumns density; ///< of moist air [kg m-3]
    ConstColumns depth;   ///< of layers [m]
    ConstColumns theta;   ///< virtual potential temperature [K]
    ConstColumns exner;   ///< (pressure / p0)^kappa
    ConstColumns u, v;    ///< eastward and northward wind [m s-1]
    const real *spacing;  ///< this and the next four: see SubgridOrography
    const real *deviation, *convexity;
    ByDirection asymmetry, length;

    Columns du, dv;  ///< rate of change of wind [m s-2]
    Columns heating; ///< of potential temperature of dry air [K s-1]
    real *stress_u,  ///< that the ground takes from the wind [N m-2]
        *stress_v;
};

/// One object per thread, as MicrophysicsScheme.
class GravityWaveDragScheme {
  public:
    virtual ~GravityWaveDragScheme() = default;

    /// The stress at the ground is the mass-weighted sum of what the wind loses. Allocates nothing.
    virtual void drag(const OrographicColumns &columns) = 0;
};

struct GravityWaveDragEntry {
    std::string title; ///< one line, with its source
    std::function<std::unique_ptr<GravityWaveDragScheme>(int nz)> make;
};

/// All schemes, by the name that physics.gravity_wave_drag takes.
const std::map<std::string, GravityWaveDragEntry> &gravity_wave_drag_schemes();

/// One of them. Throws std::runtime_error if there is none of this name.
const GravityWaveDragEntry &gravity_wave_drag_scheme(const std::string &name);

} // namespace squall
