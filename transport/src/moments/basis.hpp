/// The moments of a tracer's distribution within a cell.
///
/// With xi, eta, zeta from -1 to 1 across the cell and Legendre polynomials P, the mass per volume of the
/// cell is s + sx P1(xi) + sy P1(eta) + sz P1(zeta) + sxx P2(xi) + syy P2(eta) + szz P2(zeta) + sxy xi eta +
/// sxz xi zeta + syz eta zeta: Prather's (1986) functions K and normalisation, in other letters. All are
/// masses [kg]; s is the tracer's mass in the cell.
///
/// Prather, M. J. (1986): Numerical advection by conservation of second-order moments. J. Geophys. Res. 91,
/// 6671-6681. Russell, G. L., and J. A. Lerner (1981): A new finite-differencing scheme for the tracer
/// transport equation. J. Appl. Meteorol. 20, 1483-1498: the first four of them.
#pragma once

#include <array>
#include <cstddef>

namespace squall::transport {

enum class Direction { x, y, z };

/// How many of the moments a scheme has.
enum class Scheme { slopes = 4, second_order = 10 };
constexpr int moments_of(Scheme scheme) { return static_cast<int>(scheme); }

/// Moments in the order of memory: s, x, y, z, xx, yy, zz, xy, xz, yz. Seen from a direction in which
/// something moves, they are: the mean; the moment along it; the two across it; the second one along it; the
/// two mixed ones; and three that only add up.
inline constexpr int mean = 0, along = 1, across_a = 2, across_b = 3, second = 4, mixed_a = 5, mixed_b = 6;
constexpr std::array<int, 10> roles(Direction direction) {
    switch (direction) {
    case Direction::x:
        return {0, 1, 2, 3, 4, 7, 8, 5, 6, 9};
    case Direction::y:
        return {0, 2, 1, 3, 5, 7, 9, 4, 6, 8};
    default:
        return {0, 3, 1, 2, 6, 8, 9, 4, 5, 7};
    }
}

/// The moments of a line of cells, by roles: rows[along][i] is that of the i-th cell.
template <class T> using Rows = std::array<T *, 10>;

/// The same moments of the cells that lie so many farther; a scheme's other roles stay null.
template <class T> Rows<T> shifted(const Rows<T> &rows, std::ptrdiff_t by) {
    Rows<T> result{};
    for (std::size_t m = 0; m < rows.size(); ++m) result[m] = rows[m] ? rows[m] + by : nullptr;
    return result;
}

inline Rows<const double> readable(const Rows<double> &rows) {
    Rows<const double> result{};
    for (std::size_t m = 0; m < rows.size(); ++m) result[m] = rows[m];
    return result;
}

} // namespace squall::transport
