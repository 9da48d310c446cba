/// The fall of precipitation and ice in a batch of columns.
#pragma once

#include <vector>

#include "physics/microphysics_scheme.hpp"

namespace squall::lin {

/// Upstream, in as many parts of a step as the fastest particles of a column need to fall no farther than
/// nine tenths of the way to the layer below. A layer gives at most what it has, and what it gives arrives.
class Sedimentation {
  public:
    explicit Sedimentation(int nz);

    /// Lets rain, snow, graupel and ice fall for dt [s], and adds what reached the ground to the sums.
    void fall(const MoistColumns &columns, real dt);

  private:
    template <class Speed> void fall(const MoistColumns &c, Columns q, real dt, Speed speed);
    bool next_part(const MoistColumns &c, int levels, real dt);
    void move(const MoistColumns &c, Columns q, int levels);

    int nz_;
    ColumnStorage storage_, rows_;
    Columns speed_;                 ///< [m s-1]
    real *part_, *left_, *falling_; ///< of the step: this part, and what remains [s]; through a face [kg m-2]
    real *longest_;                 ///< that a part may be [s]
    real *ground_;                  ///< [kg m-2]
};

} // namespace squall::lin
