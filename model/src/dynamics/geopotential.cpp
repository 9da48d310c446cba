#include "dynamics/geopotential.hpp"

#include <algorithm>

namespace squall {

DerivativeSegments make_derivative_segments(const AdvectedPoints &cells, int order, bool leaves_out_fourth) {
    const int full = order <= 2 ? 2 : order <= 4 ? 4 : 6;
    DerivativeSegments segments;
    for (int c = cells.begin; c < cells.end; ++c) {
        int here = full;
        if (cells.closed_low) here = std::min(here, 2 * (c - cells.first));
        if (cells.closed_high) here = std::min(here, 2 * (cells.last - c));
        if (here == 0) continue;
        if (segments.empty() || segments.back().order != here || segments.back().end != c)
            segments.push_back({c, c + 1, here, leaves_out_fourth && here < full && here == 4});
        segments.back().end = c + 1;
    }
    return segments;
}

} // namespace squall
