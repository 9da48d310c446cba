/// Flux-form advection on the C grid, 2nd to 6th order.
///
/// d(mu q)/dt = -m [ d(U q)/dx + d(V q)/dy ] - d(Omega q)/d eta, with the face values of
/// Wicker and Skamarock (2002), eq. 4: even orders are centred, odd orders add an upwind
/// difference. (Skamarock et al. 2019, section 3.2.3.) Near a boundary without a halo of real
/// points the order falls: second at the first face inside, then third or fourth.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/array.hpp"
#include "core/few.hpp"
#include "core/kernel_memory.hpp"
#include "core/loop.hpp"
#include "core/scratch.hpp"

namespace squall {

/// Weights of a face value between points -1 and 0: the mean q0 = (q(0) + q(-1)) / 2 of these, centred
/// departures s[m - 1] (q(m) + q(-1-m) - 2 q0), and upwind differences d[m] (q(m) - q(-1-m)), which act
/// against the sign of the velocity. What is uniform has the same value at every face to the last bit, of
/// whatever order.
struct Stencil {
    int width = 0; ///< points used on either side; 0: no flux
    real s[2] = {0, 0};
    real d[3] = {0, 0, 0};
    /// For a velocity that points down the axis.
    Stencil reversed() const { return {width, {s[0], s[1]}, {-d[0], -d[1], -d[2]}}; }
};

/// The stencil of an order from 2 to 6; 0 gives no flux.
Stencil stencil_of_order(int order);

/// The flux velocity * q at a face; q(m) is the value at offset m from the point above the face.
template <int Width, class Q> inline real face_flux(real velocity, const Stencil &c, Q q) {
    const real nearest = q(0) + q(-1);
    real centred = real(0.5) * nearest;
    real upwind = c.d[0] * (q(0) - q(-1));
    if constexpr (Width > 1) {
        centred = multiply_add(c.s[0], (q(1) + q(-2)) - nearest, centred);
        upwind = multiply_add(c.d[1], q(1) - q(-2), upwind);
    }
    if constexpr (Width > 2) {
        centred = multiply_add(c.s[1], (q(2) + q(-3)) - nearest, centred);
        upwind = multiply_add(c.d[2], q(2) - q(-3), upwind);
    }
    return multiply_add(velocity, centred, std::abs(velocity) * upwind);
}

/// The points to advect along one axis: [begin, end) in patch-local indices. Where a side is
/// closed (an open or specified boundary), `first` or `last` is the outermost point of the
/// domain: its faces carry no flux along this axis (open_boundary.hpp adds what crosses there).
struct AdvectedPoints {
    int begin = 0, end = 0;
    bool closed_low = false, closed_high = false;
    int first = 0, last = 0;
};

/// How the faces of an axis reconstruct their values; face f lies below point f.
struct AxisStencils {
    struct Edge {
        int face;
        Stencil stencil;
    };
    int begin = 0, end = 0;                 ///< the points
    int crossed_begin = 0, crossed_end = 0; ///< those of them that are not outermost at a closed side
    Stencil inner;                          ///< of the order asked for
    Few<Edge, 6> edges;                     ///< faces with another: at most three near a closed side

