/// Values of a column where a coordinate has a given value.
#pragma once

#include <algorithm>

#include "core/real.hpp"
#include "diagnostics/derived_field.hpp"

namespace squall {

/// f(k) where x(k), which falls with k on the whole, is `target`: linear between layers, `missing` outside
/// them; where x passes it more than once, at the highest passage. At least two layers.
template <class X, class F> real where_falling(int nz, X x, F f, real target) {
    int below = 0;
    for (int k = 1; k < nz - 1; ++k)
        if (x(k) > target) below = k;
    const real x0 = x(below), x1 = x(below + 1);
    if (!(target <= x0 && target >= x1)) return missing;
    const real h = x1 - x0;
    const real share = (target - x0) / (h == 0 ? 1 : h);
    const real f0 = f(below), f1 = f(below + 1);
    return f0 + share * (f1 - f0);
}

/// f(k) at a height above the ground [m].
template <class F> real at_height_above_ground(const SeenAir &air, int i, int j, real height, F f) {
    return where_falling(
        air.grid.nz, [&](int k) { return -air.height_above_ground(i, k, j); }, f, -height);
}

} // namespace squall
