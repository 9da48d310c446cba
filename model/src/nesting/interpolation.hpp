/// From a parent's points to those of a nest.
///
/// The value at a nest's point is what advection would bring there if the field were carried from it to the
/// parent's nearest point: one step of fourth-order (Crowley-type) flux-form advection by `offset`
/// (place.hpp), whose fluxes beyond the upstream ones are limited so that no new extremes arise
/// (Smolarkiewicz and Grell 1992, J. Comput. Phys. 101, 431-440), first west-east, then south-north. It is
/// WRF's default; a parent's point that coincides with a nest's keeps its value.
#pragma once

#include <vector>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "nesting/place.hpp"

namespace squall {

/// Points of the parent that are read on either side of the nearest.
inline constexpr int interpolation_reach = 2;

/// Working storage, kept between calls.
struct InterpolationScratch {
    std::vector<real> between; ///< rows of the parent with the points of the nest
    std::vector<int> base;     ///< PlaceInParent of the points of a row
    std::vector<real> offset;
};

/// Sets `nest` on the points of `points`, which are 0-based in the nest as `nest`'s indices are; `parent` is
/// indexed by the parent's. `kind`: which faces both lie on.
void interpolate(const NestPlace &place, Stagger kind, ConstField3 parent, const Range &points,
                 InterpolationScratch &scratch, Field3 nest);

} // namespace squall
