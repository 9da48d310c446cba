/// What is below the air.
#pragma once

#include "core/array.hpp"

namespace squall {

/// Constant in time; halo included. Empty in a run without boundary layer.
struct Ground {
    Ground() = default;
    explicit Ground(Shape s) : temperature(s), wetness(s) {}

    Array2 temperature; ///< of the surface [K]
    Array2 wetness;     ///< evaporation over that of open water: 1 on water, 0 on dry ground
};

} // namespace squall