    bool crossed(int point) const { return point >= crossed_begin && point < crossed_end; }
    const Stencil &at(int face) const {
        for (const Edge &edge : edges)
            if (edge.face == face) return edge.stencil;
        return inner;
    }
    /// Runs f(i) on those of the points [i0, i1) that are outermost at a closed side.
    template <class F> void for_each_outermost(int i0, int i1, F f) const {
        for (int i = i0; i < std::min(i1, crossed_begin); ++i) f(i);
        for (int i = std::max(i0, crossed_end); i < i1; ++i) f(i);
    }
};

/// Their stencils for an order from 2 to 6.
AxisStencils make_axis_stencils(const AdvectedPoints &points, int order);

/// Calls f.operator()<Width>() for the width of a stencil.
template <class F> inline void for_width(const Stencil &stencil, F f) {
    if (stencil.width == 3)
        f.template operator()<3>();
    else if (stencil.width == 2)
        f.template operator()<2>();
    else
        f.template operator()<1>();
}

/// Hands the fluxes through the faces [i0, i1) that a row of q crosses along itself to store(i, flux),
/// some of them twice: the last time counts.
/// velocity(i) is the mass flux through face i.
template <class V, class Store>
inline void flux_row_x(int i0, int i1, const real *q, V velocity, const AxisStencils &axis, Store store) {
    const auto flux_at = [=]<int Width>(int i, const Stencil &c) {
        store(i, face_flux<Width>(velocity(i), c, [p = q + i](int n) { return p[n]; }));
    };
    for_width(axis.inner, [&]<int Width>() { // also where the order falls, which comes after
        for_each_i_overlapping(i0, i1,
                               [=, c = axis.inner](int i) { flux_at.template operator()<Width>(i, c); });
    });
    for (const AxisStencils::Edge &edge : axis.edges)
        if (edge.face >= i0 && edge.face < i1)
            for_width(edge.stencil,
                      [&]<int Width>() { flux_at.template operator()<Width>(edge.face, edge.stencil); });
}

/// Calls f(flux) with the flux through the face below point i, flux(i), of a row q whose neighbours along the
/// axis are `step` elements apart.
template <class V, class F>
inline void with_flux_across(const real *q, std::ptrdiff_t step, V velocity, const Stencil &c, F f) {
    for_width(c, [&]<int Width>() {
        f([=](int i) {
            return face_flux<Width>(velocity(i), c, [p = q + i, step](int n) { return p[n * step]; });
        });
    });
}

/// The fluxes through the faces below the points [i0, i1), to store(i, flux), some of them twice.
template <class V, class Store>
inline void flux_row_across(int i0, int i1, const real *q, std::ptrdiff_t step, V velocity, const Stencil &c,
                            Store store) {
    with_flux_across(q, step, velocity, c,
                     [=](auto flux) { for_each_i_overlapping(i0, i1, [=](int i) { store(i, flux(i)); }); });
}

/// Stores fluxes in a row.
inline auto store_in(real *flux) {
    return [flux](int i, real value) { flux[i] = value; };
}

/// VerticalStencils as kernels hold them.
struct VerticalStencilView {
    const Stencil *faces;
    ConstProfile above, below;
};

/// Stencils of the vertical faces of n points: entry k is the face below point k, entries 0 and
/// n carry no flux. Second-order faces interpolate with weights above[k] and below[k].
struct VerticalStencils {
    std::vector<Stencil> faces;
    std::vector<real> above, below;
    operator VerticalStencilView() const & { return {faces.data(), above.data(), below.data()}; }
    operator VerticalStencilView() && = delete; // a view of nothing
    VerticalStencilView kept_in(KernelMemory &memory) const {
        return {memory.keep(std::span(std::as_const(faces))), memory.keep(std::span(above)),
                memory.keep(std::span(below))};
    }
};

/// For n points; weights of the second-order faces as given (n + 1 entries each).
VerticalStencils make_vertical_stencils(int n, int order, std::vector<real> above, std::vector<real> below);

/// Calls f(flux) with the flux through face k from below, velocity(k, j)(i) being the mass flux: eta falls
/// with height, so a positive eta velocity points down and the upwind part changes sign.
template <class V, class F>
inline void with_flux_vertical(int k, int j, ConstField3 q, V velocity, const VerticalStencilView &stencils,
                               F f) {
    const Stencil &c = stencils.faces[k];
    if (c.width > 1)
        with_flux_across(q.row(k, j), q.sk, velocity(k, j), c.reversed(), f);
    else if (c.width == 1)
        f([v = velocity(k, j), above = q.row(k, j), below = q.row(k - 1, j), wa = stencils.above[k],
           wb = stencils.below[k]](int i) { return v(i) * multiply_add(wa, above[i], wb * below[i]); });
    else
        f([](int) { return real(0); });
}

/// The fluxes through face k of the points [i0, i1), to store(i, flux), some of them twice.
template <class V, class Store>
inline void flux_row_vertical(int i0, int i1, int k, int j, ConstField3 q, V velocity,
                              const VerticalStencilView &stencils, Store store) {
    with_flux_vertical(k, j, q, velocity, stencils,
                       [=](auto flux) { for_each_i_overlapping(i0, i1, [=](int i) { store(i, flux(i)); }); });
}

/// The mass fluxes that advect something, each as velocity(k, j)(i): through the face below point i, below
/// line j, and below level k.
template <class X, class Y, class Z> struct MassFluxes {
    X x;
    Y y;
    Z z;
};
template <class X, class Y, class Z> MassFluxes(X, Y, Z) -> MassFluxes<X, Y, Z>;

/// The grid that something is advected on.
struct AdvectionGrid {
    const AxisStencils &x, &y;
    VerticalStencilView z;
    ConstField2 metric; ///< map factor of the horizontal divergence
    real rdx, rdy;      ///< [m-1]
    ConstProfile rd_eta;
};

/// Rows of fluxes around the points of one line; those to the north are there as those to the south when
/// the next line comes.
class FluxRows {
  public:
    /// Of `levels`: two rows each of a scratch from `first` on, and the first of it, with index i0 first.
    FluxRows(const Scratch &scratch, int first, int levels, int i0)
        : x(scratch.row(0, i0)), below(scratch.row(1, i0)),
          above(scratch.row(2, i0)), planes_{scratch.row(first, i0), scratch.row(first + levels, i0)},
          width_(scratch.row(1, i0) - scratch.row(0, i0)) {}
    /// Those that cross the southern faces of line j, level k.
    real *south(int k, int j) const { return planes_[j & 1] + width_ * k; }

