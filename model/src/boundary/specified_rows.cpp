// The rows that follow the source, and the faces beside them.
#include <cstddef>

#include "boundary/lateral_boundary.hpp"

namespace squall {
namespace {

/// The metric of what is not coupled with a map factor.
constexpr auto unit_metric = [](int, int) { return real(1); };

} // namespace

Range LateralBoundary::faces_u(const Range &tile) const {
    return tile.with_i(tile.i0, tile.i1 == grid_.nx ? tile.i1 + 1 : tile.i1);
}

Range LateralBoundary::faces_v(const Range &tile) const {
    return tile.with_j(tile.j0, tile.j1 == grid_.ny ? tile.j1 + 1 : tile.j1);
}

OutflowFaces LateralBoundary::outflow_faces() const {
    constexpr Range everywhere{0, 1 << 30, 0, 1 << 30, 0, 1};
    return {rim_.inner(everywhere, Points::x_faces, 1),
            rim_.inner(everywhere, Points::y_faces, 1),
            1 - patch_.x0,
            patch_.nx_domain - 1 - patch_.x0,
            1 - patch_.y0,
            patch_.ny_domain - 1 - patch_.y0};
}

SpecifiedSubstep LateralBoundary::substep() const {
    return {grid_,
            rim_,
            specified_,
            fields_.u.view(),
            fields_.v.view(),
            fields_.theta.view(),
            fields_.ph.view(),
            fields_.mu.view()};
}

void LateralBoundary::finish_w(const Range &tile, real dt, Field3 w) const {
    if (source_->knows_w())
        add_tendency(rim_, tile, specified_, fields_.w.view(), dt, w);
    else
        copy_w(tile, w);
}

void LateralBoundary::copy_w(const Range &tile, Field3 w) const {
    rim_.for_each_line(tile.with_k(0, grid_.nz + 1), Points::cells, 0, specified_, [&](const RimLine &line) {
        for (int j = line.points.j0; j < line.points.j1; ++j)
            for (int k = 0; k <= grid_.nz; ++k) {
                const real *inner = w.row(k, rim_.inner_j(j, specified_));
                for (int i = line.points.i0; i < line.points.i1; ++i)
                    w(i, k, j) = inner[rim_.inner_i(i, specified_)];
            }
    });
}

void LateralBoundary::set_by_flow(const Range &tile, ConstField3 ru, ConstField3 rv, const Inflow &inflow,
                                  Field3 scalar) const {
    rim_.for_each_line(tile.with_k(0, grid_.nz), Points::cells, 0, specified_, [&](const RimLine &line) {
        const bool high = line.side == Side::north || line.side == Side::east;
        const int di = high ? line.along_j() : 0, dj = high ? line.along_i() : 0;
        const ConstField3 flux = runs_east(line.side) ? rv : ru;
        for (int j = line.points.j0; j < line.points.j1; ++j)
            for (int k = 0; k < grid_.nz; ++k) {
                const real *inner = scalar.row(k, rim_.inner_j(j, specified_));
                for (int i = line.points.i0; i < line.points.i1; ++i) {
                    const real through = flux(i + di, k, j + dj);
                    const bool out = high ? through > 0 : through < 0;
                    scalar(i, k, j) = out                   ? inner[rim_.inner_i(i, specified_)]
                                      : inflow.field.origin ? inflow.field(i, k, j)
                                                            : inflow.constant;
                }
            }
    });
}

real LateralBoundary::column_mass(int i, int j, real elapsed) const {
    const RimPlace p = rim_.locate(i, j);
    const RimStrip &mu = fields_.mu.strip(p.side);
    return grid_.mub(i, j) + mu.at(fields_.mu.place(p.side, p.distance, 0, p.along), elapsed);
}

/// into = metric times the source's value over the mass; column(i, j) is that of the whole column there. As
/// what is added to the value that is there, so that rounding is that of the change: what the source has
/// alike stays to the last bit.
template <class Metric, class Column>
void LateralBoundary::decouple(const Range &points, const RimField &field, real elapsed, ConstProfile c1,
                               ConstProfile c2, Metric metric, Column column, Field3 into) const {
    const auto set = [&](const RimLine &line) {
        for_each_row(line.points, [&](int k, int j) {
            return [=, q = into.row(k, j), row = field.row(line, k, j), c1 = c1[k], c2 = c2[k]](int i) {
                const real mass = c1 * column(i, j) + c2, m = metric(i, j);
                q[i] += (row.at(i, elapsed) - q[i] * mass / m) * m / mass;
            };
        });
    };
    rim_.for_each_line(points.with_k(0, field.levels()), field.points(), 0, specified_, set);
}

void LateralBoundary::set_scalar(const Range &tile, int n, real ahead, Field3 scalar) const {
    const real elapsed = begin_ + ahead;
    const auto column = [=, this](int i, int j) { return column_mass(i, j, elapsed); };
    decouple(tile, fields_.scalars[std::size_t(n)], elapsed, grid_.c1h, grid_.c2h, unit_metric, column,
             scalar);
}

void LateralBoundary::impose(const Range &tile, State &state) const {
    const GridView &g = grid_;
    const real end = end_;
    const auto cell = [=, this](int i, int j) { return column_mass(i, j, end); };
    const auto u_face = [=](int i, int j) { return real(0.5) * (cell(i, j) + cell(i - 1, j)); };
    const auto v_face = [=](int i, int j) { return real(0.5) * (cell(i, j) + cell(i, j - 1)); };
    decouple(faces_u(tile), fields_.u, end, g.c1h, g.c2h, g.msfuy, u_face, state.u.view());
    decouple(faces_v(tile), fields_.v, end, g.c1h, g.c2h, g.msfvx, v_face, state.v.view());
    decouple(tile, fields_.theta, end, g.c1h, g.c2h, unit_metric, cell, state.theta.view());
    decouple(tile, fields_.ph, end, g.c1f, g.c2f, unit_metric, cell, state.ph.view());
    if (source_->knows_w()) decouple(tile, fields_.w, end, g.c1f, g.c2f, g.msfty, cell, state.w.view());
    for (std::size_t n = 0; n < fields_.scalars.size(); ++n)
        if (knows_scalar(int(n)))
            decouple(tile, fields_.scalars[n], end, g.c1h, g.c2h, unit_metric, cell, state.scalars[n].view());
    const Field2 mu = state.mu.view();
    rim_.for_each_line(tile.with_k(0, 1), Points::cells, 0, specified_, [&](const RimLine &line) {
        for_each_row(line.points, [&](int, int j) {
            return [q = mu.row(j), row = fields_.mu.row(line, 0, j), end](int i) { q[i] = row.at(i, end); };
        });
    });
}

} // namespace squall
