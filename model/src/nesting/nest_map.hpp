/// The map of a nest that has no file of its own: where its points are on Earth, how its grid lies there, map
/// factors and the Earth's rotation, of what its parent has.
///
/// Places and directions are interpolated as vectors, so that a nest may lie across the date line or a pole,
/// and always by the smoothest rule, whatever the run file says of the weather.
#pragma once

#include "grid/grid.hpp"
#include "nesting/parent_window.hpp"
#include "nesting/place.hpp"
#include "parallel/decomposition.hpp"

namespace squall {

/// Sets them in `nest`; `patch`: this rank's of the nest. Local.
void lay_map(const ParentWindow &window, const NestPlace &place, const Patch &patch, Grid &nest);

} // namespace squall
