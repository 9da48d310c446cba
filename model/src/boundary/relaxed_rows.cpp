// The rows that are drawn to the source.
#include "boundary/relaxed_rows.hpp"

#include <cstddef>

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
void RelaxedRows::relax(const Range &points, const RimFieldView &field, Coupled coupled, Scaled scaled,
                        Row tend) const {
    const auto add = [&](const RimLine &line) {
        const RimWeights drawn = weights[line.distance];
        for_each_row(line.points, [&](int k, int j) {
            return [=, t = tend(k, j), x = coupled(k, j), scale = scaled(j), here = field.row(line, k, j),
                    outside = field.row(line, k, j, 1), inside = field.row(line, k, j, -1), end = elapsed,
                    ai = line.along_i(), aj = line.along_j(), oi = line.outward_i(),
                    oj = line.outward_j()](int i) {
                const real d = here.at(i, end) - x(i, 0, 0);
                const real before = here.at(i - 1, end) - x(i, -ai, -aj);
                const real after = here.at(i + 1, end) - x(i, ai, aj);
                const real out = outside.at(i, end) - x(i, oi, oj);
                const real in = inside.at(i, end) - x(i, -oi, -oj);
                t[i] += scale(i, drawn.value * d - drawn.laplacian * (before + after + out + in - 4 * d));
            };
        });
    };
    rim.for_each_line(points.with_k(0, field.levels()), field.points(), first, last, add);
}

/// As relax() of what the air carries, with the source's value under the model's own mass: the mass itself is
/// not drawn to the source's (it is in the first stage only, from which the others begin anew), so that
/// drawing M q to the source's would change q where nothing differs but M.
void RelaxedRows::relax_carried(const Range &points, const RimFieldView &field, ConstField3 q, ConstField2 mu,
                                Field3 tend) const {
    const GridView &g = grid;
    const auto add = [&](const RimLine &line) {
        const RimWeights drawn = weights[line.distance];
        for_each_row(line.points, [&](int k, int j) {
            const auto departure = [=, this, q = q.row(k, j), sj = q.sj, mub = g.mub.row(j), mu = mu.row(j),
                                    sj_mub = g.mub.sj, sj_mu = mu.sj, c1 = g.c1h[k], c2 = g.c2h[k],
                                    end = elapsed, &field](int out) {
                return [=, value = field.row(line, k, j, out),
                        there = source.mu.row(line, 0, j, out)](int i, int along, int di, int dj) {
                    const real base = mub[i + di + sj_mub * dj];
                    const real own = c1 * (base + mu[i + di + sj_mu * dj]) + c2;
                    const real beyond = c1 * (base + there.at(i + along, end)) + c2;
                    return own * (value.at(i + along, end) / beyond - q[i + di + sj * dj]);
                };
            };
            return [=, t = tend.row(k, j), m = g.msfty.row(j), here = departure(0), outside = departure(1),
                    inside = departure(-1), ai = line.along_i(), aj = line.along_j(), oi = line.outward_i(),
                    oj = line.outward_j()](int i) {
                const real d = here(i, 0, 0, 0), around = here(i, -1, -ai, -aj) + here(i, 1, ai, aj) +
                                                          outside(i, 0, oi, oj) + inside(i, 0, -oi, -oj);
                t[i] += (drawn.value * d - drawn.laplacian * (around - 4 * d)) / m[i];
            };
        });
    };
    rim.for_each_line(points.with_k(0, field.levels()), field.points(), first, last, add);
}

void RelaxedRows::add(const Range &tile, const StateView &s, ConstField3 ru, ConstField3 rv,
                      const TendencyFields &t) const {
    const GridView &g = grid;
    const auto layers = mass_times(s.theta, g.mub, s.mu, g.c1h, g.c2h);
    const auto interfaces = mass_times(s.ph, g.mub, s.mu, g.c1f, g.c2f);
    relax(tile, source.u, flux_of(ru), as_it_is(), row_of(t.u));
    relax(tile, source.v, flux_of(rv), as_it_is(), row_of(t.v));
    relax(tile, source.theta, layers, divided_by(g.msfty), row_of(t.theta));
    relax(tile, source.ph, interfaces, divided_by(g.msfty), row_of(t.ph));
    relax(tile, source.mu, column_of(s.mu), as_it_is(), [mu = t.mu](int, int j) { return mu.row(j); });
    if (source.w.levels() > 0) // WRF forgets the map factor of the model's own w
        relax(tile, source.w, mass_over_metric_times(s.w, g.mub, s.mu, g.msfty, g.c1f, g.c2f), as_it_is(),
              row_of(t.w));
}

void RelaxedRows::add_to_scalar(const Range &tile, const RimFieldView &of_source, ConstField3 q,
                                ConstField2 mu, Field3 tend) const {
    if (keeps_constants)
        relax_carried(tile, of_source, q, mu, tend);
    else
        relax(tile, of_source, mass_times(q, grid.mub, mu, grid.c1h, grid.c2h), divided_by(grid.msfty),
              row_of(tend));
}

void RelaxedRows::clear_water(const Range &tile) const {
    rim.for_each_line(tile.with_k(0, 1), Points::cells, first, last, [&](const RimLine &line) {
        for_each_column(line.points, [sum = water](int i, int j) { sum(i, j) = 0; });
    });
}

void RelaxedRows::add_water(const Range &tile, ConstField3 tend) const {
    rim.for_each_line(tile.with_k(0, grid.nz), Points::cells, first, last, [&](const RimLine &line) {
        for_each_row(line.points, [&](int k, int j) {
            return [row = tend.row(k, j), sum = water.row(j), thickness = -double(grid.dnw[k])](int i) {
                sum[i] += thickness * double(row[i]);
            };
        });
    });
}
} // namespace squall
