/// The part that one box of a source has in a reduction.
#pragma once

#include <optional>
#include <vector>

#include "reduce/companions.hpp"
#include "reduce/partial.hpp"

namespace squall::io {

/// What part of a box comes to.
struct Evaluated {
    Partial partial; ///< without numbers where there are results
    /// Of all points of its box, where these are complete.
    std::optional<std::vector<double>> results = {};
};

/// Of the points as they lie in the program's memory; nothing is copied. One, or several where the box has
/// parts of the blocks of a coarser grid. `fill`: of results; without one none are made. Throws Error.
std::vector<Evaluated> evaluate(const Fold &fold, const Tallies &tallies, const Put &put,
                                const Companions &companions, std::optional<double> fill);

} // namespace squall::io
