/// The fall of rain and of its drops in a batch of columns: upstream, in parts of a step short enough for the
/// fastest.
#pragma once

#include "physics/moist_columns.hpp"

namespace squall::wdm {

/// Amount and number fall with the mean speeds of each, so that large drops arrive first. What leaves a layer
/// is no more than what is there, and arrives below. In WRF's forms more may leave it where speeds grow, and
/// with graupel what arrives is bounded by what is still above.
class RainFall {
  public:
    /// Works in scratch_rows(nz) rows of scratch.
    RainFall(int nz, const Scratch &scratch);
    static int scratch_rows(int nz) { return fields * nz + rows; }

    /// Lets rain fall for dt [s] and adds what reached the ground to its sum.
    void fall(const MoistColumns &columns, real dt);

    /// 1 / the number of parts the fall took, by column.
    const real *part() const { return part_; }

  private:
    int levels_of(const MoistColumns &c) const;
    void set_speeds(const MoistColumns &c, int k);
    int set_parts(const MoistColumns &c, int levels, real dt);
    void fall_through(const MoistColumns &c, int k, int n, int levels, real dt);

    static constexpr int fields = 2, rows = 4;
    Columns speed_, number_speed_; ///< over the depth of layers [s-1]
    real *part_;
    real *parts_;            ///< how many
    real *fallen_, *number_; ///< out of the layer above [kg m-2], [m-2]
};

} // namespace squall::wdm
