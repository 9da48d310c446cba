/// The fall of one species in one column.
#pragma once

#include <vector>

#include "physics/wsm6/point.hpp"

namespace squall::wsm6 {

/// Air of a column, from the ground up.
struct ColumnAir {
    std::vector<real> temperature, density, mass, depth; ///< as MoistColumns has them
};

/// Upstream in flux form, each substep as long as the Courant number of the present fall speeds
/// allows: positive, and what leaves the column is what reaches the ground.
class Sedimentation {
  public:
    explicit Sedimentation(int nz);

    /// Lets the rain, snow, graupel or ice `q` [kg kg-1] fall for dt [s]; what reached the ground
    /// [kg m-2].
    real fall(Water species, const ColumnAir &air, Columns q, int i, real dt);

  private:
    real set_speeds(Water species, const ColumnAir &air, Columns q, int i);
    real step(const ColumnAir &air, Columns q, int i, real dt) const;

    int nz_;
    std::vector<real> speed_;
};

} // namespace squall::wsm6
