/// What passes between the layers of one column.
#pragma once

#include "columns/column_air.hpp"
#include "columns/matrices.hpp"

namespace squall::transport {

/// Column i of a row, which is column `lane` of some matrices, over a step.
class Exchange {
  public:
    Exchange(MixingMatrices &matrices, int lane, const ColumnAir &air, int i, double step)
        : matrices_(matrices), lane_(lane), air_(air), i_(i), step_(step) {}

    /// Air that passes from one layer to another [kg m-2 s-1], with the mixing ratios of the first.
    void pass(int from, int to, double flux) {
        matrices_.pass(lane_, from, to, flux * step_ / air_.mass(i_, from));
    }

    const ColumnAir &air() const { return air_; }
    int column() const { return i_; }

  private:
    MixingMatrices &matrices_;
    int lane_;
    const ColumnAir &air_;
    int i_;
    double step_;
};

} // namespace squall::transport
