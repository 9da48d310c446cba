/// Wind turbines of a patch: drag on the wind and turbulence behind their rotors (Fitch et al. 2012, MWR 140,
/// 3017-3038; WRF's windfarm_opt = 1).
#pragma once

#include <vector>

#include "core/array.hpp"
#include "grid/grid.hpp"
#include "parallel/decomposition.hpp"
#include "physics/boundary_layer_scheme.hpp"
#include "physics/wind_farm/turbine.hpp"

namespace squall {

/// Of the wind's power through its rotor a turbine takes the share C_T, by the wind at its hub. C_P of it is
/// electricity; of the rest the part `tke_factor` is turbulence (Archer et al. 2020, MWR 148, 4823-4835),
/// what remains is heat, which is too little to count. Layers give as V^3 times the rotor's area in them,
/// scaled so that the power is that at the hub (Jimenez et al. 2015, Wind Energy 18, 559-566).
class WindFarm {
  public:
    /// Of `turbines`, those of the patch. `tke_factor`: 0 to 1.
    WindFarm(std::vector<TurbineType> types, const std::vector<StandingTurbine> &turbines, double tke_factor,
             const Patch &patch, const Grid &grid);

    /// Adds to the increments of wind and turbulence of columns from (i0, j) on, cells of the patch, and sets
    /// their power [W].
    void act(const TurbulentColumns &columns, int i0, int j, Field2 power) const;

  private:
    struct Turbine {
        int i, j; ///< cell of the patch
        int type;
        real cell; ///< area of the cell [m2]
    };
    void act(const TurbulentColumns &c, int i, const Turbine &turbine, real &power) const;

    std::vector<TurbineType> types_;
    std::vector<Turbine> turbines_; ///< of the patch, row by row, in the table's order in a cell
    real grid_cell_;                ///< area of a cell where the map does not distort, which WRF takes [m2]
    real tke_factor_;
};

} // namespace squall
