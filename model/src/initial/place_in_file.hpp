/// Where a point on Earth lies in the domain of a wrfinput file.
#pragma once

#include <array>
#include <string>

namespace squall {

/// Cells from the western and from the southern side of the domain to a point of latitude and longitude
/// [degrees]: 0.5, 0.5 is the middle of the first cell. Between middles of cells it is found by the way
/// latitude and longitude change there. Throws std::runtime_error: a file without XLAT and XLONG, or a point
/// that lies outside of its domain.
std::array<double, 2> place_in_file(const std::string &file, double latitude, double longitude);

} // namespace squall
