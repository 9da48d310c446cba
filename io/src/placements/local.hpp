/// The placements `inline` and `thread`: the computing ranks write, before they go on or beside it.
#pragma once

#include "placements/placement.hpp"

namespace squall::io {

/// Throws Error where MPI does not let a thread communicate beside the model.
std::unique_ptr<Placement> place_here(PlacedStream stream);

/// The computing ranks write what servers no longer can: in a thread if MPI lets them, else whenever they
/// are asked for progress. commit() waits for nobody.
std::unique_ptr<Placement> take_over_here(PlacedStream stream);

} // namespace squall::io
