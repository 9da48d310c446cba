#include "dynamics/diffusion/closure.hpp"

#include <algorithm>

namespace squall::diffusion {
namespace {

void fill(Range range, Field3 q, real value) {
    for_each_row(range, [=](int k, int j) { return [q = q.row(k, j), value](int i) { q[i] = value; }; });
}

} // namespace

void Closure::find(Range columns, Range tile) const {
    if (scheme == Scheme::constant) set_constant(columns);
    if (scheme == Scheme::smagorinsky_2d) {
        smagorinsky_2d(columns, grid, tensor, c_s, prandtl, viscosity);
        if (physical) limit_on_slopes(columns, grid, metrics, tensor, viscosity);
    }
    if (needs_stability(scheme, physical)) {
        find_thermodynamics(columns, grid, air, thermodynamics);
        find_stability(scheme == Scheme::tke ? columns.within(tile) : columns, grid, metrics, air,
                       thermodynamics, n2);
    }
    if (scheme == Scheme::smagorinsky_3d)
        smagorinsky_3d(columns, grid, metrics, tensor, n2, c_s, prandtl, dt, viscosity);
    if (scheme == Scheme::tke && physical)
        find_tke_viscosity(columns, grid, metrics, tke, thermodynamics, air.p, tke_settings, viscosity);
    if (scheme == Scheme::tke && !physical)
        find_tke_viscosity_on_surfaces(columns, grid, tke, tke_settings, viscosity);
    if (scheme != Scheme::constant) clear_rim(columns);
    if (sponge.on()) raise_in_sponge(columns, grid, ph, sponge, dt, viscosity);
}

void Closure::set_constant(Range columns) const {
    const auto set = [&](Field3 k, real value) {
        if (k.origin) fill(columns.with_k(0, grid.nz), k, value);
    };
    set(viscosity.momentum_h, constants.momentum_h);
    set(viscosity.scalar_h, constants.scalar_h);
    set(viscosity.momentum_v, constants.momentum_v);
    set(viscosity.scalar_v, constants.scalar_v);
}

void Closure::clear_rim(Range columns) const {
    const Range in = columns.within(inner), all = columns.with_k(0, grid.nz);
    for (const Field3 &k :
         {viscosity.momentum_h, viscosity.momentum_v, viscosity.scalar_h, viscosity.scalar_v}) {
        if (!k.origin) continue;
        fill(all.with_j(all.j0, std::min(in.j0, all.j1)), k, 0);
        fill(all.with_j(std::max(in.j1, all.j0), all.j1), k, 0);
        fill(all.with_i(all.i0, std::min(in.i0, all.i1)), k, 0);
        fill(all.with_i(std::max(in.i1, all.i0), all.i1), k, 0);
    }
}

void compute_density(Range columns, int nz, ConstField3 alt, ConstField3 vapour, Field3 rho) {
    const Range layers = columns.with_k(0, nz);
    if (!vapour.origin) {
        for_each_row(layers, [=](int k, int j) {
            return [rho = rho.row(k, j), alt = alt.row(k, j)](int i) { rho[i] = 1 / alt[i]; };
        });
        return;
    }
    for_each_row(layers, [=](int k, int j) {
        return [rho = rho.row(k, j), alt = alt.row(k, j), q = vapour.row(k, j)](int i) {
            rho[i] = (1 + q[i]) / alt[i];
        };
    });
}

} // namespace squall::diffusion
