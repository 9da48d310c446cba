/// The part that one box of a source has in a reduction.
#pragma once

#include "reduce/companions.hpp"
#include "reduce/partial.hpp"

namespace squall::io {

/// Of the points as they lie in the program's memory; nothing is copied. One, or several where the box has
/// parts of the blocks of a coarser grid. `room`: memory of sums that are not needed any more, to be used
/// again. Throws Error.
std::vector<Partial> evaluate(const Fold &fold, const Tallies &tallies, const Put &put,
                              const Companions &companions, std::vector<Sum> &room);

} // namespace squall::io
