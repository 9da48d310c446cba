/// Tracers and air of a patch at the start, their exact solutions, and what is known of them.
#pragma once

#include <string>
#include <vector>

#include "core/exact_sum.hpp"
#include "moments/advection.hpp"
#include "tracers/shapes.hpp"
#include "winds/fluxes.hpp"

namespace squall::transport {

/// Sets the air of all cells.
void set_air(Block &block, const PatchOfGlobe &where);

/// Sets the moments of a tracer by Gauss's formula with three points in each direction.
void set_tracer(Block &block, const PatchOfGlobe &where, Scheme scheme, int tracer, const NamedShape &shape,
                double scale);

/// Mixing ratios after some time where the flow has carried the tracer, the mean of each cell (j, k, i; i
/// fastest). Empty: that has no formula at this time.
std::vector<double> exact_solution(const PatchOfGlobe &where, const Flow &flow, const NamedShape &shape,
                                   double time);

/// One step of the terminator's chemistry: rates by the means of cells, for all moments alike.
void react_terminator(Block &block, const PatchOfGlobe &where, Scheme scheme, int atoms, int molecules,
                      double step);

/// Mass of a field of the block [kg] on the globe, the same to the bit on any ranks. Collective.
double total_mass(const Block &block, int field, MPI_Comm comm);

/// The first cell whose air or tracer is not a number, or whose air is not positive: "tracer \"q\" in cell
/// (3, 0, 5)"; "" where there is none. `names`: of the tracers.
std::string find_fault(const Block &block, const Patch &patch, Scheme scheme,
                       const std::vector<std::string> &names);

} // namespace squall::transport
