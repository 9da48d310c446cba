/// What a boundary layer scheme is: a function of a batch of columns over a surface, known by its
/// name. Adding one is a folder beside this file and a line in schemes.cpp.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "physics/surface_columns.hpp"

namespace squall {

/// What a scheme of EddyState carries in its columns, to be read and set; null origins else.
struct EddyColumns {
    Columns variance{}, length{}, cover{}, cloud_water{}, cloud_ice{};
};

/// A batch of columns at the beginning of a time step and, to be set, what surface and turbulence
/// change in it. All at the middle of layers, winds too.
struct TurbulentColumns {
    int n = 0;                       ///< columns, at most columns_at_a_time
    int nz = 0;                      ///< layers
    real dt = 0;                     ///< [s]
    ConstColumns pressure;           ///< [Pa]
    ConstColumns density;            ///< of dry air [kg m-3]
    ConstColumns depth;              ///< of layers [m]
    ConstColumns u, v;               ///< wind [m s-1]
    ConstColumns theta;              ///< potential temperature [K]
    ConstColumns vapour;             ///< [kg kg-1]; a null origin in dry air
    const real *surface_temperature; ///< [K]
    const real *wetness;             ///< evaporation over that of open water, 0 to 1
    Columns du, dv, dtheta, dvapour; ///< increments over dt; dvapour as vapour
    bool as_wrf = false;             ///< WRF's forms where the scheme's differ on purpose

    /// For schemes that want a surface layer; null origins else.
    const SurfaceColumns *surface = nullptr; ///< its fluxes, which the scheme takes as they are
    ConstColumns exner{};                    ///< (pressure / p0)^kappa
    ConstColumns weight{};            ///< hydrostatic pressure, water's weight included, at interfaces [Pa]
    ConstColumns cloud{}, ice{};      ///< [kg kg-1]; null where the run has none
    Columns dcloud{}, dice{};         ///< their increments
    ConstColumns radiative_heating{}; ///< of theta [K s-1]; null without radiation
    real *height = nullptr;           ///< of the boundary layer above the ground, to be set [m]
    const real *terrain_drag = nullptr, *shelter = nullptr; ///< see TerrainWind; null in a run without

    /// For schemes that predict or keep their turbulence; null origins else.
    ConstColumns qke{}; ///< twice its kinetic energy [m2 s-2]
    Columns dqke{};     ///< its increment

    /// For schemes with plumes; null origins else.
    ConstColumns w{};          ///< at the interface below layer k [m s-1]
    ConstColumns snow{};       ///< [kg kg-1]; null where the run has none
    ConstColumns ice_number{}; ///< [kg-1]; likewise
    Columns dice_number{};     ///< its increment
    EddyColumns eddies{};
    bool balanced_variance = false; ///< physics.eddy_variance
    bool plume_turbulence = false;  ///< physics.plume_turbulence
};

/// One object per thread, as MicrophysicsScheme.
class BoundaryLayerScheme {
  public:
    virtual ~BoundaryLayerScheme() = default;

    /// Sets the increments. Allocates nothing.
    virtual void mix(const TurbulentColumns &columns) = 0;
};

struct BoundaryLayerEntry {
    std::string title; ///< one line, with its source
    std::function<std::unique_ptr<BoundaryLayerScheme>(int nz)> make;
    bool on_surface_layer =
        false; ///< it mixes what a surface layer scheme lets through; others have their own fluxes
    bool predicts_turbulence = false; ///< whose energy the air carries as the scalar QKE
    bool keeps_turbulence = false;    ///< whose energy stays in its column, SurfaceState::turbulence
    bool at_interfaces = false;       ///< that energy is of the interface below layer k, not of the layer
    bool keeps_eddies = false;        ///< it has plumes, and clouds that radiation sees: SurfaceState::eddies
};

/// All schemes, by the name that physics.boundary_layer takes.
const std::map<std::string, BoundaryLayerEntry> &boundary_layer_schemes();

/// One of them. Throws std::runtime_error if there is none of this name.
const BoundaryLayerEntry &boundary_layer_scheme(const std::string &name);

} // namespace squall
