/// From layers to the interfaces between them.
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "dynamics/grid_view.hpp"

namespace squall::diffusion {

/// out(k) = layer value interpolated to interface k, for the inner interfaces 1..nz-1.
/// `layer` is a callable (i, k, j) -> real.
template <class Layer>
inline void interpolate_to_interfaces(Range columns, const GridView &grid, Layer layer, Field3 out) {
    const ConstProfile fnm = grid.fnm, fnp = grid.fnp;
    for_each(columns.with_k(1, grid.nz), [=](int i, int k, int j) {
        out(i, k, j) = fnm[k] * layer(i, k, j) + fnp[k] * layer(i, k - 1, j);
    });
}

/// The same on all interfaces 0..nz; the surface and the top are extrapolated.
template <class Layer>
inline void extrapolate_to_interfaces(Range columns, const GridView &grid, Layer layer, Field3 out) {
    const int nz = grid.nz;
    const real cf1 = grid.cf1, cf2 = grid.cf2, cf3 = grid.cf3, cfn = grid.cfn, cfn1 = grid.cfn1;
    interpolate_to_interfaces(columns, grid, layer, out);
    for_each_column(columns, [=](int i, int j) {
        out(i, 0, j) = cf1 * layer(i, 0, j) + cf2 * layer(i, 1, j) + cf3 * layer(i, 2, j);
        out(i, nz, j) = cfn * layer(i, nz - 1, j) + cfn1 * layer(i, nz - 2, j);
    });
}

/// The same for a flux: none through the surface and the top.
template <class Layer>
inline void close_at_interfaces(Range columns, const GridView &grid, Layer layer, Field3 out) {
    const int nz = grid.nz;
    interpolate_to_interfaces(columns, grid, layer, out);
    for_each_column(columns, [=](int i, int j) { out(i, 0, j) = out(i, nz, j) = 0; });
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
