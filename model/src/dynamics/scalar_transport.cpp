#include "dynamics/scalar_transport.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <omp.h>

#include "dynamics/mass_flux.hpp"
#include "dynamics/slab_fluxes.hpp"

namespace squall {
namespace {

/// The upwind flux of a velocity, up to a limit: other sides may take as much.
inline real upwind_flux(real velocity, real limit, real from, real to) {
    const real v = std::clamp(velocity, -limit, limit);
    return std::max(v, real(0)) * from + std::min(v, real(0)) * to;
}

} // namespace

ScalarTransport::ScalarTransport(const GridView &grid, Shape shape, int count, Limiter limiter,
                                 TransportScheme scheme, const std::vector<Range> &tiles,
                                 std::vector<ScratchMemory> &scratch, Halo &halo)
    : grid_(grid), limiter_(limiter), scheme_(std::move(scheme)), tiles_(tiles), scratch_(scratch),
      halo_(halo), ru_(shape), rv_(shape), omega_(shape), spare_(shape), mass_change_(shape),
      rows_(static_cast<std::size_t>(count), ActiveRows(shape)) {
    if (limiter_ == Limiter::none) return;
    fast_.resize(static_cast<std::size_t>(shape.ny + 1) * static_cast<std::size_t>(shape.nz + 1));
    for (int n = 0; n < count; ++n) out_.emplace_back(shape);
    for (int n = 0; n < count && limiter_ == Limiter::monotonic; ++n) in_.emplace_back(shape);
}

int ScalarTransport::scratch_rows(int nz) { return SlabFluxes::count(nz) + nz; }

Scratch ScalarTransport::scratch() const {
    return scratch_[static_cast<std::size_t>(omp_get_thread_num())].rows();
}

SubstepSum ScalarTransport::substep_sum(bool first) {
    return {grid_.nx, grid_.ny, grid_.nz, ru_.view(), rv_.view(), real(first ? 0 : 1)};
}

void ScalarTransport::finish_substeps(int substeps, ConstField3 ru, ConstField3 rv) {
    const auto average = [n = 1 / static_cast<real>(substeps)](Range faces, ConstField3 reference,
                                                               Field3 sum) {
        for_each_row(faces, [=](int k, int j) {
            return [=, s = sum.row(k, j), r = reference.row(k, j)](int i) { s[i] = s[i] * n + r[i]; };
        });
    };
    for_each_tile(tiles_, [&](const Range &tile) {
        const Range layers = tile.with_k(0, grid_.nz);
        average(layers.with_i(tile.i0, tile.i1 == grid_.nx ? tile.i1 + 1 : tile.i1), ru, ru_.view());
        average(layers.with_j(tile.j0, tile.j1 == grid_.ny ? tile.j1 + 1 : tile.j1), rv, rv_.view());
    });
    for_each_tile(tiles_, [&](const Range &tile) {
        diagnose_omega(tile, grid_, ru_.view(), rv_.view(), omega_.view(), mass_change_.view());
    });
}

void ScalarTransport::advance(std::vector<Array3> &old, const std::vector<Array3> &stage,
                              std::vector<Array3> &result, const std::vector<Array3> &held,
                              ConstField2 mu_old, ConstField2 mu_new, Range inner, StageOfStep part) {
    const real dt = part.dt;
    const bool limited = part.last && limiter_ != Limiter::none;
    if (limited && !held.empty()) add_held(old, held, mu_old, inner, dt);
    for (std::size_t n = 0; n < old.size(); ++n) {
        if (part.first)
            rows_[n].begin_step(grid_, old[n].view(), held.empty() ? ConstField3{} : held[n].view());
        rows_[n].find(grid_, &stage == &old ? ConstField3{} : stage[n].view());
    }
    const auto update_for = [&](std::size_t n, bool scaled) {
        Update u{ru(),
                 rv(),
                 omega(),
                 std::as_const(old[n]).view(),
                 stage[n].view(),
                 {},
                 mu_old,
                 mu_new,
                 {},
                 {},
                 inner,
                 dt,
                 limited,
                 &rows_[n],
                 part.last && int(n) < waters_ ? sides_ : nullptr};
        if (!held.empty() && !limited) u.held = held[n].view();
        if (scaled) u.out = std::as_const(out_[n]).view();
        if (scaled && limiter_ == Limiter::monotonic) u.in = std::as_const(in_[n]).view();
        return u;
    };
    if (limited) {
        find_fast_rows(mu_old, dt);
        exchanged_.clear();
        for (std::size_t n = 0; n < old.size(); ++n) {
            find_scales(update_for(n, false), static_cast<int>(n));
            exchanged_.push_back(HaloField::of(out_[n], grid_.nz));
            if (!in_.empty()) exchanged_.push_back(HaloField::of(in_[n], grid_.nz));
        }
        halo_.start(exchanged_, 1);
        halo_.finish();
    }
    for (std::size_t n = 0; n < old.size(); ++n) {
        apply(update_for(n, limited), spare_.view());
        std::swap(result[n], spare_);
    }
}

/// The limiter has to know of the held tendencies, which take from cells too: they come first.
void ScalarTransport::add_held(std::vector<Array3> &old, const std::vector<Array3> &held, ConstField2 mu_old,
                               Range inner, real dt) {
    exchanged_.clear();
    for (std::size_t n = 0; n < old.size(); ++n) {
        exchanged_.push_back(HaloField::of(old[n], grid_.nz));
        for_each_tile(tiles_, [&](const Range &tile) {
            const Range cells{std::max(tile.i0, inner.i0),
                              std::min(tile.i1, inner.i1),
                              std::max(tile.j0, inner.j0),
                              std::min(tile.j1, inner.j1),
                              0,
                              grid_.nz};
            for_each_row(cells, [&](int k, int j) {
                return [q = old[n].view().row(k, j), h = held[n].view().row(k, j), my = grid_.msfty.row(j),
                        mass = layer_mass(grid_, mu_old, k, j),
                        dt](int i) { q[i] += dt * my[i] * h[i] / mass(i); };
            });
        });
    }
    halo_.start(exchanged_, 1);
    halo_.finish();
}

namespace {

/// A row of fluxes as velocity(i).
inline auto row_of(const real *flux) {
    return [flux](int i) { return flux[i]; };
}

} // namespace

/// What crosses a row of faces: `reconstruct` hands the higher-order fluxes to a function of i and flux.
template <class Reconstruct, class Limit>
void ScalarTransport::cross(const Update &u, const real *velocity, bool fast, Limit limit, const Sides &sides,
                            Reconstruct reconstruct, real *low, real *excess) const {
    if (!u.limited) return reconstruct(store_in(excess));
    const auto split = [&](auto upwind) {
        const auto pass = [&](auto room) {
            reconstruct([=, from = sides.scale_from, to = sides.scale_to](int i, real flux) {
                const real l = upwind(i), e = flux - l;
                const real share =
                    e > 0 ? std::min(from.out[i], room(to.in, i)) : std::min(to.out[i], room(from.in, i));
                excess[i] = l + e * share;
            });
        };
        if (!u.out.origin)
            reconstruct([=](int i, real flux) {
                const real l = upwind(i);
                low[i] = l;
                excess[i] = flux - l;
            });
        else if (u.in.origin)
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

void ScalarTransport::x_fluxes(Range row, int k, int j, const Update &u, real *low, real *excess) const {
    const real *v = u.ru.row(k, j);
    cross(
        u, v, u.limited && fast(k, j).x, half_cell_x(grid_, u.mu_old, u.dt, k, j), u.sides(k, j, k, j, -1),
        [&](auto store) { flux_row_x(row.i0, row.i1 + 1, u.stage.row(k, j), row_of(v), scheme_.x, store); },
        low, excess);
}

void ScalarTransport::y_fluxes(Range row, int k, int face, const Update &u, real *low, real *excess) const {
    const real *v = u.rv.row(k, face);
    cross(
        u, v, u.limited && fast(k, face).y, half_cell_y(grid_, u.mu_old, u.dt, k, face),
        u.sides(k, face - 1, k, face),
        [&](auto store) {
            flux_row_across(row.i0, row.i1, u.stage.row(k, face), u.stage.sj, row_of(v), scheme_.y.at(face),
                            store);
        },
        low, excess);
}

void ScalarTransport::z_fluxes(Range row, int face, int j, const Update &u, real *low, real *excess) const {
    if (face == 0 || face == grid_.nz) {
        for_each_i_ahead(row.i0, row.i1, [=](int i) { low[i] = excess[i] = 0; });
        return;
    }
    const auto omega = [=](int k, int jj) { return row_of(u.omega.row(k, jj)); };
    cross( // a positive Omega points down, to smaller k
        u, u.omega.row(face, j), u.limited && fast(face, j).z, half_cell_z(grid_, u.mu_old, u.dt, face, j),
        u.sides(face, j, face - 1, j),
        [&](auto store) { flux_row_vertical(row.i0, row.i1, face, j, u.stage, omega, scheme_.z, store); },
        low, excess);
}

/// tend = -(divergence of the fluxes).
void ScalarTransport::tendency(Range slab, bool first, const Update &u, SlabFluxes &fluxes,
                               Field3 tend) const {
    const int j = slab.j0;
    const bool y = scheme_.y.crossed(j);
    visit_slab(slab, first, u, fluxes, [&](int k, const CellFluxes &c) {
        if (u.heard_by) u.heard_by->add_water(slab, k, grid_, c.xe, c.se, c.ne);
        const real *south = y ? c.se : c.ne;
        const auto at = [=](int i, real dx) {
            return -c.mx[i] * (c.rdx * dx + c.rdy * (c.ne[i] - south[i])) - c.rd * (c.ae[i] - c.be[i]);
        };
        real *t = tend.row(k, j);
        for_each_i_ahead(slab.i0, slab.i1, [=](int i) { t[i] = at(i, c.xe[i + 1] - c.xe[i]); });
        scheme_.x.for_each_outermost(slab.i0, slab.i1, [=](int i) { t[i] = at(i, 0); });
    });
}

/// The stage's change of one scalar: M q = (M q)_old + dt m_y (transport + held), into `out`.
void ScalarTransport::apply(const Update &u, Field3 out) {
    const GridView &g = grid_;
    const auto at_points = [](ConstField3 flux) {
        return [=](int k, int j) { return row_of(flux.row(k, j)); };
    };
    for_each_tile(tiles_, [&](const Range &tile) {
        SlabFluxes fluxes(scratch(), 0, g.nz, tile.i0);
        const Field3 tend{scratch().row(SlabFluxes::count(g.nz), tile.i0), fluxes.width, 0};
        for (int j = tile.j0; j < tile.j1; ++j) {
            const Range slab = tile.with_j(j, j + 1).with_k(0, g.nz);
            tendency(slab, j == tile.j0, u, fluxes, tend);
            for (const OpenSide &side : scheme_.open_sides)
                for (int k = 0; k < g.nz; ++k)
                    if (u.rows->near(k, j))
                        carry_out(slab.with_k(k, k + 1), side, false, u.stage, u.limited ? u.old : u.stage,
                                  at_points(side.is_x() ? u.ru : u.rv), g.msftx, side.is_x() ? g.rdx : g.rdy,
                                  tend);
            update_slab(slab, u, tend, out);
        }
    });
}

void ScalarTransport::update_slab(Range slab, const Update &u, ConstField3 tend, Field3 out) const {
    const int j = slab.j0;
    const bool inside = j >= u.inner.j0 && j < u.inner.j1;
    const int i0 = inside ? std::max(slab.i0, u.inner.i0) : slab.i1;
    const int i1 = std::max(i0, std::min(slab.i1, u.inner.i1));
    for (int k = 0; k < grid_.nz; ++k) {
        const real *stage = u.stage.row(k, j);
        if (!u.rows->near(k, j)) {
            std::fill(out.row(k, j) + slab.i0, out.row(k, j) + slab.i1, real(0));
            continue;
        }
        std::copy(stage + slab.i0, stage + i0, out.row(k, j) + slab.i0);
        std::copy(stage + i1, stage + slab.i1, out.row(k, j) + i1);
        const auto update = [&](auto held, auto least) {
            for_each_i(i0, i1,
                       [=, old = u.old.row(k, j), t = tend.row(k, j), my = grid_.msfty.row(j),
                        before = layer_mass(grid_, u.mu_old, k, j), after = layer_mass(grid_, u.mu_new, k, j),
                        q = out.row(k, j), dt = u.dt](int i) {
                           const real updated =
                               (before(i) * old[i] + dt * my[i] * (t[i] + held(i))) / after(i);
                           q[i] = std::max(updated, least(i));
                       });
        };
        const auto nothing = [](int) { return real(0); };
        const auto anything = [](int) { return std::numeric_limits<real>::lowest(); };
        if (u.held.origin)
            update([h = u.held.row(k, j)](int i) { return h[i]; }, anything);
        else if (u.limited && !u.in.origin) // positive definite: what is left below zero is rounding
            update(nothing, [old = u.old.row(k, j)](int i) { return std::min(old[i], real(0)); });
        else
            update(nothing, anything);
    }
}

} // namespace squall
