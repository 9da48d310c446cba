/// From a parent's points to those of a nest.
///
/// The value at a nest's point is what advection would bring there if the field were carried from it to the
/// parent's nearest point: one step of fourth-order (Crowley-type) flux-form advection by `offset`
/// (place.hpp), whose fluxes beyond the upstream ones are limited so that no new extremes arise
/// (Smolarkiewicz and Grell 1992, J. Comput. Phys. 101, 431-440), first west-east, then south-north. It is
/// WRF's default; a parent's point that coincides with a nest's keeps its value.
#pragma once

#include <string>
#include <vector>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "nesting/place.hpp"

namespace squall {

/// Points of the parent that are read on either side of the nearest.
inline constexpr int interpolation_reach = 2;

/// How values between the parent's points are made: as above, along the lines between the four points around,
/// or of the nearest point.
enum class Interpolation { monotone, bilinear, nearest };

/// Of a run file's word; monotone for any other.
Interpolation interpolation_of(const std::string &word);

/// Keeps working storage between calls.
class Interpolator {
  public:
    explicit Interpolator(const NestPlace &place, Interpolation rule = Interpolation::monotone)
        : place_(place), rule_(rule) {}

    /// Sets `nest` on the points of `points`, which are 0-based in the nest as `nest`'s indices are; `parent`
    /// is indexed by the parent's. `kind`: which faces both lie on.
    void set(Points kind, ConstField3 parent, const Range &points, Field3 nest);

  private:
    template <class Rule> void sweep(Points kind, ConstField3 parent, const Range &points, Field3 nest);

    NestPlace place_;
    Interpolation rule_;
    // Rows end with whole vectors.
    std::vector<real> between_; ///< rows of the parent with the points of the nest
    std::vector<int> base_;     ///< PlaceInParent of the points of a row
    std::vector<real> offset_, around_, row_;
};

} // namespace squall
