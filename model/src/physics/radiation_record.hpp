/// A column of a patch as numbers in a row: what its radiation is a function of, beside what is the same all
/// over the domain. A rank finds the radiation of its own columns from the same numbers that it sends to
/// another.
#pragma once

#include "core/array.hpp"
#include "grid/grid.hpp"
#include "grid/ground.hpp"
#include "grid/physics_state.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"
#include "parallel/decomposition.hpp"

namespace squall {

/// A patch, and what its columns are read from and written to. `p`: perturbation pressure [Pa].
struct RadiatedPatch {
    const Grid &grid;
    const State &state;
    ConstField3 p;
    const Ground &ground;
    PhysicsState &physics;
};

class RadiationRecord {
  public:
    /// Numbers of a column, in the order of the record.
    enum Single {
        x, ///< index in the domain, west-east
        y, ///< south-north
        latitude,
        longitude,   ///< [degrees]
        base_mass,   ///< of the reference state's dry air [Pa]
        mass,        ///< what the column has more than that [Pa]
        skin,        ///< temperature of the ground as land has it now [K]
        emissivity,  ///< of thermal radiation
        albedo,      ///< of sunlight
        wetness,     ///< Ground::wetness
        ground_snow, ///< on land that keeps account of it [kg m-2]
        haze,        ///< optical depth at 550 nm; negative where the ground has none of each column
        covered,     ///< 1 where the boundary layer has found how much clouds cover, else 0
        singles
    };
    /// Profiles, which follow: layers from the ground up.
    enum Profile {
        theta,         ///< less constants::theta0 [K], as the state has it
        pressure,      ///< perturbation [Pa]
        base_pressure, ///< [Pa]
        waters         ///< and numbers of particles, of ScalarSet
    };
    /// Profiles of clouds smaller than the cell (EddyState), after the waters.
    enum Subgrid { cover, cloud_water, cloud_ice, subgrid_profiles };

    /// `subgrid`: the boundary layer has clouds smaller than the cell.
    RadiationRecord(const ScalarSet &scalars, int layers, bool subgrid)
        : waters_(scalars.first_tracer), layers_(layers), subgrid_(subgrid) {}

    int layers() const { return layers_; }
    /// How many numbers.
    std::size_t size() const {
        const int profiles = waters + waters_ + (subgrid_ ? subgrid_profiles : 0);
        return singles + static_cast<std::size_t>(layers_) * static_cast<std::size_t>(profiles);
    }
    /// A profile within a record; `water`: which of them, for Profile::waters.
    const real *profile(const real *record, Profile which, int water = 0) const {
        return record + singles + static_cast<std::ptrdiff_t>(layers_) * (which + water);
    }
    const real *profile(const real *record, Subgrid which) const {
        return profile(record, waters, waters_ + which);
    }

    /// Writes the record of the column (i, j) of a patch.
    void take(const RadiatedPatch &from, const Patch &patch, int i, int j, real *record) const;

  private:
    int waters_, layers_;
    bool subgrid_;
};

} // namespace squall
