/// The fall of all that has mass in a batch of columns, and of its number.
#pragma once

#include "physics/morrison/row.hpp"

namespace squall::morrison {

/// Upstream (R98), in so many parts of a step that what is fastest in a column, with the speed that it has at
/// the beginning, falls through no layer in one. What a layer gives arrives below: by the mass of dry air, or
/// as WRF by the density of all air, which does not close the water of a run.
class Sedimentation {
  public:
    explicit Sedimentation(int nz);

    /// `density`: of the air [kg m-3]. Adds what reached the ground to the sums.
    void fall(const MoistColumns &columns, ConstColumns density, const Kind &dense);

  private:
    struct Falling;
    template <class Speeds>
    void set_speeds(const MoistColumns &c, ConstColumns density, int species, Speeds speeds);
    void set_parts(const MoistColumns &c);
    void fall(const MoistColumns &c, ConstColumns density, int speed, Columns q);

    int nz_;
    ColumnStorage storage_, rows_;
    real *parts_, *falling_,
        *ground_; ///< of the step; through a face [kg m-2]; what came to the ground [kg m-2]
};

} // namespace squall::morrison
