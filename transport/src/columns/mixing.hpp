/// Convection and the boundary layer as one mixing of each column.
#pragma once

#include <string>
#include <vector>

#include "columns/boundary_layer.hpp"
#include "columns/matrices.hpp"
#include "moments/advection.hpp"

namespace squall::transport {

/// [mixing]
struct MixingSettings {
    std::string convection = "none", boundary_layer = "none";

    bool any() const { return convection != "none" || boundary_layer != "none"; }
};

/// Mixes all tracers of row j over a step by one matrix for each column, of convection (draughts that the
/// weather has, or those that are found) and of the boundary layer.
///
/// Moments without a vertical part (s, x, y, xx, yy, xy) are masses that air carries along, as the tracer's
/// is: the matrix mixes them all. Air that left its layer comes to another one mixed over the layer's height,
/// so that of vertical moments (z, zz, xz, yz) the share stays that never left. Both keep a distribution that
/// is not negative so. `block` has the air's mass, which stays, as field 0. `eddies`: null where the boundary
/// layer does not mix. Each column is by itself.
class Mixing {
  public:
    Mixing(const MixingSettings &settings, Scheme scheme, int tracers);

    void apply(Block &block, const ColumnAir &air, const Weather &weather, const BoundaryLayer *eddies, int j,
               double step) const;

  private:
    void collect(MixingMatrices &matrices, const ColumnAir &air, const Weather &weather,
                 const BoundaryLayer *eddies, int i0, int j, double step) const;
    struct Buffers;
    void carry(const MixingMatrices &matrices, Block &block, int i0, int j, Buffers &buffers) const;
    void flatten(const MixingMatrices &matrices, Block &block, int i0, int j) const;

    MixingSettings settings_;
    std::vector<int> carried_, flattened_; ///< fields of the block: moments without a vertical part, and with
};

} // namespace squall::transport
