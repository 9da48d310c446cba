/// Arithmetic on boxes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "squall/io.hpp"

namespace squall::io {

/// Number of points; 1 for a scalar.
std::int64_t volume(const Box &box);

/// Elements from one index to the next in contiguous memory of these counts.
Strides contiguous(const std::vector<std::int64_t> &count);

/// The index of the point `at` among the contiguous points of a box.
std::ptrdiff_t offset_in(const Box &box, const std::vector<std::int64_t> &at);

/// What is wrong with a box of a field of this shape (wrong number of dimensions, outside), or "".
std::string misfit(const Box &box, const std::vector<std::int64_t> &shape);

/// Whether the boxes tile the shape: every point in exactly one. If not, says which point is in
/// none or in two. Boxes must fit the shape.
std::string tiling_fault(const std::vector<Box> &boxes, const std::vector<std::int64_t> &shape);
/// The same for a part of a shape; boxes must lie in it.
std::string tiling_fault_in(const Box &whole, const std::vector<Box> &boxes);

/// The same, but points may be in several.
std::string covering_fault(const std::vector<Box> &boxes, const std::vector<std::int64_t> &shape);

/// Whether two boxes have points in common.
bool overlap(const Box &a, const Box &b);

/// The common part of two boxes; an empty count where there is none.
Box intersection(const Box &a, const Box &b);

/// The boxes that make up `whole` without `hole`, which lies in it.
std::vector<Box> around(const Box &whole, const Box &hole);
/// What is left of boxes without the points of one.
std::vector<Box> without(const std::vector<Box> &boxes, const Box &points);

/// All of a shape.
Box whole_of(const std::vector<std::int64_t> &shape);

/// "[0:40, 3:5]", half-open.
std::string text(const Box &box);

} // namespace squall::io
