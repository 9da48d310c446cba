/// The part of geopotential that is in hydrostatic balance with the air of its column and the water in it, by
/// the core's own operators: where ph' has it the vertical momentum equation (dynamics/buoyancy.hpp) has
/// nothing to accelerate, on whatever levels. What passes from one set of levels to another is the rest.
#pragma once

#include <span>
#include <vector>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "grid/grid_view.hpp"
#include "grid/scalars.hpp"
#include "grid/state.hpp"

namespace squall {

/// What weighs in a column.
struct AirInColumns {
    ConstField3 theta;
    ConstField3 vapour; ///< where theta is that of dry air, else without data
    std::span<const Array3> water;
    ConstField2 mu;
};

/// The state must stay where it is.
AirInColumns air_of(const State &state, const ScalarSet &scalars, bool moist_theta);

/// In double precision; threads share the work.
class BalancedPart {
  public:
    /// hypsometric: see DynamicsConfig.
    explicit BalancedPart(int hypsometric);

    /// Adds `times` of it to ph' in `columns`; k is not looked at. The surface's ph' is no part of it.
    void add(const Range &columns, const GridView &grid, const AirInColumns &air, double times, Field3 ph);

  private:
    /// Working storage of a thread, kept.
    struct Layers {
        std::vector<double> water, p; ///< all water, and p' in balance
    };

    int hypsometric_;
    std::vector<Layers> workers_;
};

} // namespace squall
