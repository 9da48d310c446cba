/// Places on the sphere as unit vectors, which know of no date line and no pole: means of longitudes are of
/// none of both.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

namespace squall {

using EarthVector =
    std::array<double, 3>; ///< to longitude 0 on the equator, to 90 degrees east, to the north pole

/// Unit vectors of a place: away from the Earth's middle, to the east, to the north.
struct PlaceOnEarth {
    EarthVector up, east, north;

    /// Degrees. A pole has an east and a north too, by its longitude.
    PlaceOnEarth(double latitude, double longitude) {
        constexpr double degree = std::numbers::pi / 180;
        const double s = std::sin(latitude * degree), c = std::cos(latitude * degree);
        const double sl = std::sin(longitude * degree), cl = std::cos(longitude * degree);
        up = {c * cl, c * sl, s}, east = {-sl, cl, 0}, north = {-s * cl, -s * sl, c};
    }
};

inline double dot(const EarthVector &a, const EarthVector &b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline EarthVector sum_of(double p, const EarthVector &a, double q, const EarthVector &b) {
    return {p * a[0] + q * b[0], p * a[1] + q * b[1], p * a[2] + q * b[2]};
}

/// Where a vector of any length points to [degrees]: latitude, longitude from -180 to 180.
inline std::array<double, 2> place_of(const EarthVector &v) {
    constexpr double radian = 180 / std::numbers::pi;
    return {std::atan2(v[2], std::hypot(v[0], v[1])) * radian, std::atan2(v[1], v[0]) * radian};
}

} // namespace squall
