/// Statistics of the mountains within a cell, which the grid does not resolve.
#pragma once

#include <array>
#include <cstddef>

#include "core/array.hpp"

namespace squall {

/// Constant in time; owned columns. Empty in a run without gravity-wave drag. Kim and Arakawa (1995), Kim and
/// Doyle (2005); of the directions that wind comes from: west, south, south-west, north-west.
struct SubgridOrography {
    static constexpr std::size_t directions = 4;

    SubgridOrography() = default;
    explicit SubgridOrography(Shape s) : deviation(s), convexity(s), spacing(s) {
        for (std::size_t n = 0; n < directions; ++n) asymmetry[n] = Array2(s), length[n] = Array2(s);
    }

    Array2 deviation;                         ///< standard deviation of height [m] (VAR)
    Array2 convexity;                         ///< kurtosis of height (CON)
    std::array<Array2, directions> asymmetry; ///< more mountains upstream than downstream: 1 to -1 (OA1-4)
    std::array<Array2, directions> length;    ///< share of the way that is over high ground, 0 to 1 (OL1-4)
    Array2 spacing; ///< root of the area that all this is of [m]: of a nest without a file the parent's
};

} // namespace squall
