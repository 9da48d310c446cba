// The rows that are drawn to the source.
#include <algorithm>
#include <array>
#include <cstddef>

#include "boundary/lateral_boundary.hpp"
#include "core/constants.hpp"

namespace squall {
namespace {

/// Values as the source couples them, as coupled(k, j)(i, di, dj): at the point (i + di, j + dj).
auto flux_of(ConstField3 flux) {
    return [=](int k, int j) {
        return [q = flux.row(k, j), sj = flux.sj](int i, int di, int dj) { return q[i + di + sj * dj]; };
    };
}

auto mass_times(ConstField3 q, ConstField2 mub, ConstField2 mu, ConstProfile c1, ConstProfile c2) {
    return [=](int k, int j) {
        return [q = q.row(k, j), mub = mub.row(j), mu = mu.row(j), c1 = c1[k], c2 = c2[k], sj = q.sj,
                sj_mub = mub.sj, sj_mu = mu.sj](int i, int di, int dj) {
            const int n = i + di;
            return q[n + sj * dj] * (c1 * (mub[n + sj_mub * dj] + mu[n + sj_mu * dj]) + c2);
        };
    };
}

auto mass_over_metric_times(ConstField3 q, ConstField2 mub, ConstField2 mu, ConstField2 metric,
                            ConstProfile c1, ConstProfile c2) {
    return [=, coupled = mass_times(q, mub, mu, c1, c2)](int k, int j) {
        return [coupled = coupled(k, j), m = metric.row(j), sj = metric.sj](int i, int di, int dj) {
            return coupled(i, di, dj) / m[i + di + sj * dj];
        };
    };
}

auto column_of(ConstField2 q) {
    return [=](int, int j) {
        return [q = q.row(j), sj = q.sj](int i, int di, int dj) { return q[i + di + sj * dj]; };
    };
}

/// What a rate is divided by to become a tendency, as scaled(j)(i, rate).
auto as_it_is() {
    return [](int) { return [](int, real rate) { return rate; }; };
}

auto divided_by(ConstField2 metric) {
    return [=](int j) { return [m = metric.row(j)](int i, real rate) { return rate / m[i]; }; };
}

auto row_of(Field3 tend) {
    return [=](int k, int j) { return tend.row(k, j); };
}

} // namespace

/// tend += F1 d - F2 laplacian(d), d being the source's value at the end of the step less the model's.
template <class Coupled, class Scaled, class Row>
void LateralBoundary::relax(const Range &points, const RimField &field, Coupled coupled, Scaled scaled,
                            Row tend) const {
    const auto add = [&](const RimLine &line) {
        const Weights weights = weights_[static_cast<std::size_t>(line.distance)];
        for_each_row(line.points, [&](int k, int j) {
            return [=, t = tend(k, j), x = coupled(k, j), scale = scaled(j), here = field.row(line, k, j),
                    outside = field.row(line, k, j, 1), inside = field.row(line, k, j, -1), end = end_,
                    ai = line.along_i(), aj = line.along_j(), oi = line.outward_i(),
                    oj = line.outward_j()](int i) {
                const real d = here.at(i, end) - x(i, 0, 0);
                const real before = here.at(i - 1, end) - x(i, -ai, -aj);
                const real after = here.at(i + 1, end) - x(i, ai, aj);
                const real out = outside.at(i, end) - x(i, oi, oj);
                const real in = inside.at(i, end) - x(i, -oi, -oj);
                t[i] += scale(i, weights.value * d - weights.laplacian * (before + after + out + in - 4 * d));
            };
        });
    };
    rim_.for_each_line(points.with_k(0, field.levels()), field.points(), specified_,
                       specified_ + relaxation_ - 1, add);
}

/// As relax() of what the air carries, with the source's value under the model's own mass: the mass itself is
/// not drawn to the source's (it is in the first stage only, from which the others begin anew), so that
/// drawing M q to the source's would change q where nothing differs but M.
void LateralBoundary::relax_carried(const Range &points, const RimField &field, ConstField3 q, ConstField2 mu,
                                    Field3 tend) const {
    const GridView &g = grid_;
    const auto add = [&](const RimLine &line) {
        const Weights weights = weights_[static_cast<std::size_t>(line.distance)];
        for_each_row(line.points, [&](int k, int j) {
            const auto departure = [=, this, q = q.row(k, j), sj = q.sj, mub = g.mub.row(j), mu = mu.row(j),
                                    sj_mub = g.mub.sj, sj_mu = mu.sj, c1 = g.c1h[k], c2 = g.c2h[k],
                                    end = end_, &field](int out) {
                return [=, value = field.row(line, k, j, out),
                        there = fields_.mu.row(line, 0, j, out)](int i, int along, int di, int dj) {
                    const real base = mub[i + di + sj_mub * dj];
                    const real own = c1 * (base + mu[i + di + sj_mu * dj]) + c2;
                    const real source = c1 * (base + there.at(i + along, end)) + c2;
                    return own * (value.at(i + along, end) / source - q[i + di + sj * dj]);
                };
            };
            return [=, t = tend.row(k, j), m = g.msfty.row(j), here = departure(0), outside = departure(1),
                    inside = departure(-1), ai = line.along_i(), aj = line.along_j(), oi = line.outward_i(),
                    oj = line.outward_j()](int i) {
                const real d = here(i, 0, 0, 0), around = here(i, -1, -ai, -aj) + here(i, 1, ai, aj) +
                                                          outside(i, 0, oi, oj) + inside(i, 0, -oi, -oj);
                t[i] += (weights.value * d - weights.laplacian * (around - 4 * d)) / m[i];
            };
        });
    };
    rim_.for_each_line(points.with_k(0, field.levels()), field.points(), specified_,
                       specified_ + relaxation_ - 1, add);
}

void LateralBoundary::add_relaxation(const Range &tile, const State &state, ConstField3 ru, ConstField3 rv,
                                     Tendencies &t) const {
    const GridView &g = grid_;
    const ConstField2 mu = state.mu.view();
    const auto layers = [&](const Array3 &q) { return mass_times(q.view(), g.mub, mu, g.c1h, g.c2h); };
    const auto interfaces = [&](const Array3 &q) { return mass_times(q.view(), g.mub, mu, g.c1f, g.c2f); };
    const auto per_metric = divided_by(g.msfty);
    const Field2 tend_mu = t.mu.view();
    relax(tile, fields_.u, flux_of(ru), as_it_is(), row_of(t.u.view()));
    relax(tile, fields_.v, flux_of(rv), as_it_is(), row_of(t.v.view()));
    relax(tile, fields_.theta, layers(state.theta), per_metric, row_of(t.theta.view()));
    relax(tile, fields_.ph, interfaces(state.ph), per_metric, row_of(t.ph.view()));
    relax(tile, fields_.mu, column_of(mu), as_it_is(), [=](int, int j) { return tend_mu.row(j); });
    if (source_->knows_w()) // WRF forgets the map factor of the model's own w
        relax(tile, fields_.w, mass_over_metric_times(state.w.view(), g.mub, mu, g.msfty, g.c1f, g.c2f),
              as_it_is(), row_of(t.w.view()));
    for (std::size_t n = 0; n < fields_.scalars.size(); ++n) {
        if (!knows_scalar(int(n))) continue;
        if (keeps_constants_)
            relax_carried(tile, fields_.scalars[n], state.scalars[n].view(), mu, t.scalars[n].view());
        else
            relax(tile, fields_.scalars[n], layers(state.scalars[n]), per_metric,
                  row_of(t.scalars[n].view()));
    }
}

/// Each is d(M q / m_y)/dt: over a cell's area dx dy / (m_x m_y) and |d_eta| it is a mass per time.
ExactSum LateralBoundary::relaxed_water(const Range &tile, const Tendencies &t, int waters) const {
    const GridView &g = grid_;
    ExactSum sum;
    const double cell = dt_ * double(g.dx) * double(g.dy) / double(constants::g);
    const auto add = [&](int j, int i0, int i1) {
        constexpr int at_once = 64;
        for (; i0 < i1; i0 += at_once) {
            const int end = std::min(i0 + at_once, i1);
            std::array<double, at_once> column{};
            for (int n = 0; n < waters; ++n)
                for (int k = 0; knows_scalar(n) && k < g.nz; ++k)
                    for_each_i(i0, end,
                               [&, row = t.scalars[std::size_t(n)].view().row(k, j),
                                thickness = -double(g.dnw[k])](int i) {
                                   column[std::size_t(i - i0)] += thickness * double(row[i]);
                               });
            for (int i = i0; i < end; ++i)
                sum.add(column[std::size_t(i - i0)] * cell / double(g.msftx(i, j)));
        }
    };
    // Row by row what is relaxed: all but what lies inside.
    const Range some = inner_cells(tile),
                others = rim_.inner(tile, Points::cells, specified_ + relaxation_ - 1);
    for (int j = some.j0; j < some.j1; ++j) {
        const bool apart = j >= others.j0 && j < others.j1 && others.i0 < others.i1;
        add(j, some.i0, apart ? others.i0 : some.i1);
        if (apart) add(j, others.i1, some.i1);
    }
    return sum;
}

} // namespace squall
