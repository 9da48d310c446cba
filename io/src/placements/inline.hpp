/// The placement `inline`: the computing ranks write before they go on. Boxes travel to rank 0
/// field by field, so that it holds one whole field at a time and never a frame; it writes.
#pragma once

#include "placement.hpp"

namespace squall::io {

std::unique_ptr<Placement> place_inline(const Layout &layout, MPI_Comm comm);

} // namespace squall::io
