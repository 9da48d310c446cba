/// Tracers that are limited together.
///
/// The limiter is not linear: where it takes another share of the slopes of one tracer than of those of a
/// second one, their sum is not carried as a tracer would be. Members of a family lose the same share of
/// their moments along the sweep, the largest that one of them has to, so that linear relations between them
/// stay.
#pragma once

#include <vector>

#include "globe/block.hpp"
#include "moments/basis.hpp"

namespace squall::transport {

/// Numbers of tracers, of each family.
using Families = std::vector<std::vector<int>>;

/// Makes the moments along a direction such that no part of a cell has negative mass of any member.
void limit_together(Block &block, Scheme scheme, Direction direction, const Families &families);

} // namespace squall::transport
