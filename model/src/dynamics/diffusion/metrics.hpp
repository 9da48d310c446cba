/// Heights of the coordinate surfaces: layer thickness and slope, from the geopotential.
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "grid/grid_view.hpp"

namespace squall::diffusion {

/// Metric terms of the terrain-following coordinate at one time.
struct Metrics {
    Field3 rdzw; ///< 1 / thickness of a layer, on cells [m-1]
    Field3 rdz;  ///< 1 / distance of the layers above and below, interfaces 1..nz-1 [m-1]
    Field3 zx;   ///< dz/dx along a coordinate surface, on west faces and interfaces
    Field3 zy;   ///< dz/dy, on south faces and interfaces
};

/// Fills the metrics on `cells` (i and j; all of the column) from the full geopotential
/// phb + ph, which must be set one cell further west and south.
void compute_metrics(Range cells, const GridView &grid, ConstField3 ph, const Metrics &m);

} // namespace squall::diffusion
