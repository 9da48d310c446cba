/// From layers to the interfaces between them.
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "grid/grid_view.hpp"

namespace squall::diffusion {

/// A quantity on layers at the interfaces below and above one of them: weights of three layers.
struct AroundLayer {
    int first; ///< of the three
    real below[3], above[3];
};

/// Interpolated between layers; 0 at the surface and the top, as a flux is.
inline AroundLayer closed_around_layer(const GridView &g, int k) {
    const int top = g.nz - 1;
    if (k == 0) return {0, {0, 0, 0}, {g.fnp[1], g.fnm[1], 0}};
    if (k == top) return {top - 2, {0, g.fnp[top], g.fnm[top]}, {0, 0, 0}};
    return {k - 1, {g.fnp[k], g.fnm[k], 0}, {0, g.fnp[k + 1], g.fnm[k + 1]}};
}

/// The same, extrapolated to the surface and the top.
inline AroundLayer extrapolated_around_layer(const GridView &g, int k) {
    const int top = g.nz - 1;
    if (k == 0) return {0, {g.cf1, g.cf2, g.cf3}, {g.fnp[1], g.fnm[1], 0}};
    if (k == top) return {top - 2, {0, g.fnp[top], g.fnm[top]}, {0, g.cfn1, g.cfn}};
    return closed_around_layer(g, k);
}

/// Callable (q0, q1, q2): the value at the interface above less that at the one below.
inline auto difference_over(const AroundLayer &w) {
    return [b0 = w.below[0], b1 = w.below[1], b2 = w.below[2], a0 = w.above[0], a1 = w.above[1],
            a2 = w.above[2]](real q0, real q1, real q2) {
        return (a0 * q0 + a1 * q1 + a2 * q2) - (b0 * q0 + b1 * q1 + b2 * q2);
    };
}

/// use(i, k, j, difference) on the layers k of `columns`, with the difference between the flux
/// through the interface above and the one below; flux(i, k, j) for the inner interfaces 1..nz-1,
/// none through the surface and the top.
template <class Flux, class Use>
inline void with_flux_differences(Range columns, const GridView &grid, Flux flux, Use use) {
    const int top = grid.nz - 1;
    for_each(columns.with_k(0, 1), [=](int i, int k, int j) { use(i, k, j, flux(i, k + 1, j)); });
    for_each(columns.with_k(1, top),
             [=](int i, int k, int j) { use(i, k, j, flux(i, k + 1, j) - flux(i, k, j)); });
    for_each(columns.with_k(top, top + 1), [=](int i, int k, int j) { use(i, k, j, -flux(i, k, j)); });
}

} // namespace squall::diffusion
