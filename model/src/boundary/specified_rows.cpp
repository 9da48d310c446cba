// The rows that follow the source, and the faces beside them.
#include "boundary/specified_rows.hpp"

namespace squall {
namespace {

/// The metric of what is not coupled with a map factor.
constexpr auto no_metric = [](int, int) { return real(1); };

/// The departure of w, of which the source says nothing.
void copy_w(const SpecifiedRows &s, const Range &tile, Field3 w) {
    s.rim.for_each_line(tile.with_k(0, s.grid.nz + 1), Points::cells, 0, s.rows, [&](const RimLine &line) {
        for (int j = line.points.j0; j < line.points.j1; ++j)
            for (int k = 0; k <= s.grid.nz; ++k) {
                const real *inner = w.row(k, s.rim.inner_j(j, s.rows));
                for (int i = line.points.i0; i < line.points.i1; ++i)
                    w(i, k, j) = inner[s.rim.inner_i(i, s.rows)];
            }
    });
}

} // namespace

void SpecifiedRows::advance_columns(const Range &tile, real dts, ConstField3 ph_ref, ConstField2 mu_ref,
                                    const AcousticFields &a) const {
    const GridView &g = grid;
    rim.for_each_line(tile.with_k(0, 1), Points::cells, 0, rows, [&](const RimLine &line) {
        for_each_row(line.points, [&](int, int j) {
            return [q = a.mu.row(j), tendency = source.mu.row(line, 0, j).tendency, dts](int i) {
                q[i] += dts * tendency[i];
            };
        });
    });
    add_tendency(rim, tile, rows, source.theta, dts, a.theta);
    // M phi changes by dts times its tendency, M being the full mass and phi reference and departure.
    rim.for_each_line(tile.with_k(0, g.nz + 1), Points::cells, 0, rows, [&](const RimLine &line) {
        for_each_row(line.points, [&](int k, int j) {
            return
                [q = a.ph.row(k, j), ref = ph_ref.row(k, j), tendency = source.ph.row(line, k, j).tendency,
                 mu_tendency = source.mu.row(line, 0, j).tendency, mub = g.mub.row(j), mu_ref = mu_ref.row(j),
                 departure = a.mu.row(j), c1 = g.c1f[k], c2 = g.c2f[k], dts](int i) {
                    const real column = mub[i] + mu_ref[i] + departure[i];
                    const real mass = c1 * column + c2, before = c1 * (column - dts * mu_tendency[i]) + c2;
                    const real share = before / mass;
                    q[i] = q[i] * share + dts * tendency[i] / mass + ref[i] * (share - 1);
                };
        });
    });
}

void SpecifiedRows::finish_w(const Range &tile, real dt, Field3 departure) const {
    if (source.w.levels() > 0)
        add_tendency(rim, tile, rows, source.w, dt, departure);
    else
        copy_w(*this, tile, departure);
}

void SpecifiedRows::set_by_flow(const Range &tile, ConstField3 ru, ConstField3 rv, const Inflow &inflow,
                                Field3 scalar) const {
    rim.for_each_line(tile.with_k(0, grid.nz), Points::cells, 0, rows, [&](const RimLine &line) {
        const bool high = line.side == Side::north || line.side == Side::east;
        const int di = high ? line.along_j() : 0, dj = high ? line.along_i() : 0;
        const ConstField3 flux = runs_east(line.side) ? rv : ru;
        for (int j = line.points.j0; j < line.points.j1; ++j)
            for (int k = 0; k < grid.nz; ++k) {
                const real *inner = scalar.row(k, rim.inner_j(j, rows));
                for (int i = line.points.i0; i < line.points.i1; ++i) {
                    const real through = flux(i + di, k, j + dj);
                    const bool out = high ? through > 0 : through < 0;
                    scalar(i, k, j) = out                   ? inner[rim.inner_i(i, rows)]
                                      : inflow.field.origin ? inflow.field(i, k, j)
                                                            : inflow.constant;
                }
            }
    });
}

/// into = metric times the source's value over the mass; column(i, j) is that of the whole column there. As
/// what is added to the value that is there, so that rounding is that of the change: what the source has
/// alike stays to the last bit.
template <class Metric, class Column>
void SpecifiedRows::decouple(const Range &points, const RimFieldView &field, real elapsed, ConstProfile c1,
                             ConstProfile c2, Metric metric, Column column, Field3 into) const {
    const auto set = [&](const RimLine &line) {
        for_each_row(line.points, [&](int k, int j) {
            return [=, q = into.row(k, j), row = field.row(line, k, j), c1 = c1[k], c2 = c2[k]](int i) {
                const real mass = c1 * column(i, j) + c2, m = metric(i, j);
                q[i] += (row.at(i, elapsed) - q[i] * mass / m) * m / mass;
            };
        });
    };
    rim.for_each_line(points.with_k(0, field.levels()), field.points(), 0, rows, set);
}

void SpecifiedRows::set_scalar(const Range &tile, const RimFieldView &of_source, real elapsed,
                               Field3 scalar) const {
    const auto column = [=, this](int i, int j) { return column_mass(i, j, elapsed); };
    decouple(tile, of_source, elapsed, grid.c1h, grid.c2h, no_metric, column, scalar);
}

void SpecifiedRows::impose(const Range &tile, real elapsed, const StateFields &state) const {
    const GridView &g = grid;
    const auto cell = [=, this](int i, int j) { return column_mass(i, j, elapsed); };
    const auto u_face = [=](int i, int j) { return real(0.5) * (cell(i, j) + cell(i - 1, j)); };
    const auto v_face = [=](int i, int j) { return real(0.5) * (cell(i, j) + cell(i, j - 1)); };
    decouple(faces_u(tile), source.u, elapsed, g.c1h, g.c2h, g.msfuy, u_face, state.u);
    decouple(faces_v(tile), source.v, elapsed, g.c1h, g.c2h, g.msfvx, v_face, state.v);
    decouple(tile, source.theta, elapsed, g.c1h, g.c2h, no_metric, cell, state.theta);
    decouple(tile, source.ph, elapsed, g.c1f, g.c2f, no_metric, cell, state.ph);
    decouple(tile, source.w, elapsed, g.c1f, g.c2f, g.msfty, cell, state.w);
    rim.for_each_line(tile.with_k(0, 1), Points::cells, 0, rows, [&](const RimLine &line) {
        for_each_row(line.points, [&](int, int j) {
            return [q = state.mu.row(j), row = source.mu.row(line, 0, j), elapsed](int i) {
                q[i] = row.at(i, elapsed);
            };
        });
    });
}

} // namespace squall
