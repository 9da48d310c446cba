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

    int n = 0;                     ///< columns, at most columns_at_a_time
    int nz = 0;                    ///< layers
    real dt = 0;                   ///< [s]
    ConstColumns weight{};         ///< hydrostatic pressure, water's weight included, at interfaces [Pa]
    ConstColumns density{};        ///< of moist air [kg m-3]
    ConstColumns depth{};          ///< of layers [m]
    ConstColumns theta{};          ///< virtual potential temperature [K]
    ConstColumns exner{};          ///< (pressure / p0)^kappa
    ConstColumns u{}, v{};         ///< eastward and northward wind [m s-1]
    const real *spacing = nullptr; ///< this and the next four: see SubgridOrography
    const real *deviation = nullptr, *convexity = nullptr;
    ByDirection asymmetry{}, length{};

    Columns du, dv;           ///< rate of change of wind [m s-2]
    Columns heating;          ///< of potential temperature of dry air [K s-1]
    real *stress_u = nullptr, ///< that the ground takes from the wind [N m-2]
        *stress_v = nullptr;
};

/// What a storage holds of the air of a batch, in the order of OrographicColumns.
enum class OrographicAir { weight, density, depth, theta, exner, u, v, fields };

/// Shows the columns the air that a storage holds.
inline void take_air(OrographicColumns &columns, ColumnStorage &storage) {
    const auto field = [&](OrographicAir f) { return storage.field(static_cast<int>(f)); };
    columns.weight = field(OrographicAir::weight), columns.density = field(OrographicAir::density);
    columns.depth = field(OrographicAir::depth), columns.theta = field(OrographicAir::theta);
    columns.exner = field(OrographicAir::exner);
    columns.u = field(OrographicAir::u), columns.v = field(OrographicAir::v);
}

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
