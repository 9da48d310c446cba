#include "dynamics/scalar_stage.hpp"

#include <algorithm>
#include <limits>

#include "dynamics/slab_fluxes.hpp"

namespace squall {
namespace {

/// The upwind flux of a velocity, up to a limit: other sides may take as much.
inline real upwind_flux(real velocity, real limit, real from, real to) {
    const real v = std::clamp(velocity, -limit, limit);
    return std::max(v, real(0)) * from + std::min(v, real(0)) * to;
}

/// A row of fluxes as velocity(i).
inline auto row_of(const real *flux) {
    return [flux](int i) { return flux[i]; };
}

} // namespace

int ScalarStage::scratch_rows(int nz) { return SlabFluxes::count(nz) + nz; }

void ScalarStage::add_held(const Range &tile, Field3 out) const {
    for_each_row(tile.within(inner).with_k(0, grid.nz), [&](int k, int j) {
        return [q = out.row(k, j), h = held.row(k, j), my = grid.msfty.row(j),
                mass = layer_mass(grid, air.mu_old, k, j),
                dt = air.dt](int i) { q[i] += dt * my[i] * h[i] / mass(i); };
    });
}

/// What crosses a row of faces: `reconstruct` hands the higher-order fluxes to a function of i and flux.
template <class Reconstruct, class Limit>
void ScalarStage::cross(const real *velocity, bool fast, Limit limit, const Sides &sides,
                        Reconstruct reconstruct, real *low, real *excess) const {
    if (!limited()) return reconstruct(store_in(excess));
    const auto split = [&](auto upwind) {
        const auto pass = [&](auto room) {
            reconstruct([=, from = sides.scale_from, to = sides.scale_to](int i, real flux) {
                const real l = upwind(i), e = flux - l;
                const real share =
                    e > 0 ? std::min(from.out[i], room(to.in, i)) : std::min(to.out[i], room(from.in, i));
                excess[i] = l + e * share;
            });
        };
        if (!sides.scale_to.out)
            reconstruct([=](int i, real flux) {
                const real l = upwind(i);
                low[i] = l;
                excess[i] = flux - l;
            });
        else if (sides.scale_to.in)
            pass([](const real *in, int i) { return in[i]; });
        else
            pass([](const real *, int) { return real(1); });
    };
    const real *from = sides.from, *to = sides.to;
    if (fast)
        split([=](int i) { return upwind_flux(velocity[i], limit(i), from[i], to[i]); });
    else
        split([=](int i) {
            return upwind_flux(velocity[i], std::numeric_limits<real>::infinity(), from[i], to[i]);
        });
}

void ScalarStage::x_fluxes(Range row, int k, int j, const ExcessScales &scales, real *low,
                           real *excess) const {
    const real *v = air.ru.row(k, j);
    cross(
        v, limited() && fast(k, j).x, half_cell_x(grid, air.mu_old, air.dt, k, j),
        sides(scales, k, j, k, j, -1),
        [&](auto store) { flux_row_x(row.i0, row.i1 + 1, stage.row(k, j), row_of(v), scheme.x, store); }, low,
        excess);
}

void ScalarStage::y_fluxes(Range row, int k, int face, const ExcessScales &scales, real *low,
                           real *excess) const {
    const real *v = air.rv.row(k, face);
    cross(
        v, limited() && fast(k, face).y, half_cell_y(grid, air.mu_old, air.dt, k, face),
        sides(scales, k, face - 1, k, face),
        [&](auto store) {
            flux_row_across(row.i0, row.i1, stage.row(k, face), stage.sj, row_of(v), scheme.y.at(face),
                            store);
        },
        low, excess);
}

void ScalarStage::z_fluxes(Range row, int face, int j, const ExcessScales &scales, real *low,
                           real *excess) const {
    if (face == 0 || face == grid.nz) {
        for_each_i_ahead(row.i0, row.i1, [=](int i) { low[i] = excess[i] = 0; });
        return;
    }
    const auto omega = [omega = air.omega](int k, int jj) { return row_of(omega.row(k, jj)); };
    cross( // a positive Omega points down, to smaller k
        air.omega.row(face, j), limited() && fast(face, j).z, half_cell_z(grid, air.mu_old, air.dt, face, j),
        sides(scales, face, j, face - 1, j),
        [&](auto store) { flux_row_vertical(row.i0, row.i1, face, j, stage, omega, scheme.z, store); }, low,
        excess);
}

/// tend = -(divergence of the fluxes).
void ScalarStage::find_tendency(Range slab, bool first, const ExcessScales &scales, SlabFluxes &fluxes,
                                Field3 tend) const {
    const int j = slab.j0;
    const bool y = scheme.y.crossed(j);
    visit_slab(slab, first, scales, fluxes, [&](int k, const CellFluxes &c) {
        heard_by.add_water(slab, k, grid, c.xe, c.se, c.ne);
        const real *south = y ? c.se : c.ne;
        const auto at = [=](int i, real dx) {
            return -c.mx[i] * (c.rdx * dx + c.rdy * (c.ne[i] - south[i])) - c.rd * (c.ae[i] - c.be[i]);
        };
        real *t = tend.row(k, j);
        for_each_i_ahead(slab.i0, slab.i1, [=](int i) { t[i] = at(i, c.xe[i + 1] - c.xe[i]); });
        scheme.x.for_each_outermost(slab.i0, slab.i1, [=](int i) { t[i] = at(i, 0); });
    });
}

void ScalarStage::apply(const Range &tile, const ExcessScales &scales, Field3 result,
                        const Scratch &scratch) const {
    const auto at_points = [](ConstField3 flux) {
        return [=](int k, int j) { return row_of(flux.row(k, j)); };
    };
    const int nz = grid.nz;
    SlabFluxes fluxes(scratch, 0, nz, tile.i0);
    const Field3 tend{scratch.row(SlabFluxes::count(nz), tile.i0), fluxes.width, 0};
    for (int j = tile.j0; j < tile.j1; ++j) {
        const Range slab = tile.with_j(j, j + 1).with_k(0, nz);
        find_tendency(slab, j == tile.j0, scales, fluxes, tend);
        for (const OpenSide &side : scheme.open_sides)
            for (int k = 0; k < nz; ++k)
                if (rows.near(k, j))
                    carry_out(slab.with_k(k, k + 1), side, false, stage, limited() ? old : stage,
                              at_points(side.is_x() ? air.ru : air.rv), grid.msftx,
                              side.is_x() ? grid.rdx : grid.rdy, tend);
        update_slab(slab, tend, result);
    }
}

void ScalarStage::update_slab(Range slab, ConstField3 tend, Field3 result) const {
    const int j = slab.j0;
    const bool inside = j >= inner.j0 && j < inner.j1;
    const int i0 = inside ? std::max(slab.i0, inner.i0) : slab.i1;
    const int i1 = std::max(i0, std::min(slab.i1, inner.i1));
    for (int k = 0; k < grid.nz; ++k) {
        const real *before_stage = stage.row(k, j);
        real *q = result.row(k, j);
        if (!rows.near(k, j)) {
            std::fill(q + slab.i0, q + slab.i1, real(0));
            continue;
        }
        std::copy(before_stage + slab.i0, before_stage + i0, q + slab.i0);
        std::copy(before_stage + i1, before_stage + slab.i1, q + i1);
        const auto update = [&](auto held_at, auto least) {
            for_each_i(i0, i1,
                       [=, old = old.row(k, j), t = tend.row(k, j), my = grid.msfty.row(j),
                        before = layer_mass(grid, air.mu_old, k, j),
                        after = layer_mass(grid, air.mu_new, k, j), dt = air.dt](int i) {
                           const real updated =
                               (before(i) * old[i] + dt * my[i] * (t[i] + held_at(i))) / after(i);
                           q[i] = std::max(updated, least(i));
                       });
        };
        const auto nothing = [](int) { return real(0); };
        const auto anything = [](int) { return std::numeric_limits<real>::lowest(); };
        if (held.origin)
            update([h = held.row(k, j)](int i) { return h[i]; }, anything);
        else if (limited() && !monotonic) // positive definite: what is left below zero is rounding
            update(nothing, [old = old.row(k, j)](int i) { return std::min(old[i], real(0)); });
        else
            update(nothing, anything);
    }
}

} // namespace squall
