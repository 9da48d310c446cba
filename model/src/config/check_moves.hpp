/// Nests that move: by a plan, or after a storm.
#pragma once

#include "config/checks.hpp"

namespace squall {

/// Makes the plan of a nest of its moves or its track, which also say where it begins; notes what cannot be.
void derive_moves(Reading &r, NestConfig &nest);

/// Notes nests beside one that moves which it would meet.
void check_moving_neighbours(Reading &r);

/// Notes streams of nests that move which are of one part of the ground.
void check_moving_streams(Reading &r);

} // namespace squall
