/// Transport at the outermost points of an open (radiating) boundary.
///
/// The wind normal to the boundary leaves with the speed of the wind plus that of a gravity wave,
/// c* = 25 m/s (Klemp and Wilhelmson 1978; Skamarock et al. 2019, section 6.2): the pressure
/// gradient does not act on it. Everything else is carried out upstream and not brought in.
#pragma once

#include <algorithm>

#include "core/axis.hpp"
#include "dynamics/advection.hpp"
#include "dynamics/pressure_gradient.hpp"
#include "grid/grid_view.hpp"

namespace squall {

/// Phase speed of outgoing gravity waves [m s-1].
inline constexpr real radiation_speed = 25;

/// One open side: the points beside it, and where their neighbours inside lie.
struct OpenSide {
    Axis axis;      ///< x: west or east
    bool low;       ///< west or south
    int cell, face; ///< outermost cell, outermost normal face (patch-local)
    /// Whether the normal wind on that face is carried up and down too, as at some sides of WRF's.
    bool lifts = false;
    bool is_x() const { return axis == Axis::x; }
    int inward() const { return low ? 1 : -1; }
};

using OpenSides = Few<OpenSide, 4>;

/// The part of `range` on the line `at` along a side; empty where another tile owns that line.
inline Range along_side(Range range, const OpenSide &side, int at) {
    return side.is_x() ? range.with_i(std::max(range.i0, at), std::min(range.i1, at + 1))
                       : range.with_j(std::max(range.j0, at), std::min(range.j1, at + 1));
}

/// tend(normal face) = -rd min(U - c* mu, 0) (U_inner - U) at a low side, and its mirror at a high
/// one, on the boundary face itself. `range` gives the extent along the side and in k.
inline void radiate_normal_wind(Range range, const GridView &g, const OpenSide &side, real rd,
                                ConstField3 wind, ConstField3 flux, ConstField2 mu, Field3 tend) {
    const std::ptrdiff_t inner = side.inward() * (side.is_x() ? 1 : wind.sj);
    const int sign = side.low ? -1 : 1;
    const Range face = along_side(range, side, side.face);
    // The cell just inside the face has the face's index at a low side, one less at a high side.
    const int ci = side.is_x() && !side.low ? -1 : 0, cj = !side.is_x() && !side.low ? -1 : 0;
    for_each(face, [=](int i, int k, int j) {
        const real mass = g.c1h[k] * (g.mub(i + ci, j + cj) + mu(i + ci, j + cj)) + g.c2h[k];
        const real speed = flux(i, k, j) + sign * radiation_speed * mass;
        const real outward = side.low ? std::min(speed, real(0)) : std::max(speed, real(0));
        const real *q = &wind(i, k, j);
        tend(i, k, j) = -rd * outward * sign * (q[0] - q[inner]);
    });
}

/// Adds to tend(normal face) of a side that lifts what the vertical flux of the cell inside carries up and
/// down. `rows` as in advect; the range gives the extent along the side and in k.
inline void lift_normal_wind(Range range, const GridView &g, const OpenSide &side, ConstField3 wind,
                             ConstField3 omega, const VerticalStencilView &stencils, FluxRows rows,
                             Field3 tend) {
    const Range face = along_side(range, side, side.face);
    if (face.empty()) return;
    const auto inside = [=, ci = side.low ? 0 : -1](int k, int j) {
        return [o = omega.row(k, j) + ci](int i) { return o[i]; };
    };
    for (int j = face.j0; j < face.j1; ++j) {
        flux_row_vertical(face.i0, face.i1, face.k0, j, wind, inside, stencils, store_in(rows.below));
        for (int k = face.k0; k < face.k1; ++k) {
            flux_row_vertical(face.i0, face.i1, k + 1, j, wind, inside, stencils, store_in(rows.above));
            for (int i = face.i0; i < face.i1; ++i)
                tend(i, k, j) -= g.rdnw[k] * (rows.above[i] - rows.below[i]);
            std::swap(rows.below, rows.above);
        }
    }
}

/// Adds to tend, on the outermost points of a side, the transport across it of a quantity q that
/// is not the normal wind: upstream outflow and the divergence of the normal flux. tend must hold
/// the transport along the side already. velocity(k, j)(i) is the flux through the face below the
/// point; on_face: take the outflow speed at the boundary face itself (tangential wind) rather
/// than at the point. q_out: the values whose upstream difference leaves, for scalars those at the
/// beginning of the step.
template <class V>
inline void carry_out(Range range, const OpenSide &side, bool on_face, ConstField3 q, ConstField3 q_out,
                      V velocity, ConstField2 metric, real rd, Field3 tend) {
    const int di = side.is_x(), dj = !side.is_x();
    const std::ptrdiff_t inner = side.inward() * (side.is_x() ? 1 : q.sj);
    const int sign = side.low ? -1 : 1;
    const Range rim = along_side(range, side, side.cell);
    for_each(rim, [=](int i, int k, int j) {
        const real below = velocity(k, j)(i), above = velocity(k, j + dj)(i + di);
        const real speed = on_face ? (side.low ? below : above) : real(0.5) * (below + above);
        const real outward = side.low ? std::min(speed, real(0)) : std::max(speed, real(0));
        const real *c = &q_out(i, k, j);
        tend(i, k, j) -=
            metric(i, j) * rd * (outward * sign * (c[0] - c[inner]) + q(i, k, j) * (above - below));
    });
}

/// Adds to the tendency of geopotential, on interfaces 1 to nz of the outermost cells of a side, what
/// the wind carries out: mu_d m / m_y times the outward wind times the upstream difference of phi'.
inline void carry_geopotential_out(Range range, const GridView &g, const OpenSide &side, real rd,
                                   ConstField3 wind, ConstField3 ph, ConstField2 mu, Field3 tend) {
    const int di = side.is_x(), dj = !side.is_x(), sign = side.low ? -1 : 1;
    const std::ptrdiff_t inner = side.inward() * (side.is_x() ? 1 : ph.sj);
    for_each(along_side(range, side, side.cell), [=](int i, int k, int j) {
        const int upper = std::min(k, g.nz - 1);
        const real speed =
            real(0.5) * (g.fnm[upper] * (wind(i + di, upper, j + dj) + wind(i, upper, j)) +
                         g.fnp[upper] * (wind(i + di, upper - 1, j + dj) + wind(i, upper - 1, j)));
        const real outward = side.low ? std::min(speed, real(0)) : std::max(speed, real(0));
        const real metric = side.is_x() ? g.msftx(i, j) / g.msfty(i, j) : real(1);
        const real mass = g.c1f[k] * (g.mub(i, j) + mu(i, j)) + g.c2f[k];
        const real *q = &ph(i, k, j);
        tend(i, k, j) -= metric * rd * mass * outward * sign * (q[0] - q[inner]);
    });
}

} // namespace squall