    static constexpr int shared = 3;
    real *x, *below, *above;

  private:
    real *planes_[2];
    std::ptrdiff_t width_;
};

/// tend = -metric (rdx dF_x + rdy dF_y) - metric_z(j)(i) rd_eta[k] dF_z on the points of one line, levels
/// [k0, k1) with face k1 among the stencils. The lines of a tile come from south to north with the same
/// rows; `first` says that this is the first.
template <class Fluxes, class MetricZ>
inline void advect(Range line, bool first, ConstField3 q, const Fluxes &mass, const AdvectionGrid &g,
                   MetricZ metric_z, FluxRows rows, Field3 tend) {
    const int i0 = line.i0, i1 = line.i1, j = line.j0;
    const auto across_y = [&](int face) { // all levels at once: a short row takes no longer than its set-up
        for_width(g.y.at(face), [&, c = g.y.at(face)]<int Width>() {
            for (int k = line.k0; k < line.k1; ++k)
                for_each_i_overlapping(i0, i1,
                                       [=, q = q.row(k, face), step = q.sj, velocity = mass.y(k, face),
                                        flux = rows.south(k - line.k0, face)](int i) {
                                           flux[i] = face_flux<Width>(velocity(i), c,
                                                                      [=](int n) { return q[i + n * step]; });
                                       });
        });
    };
    if (first) across_y(j);
    across_y(j + 1);
    flux_row_vertical(i0, i1, line.k0, j, q, mass.z, g.z, store_in(rows.below));
    for (int k = line.k0; k < line.k1; ++k) {
        flux_row_x(i0, i1 + 1, q.row(k, j), mass.x(k, j), g.x, store_in(rows.x));
        const real *north = rows.south(k - line.k0, j + 1);
        const real *south = g.y.crossed(j) ? rows.south(k - line.k0, j) : north;
        real *t = tend.row(k, j);
        const auto combine = [=, m = g.metric.row(j), mz = metric_z(j), rdx = g.rdx, rdy = g.rdy,
                              rd = g.rd_eta[k], below = rows.below](int i, real dx, real up) {
            t[i] = -m[i] * (rdx * dx + rdy * (north[i] - south[i])) - mz(i) * rd * (up - below[i]);
        };
        with_flux_vertical(k + 1, j, q, mass.z, g.z, [&](auto upward) {
            for_each_i_overlapping(i0, i1, [=, x = rows.x, above = rows.above](int i) {
                const real up = upward(i);
                above[i] = up;
                combine(i, x[i + 1] - x[i], up);
            });
        });
        g.x.for_each_outermost(i0, i1, [=, above = rows.above](int i) { combine(i, 0, above[i]); });
        std::swap(rows.below, rows.above);
    }
}

/// The metric of a coordinate without map factors.
inline auto unit_metric(int) {
    return [](int) { return real(1); };
}

} // namespace squall
