#include "physics/gravity_wave_drag/orography.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace squall::kim_arakawa {
namespace {

constexpr real tangent = real(0.41421356);   // of 22.5 degrees
constexpr real diagonal = real(1.41421356);  // of a square
constexpr real shortest_length = real(1e-5); // so that low ground, without either, is as wide as long
constexpr real least_aspect = real(0.1), greatest_aspect = 10;

/// Numbers of SubgridOrography.
enum Direction : std::size_t { west, south, south_west, north_west };

/// The one that the wind comes from, or its opposite.
Direction axis_of(real u, real v) {
    if (std::abs(v) <= tangent * std::abs(u)) return west;
    if (std::abs(u) <= tangent * std::abs(v)) return south;
    return (u > 0) == (v > 0) ? south_west : north_west;
}

bool comes_from(Direction axis, real u, real v) { return axis == south ? v > 0 : u > 0; }

Direction right_angle(Direction axis) {
    constexpr Direction to[] = {south, west, north_west, south_west};
    return to[axis];
}

} // namespace

Facing facing(const OrographicColumns &c, int i, real u, real v) {
    const Direction axis = axis_of(u, v);
    Facing f{};
    f.asymmetry = comes_from(axis, u, v) ? c.asymmetry[axis][i] : -c.asymmetry[axis][i];
    f.length = c.length[axis][i];
    f.across = c.length[right_angle(axis)][i];
    f.aspect = std::clamp(std::max(f.across, shortest_length) / std::max(f.length, shortest_length),
                          least_aspect, greatest_aspect);
    f.front = axis == west || axis == south ? real(1) : diagonal;
    return f;
}

real mountains(const Facing &f) { return std::pow(1 + f.length, f.asymmetry + 1); }

} // namespace squall::kim_arakawa
