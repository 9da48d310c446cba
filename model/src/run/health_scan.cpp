#include "run/health_scan.hpp"

namespace squall {
namespace {

/// 0 for a finite number, else NaN; sums of it keep the NaN.
real finiteness(real x) { return x - x; }

/// 0 where all of a row are finite, else NaN.
real finiteness(const real *row, int i0, int i1) {
    real bad = 0;
#pragma omp simd reduction(+ : bad)
    for (int i = i0; i < i1; ++i) bad += finiteness(row[i]);
    return bad;
}

/// The first i of [i0, i1) where value(i) is largest.
template <class F> int first_largest(int i0, int i1, F value) {
    int best = i0;
    for (int i = i0 + 1; i < i1; ++i)
        if (value(i) > value(best)) best = i;
    return best;
}

} // namespace

/// On layer k, and on the interface below it.
HealthScan::RowScan HealthScan::scan(int i0, int i1, int k, int j) const {
    real ch = 0, cv = 0, wm = 0, bad = 0;
    const auto across = courant_horizontal(k, j);
    const auto up = courant_vertical(k, j);
    const auto wind = wind_vertical(k, j);
    const real *const un = u.row(k, j), *const vn = v.row(k, j), *const wn = w.row(k, j),
                      *const tn = theta.row(k, j), *const pn = ph.row(k, j);
#pragma omp simd reduction(max : ch, cv, wm) reduction(+ : bad)
    for (int i = i0; i < i1; ++i) {
        ch = std::max(ch, across(i));
        cv = std::max(cv, up(i));
        wm = std::max(wm, wind(i));
        bad +=
            finiteness(un[i]) + finiteness(vn[i]) + finiteness(wn[i]) + finiteness(tn[i]) + finiteness(pn[i]);
    }
    return {ch, cv, wm, bad};
}

/// On the top interface, and the column mass.
HealthScan::RowScan HealthScan::scan_top(int i0, int i1, int j) const {
    real wm = 0, bad = 0;
    const auto wind = wind_vertical(nz, j);
    const real *const wn = w.row(nz, j), *const pn = ph.row(nz, j), *const mn = mu.row(j);
#pragma omp simd reduction(max : wm) reduction(+ : bad)
    for (int i = i0; i < i1; ++i) {
        wm = std::max(wm, wind(i));
        bad += finiteness(wn[i]) + finiteness(pn[i]) + finiteness(mn[i]);
    }
    return {0, 0, wm, bad};
}

Found HealthScan::operator()(const Range &t) const {
    Found found;
    real bad = 0;
    const auto keep = [&](Quantity q, real value, int k, int j, auto of) {
        if (double(value) > found[q].value)
            found[q] = {double(value), order.place(first_largest(t.i0, t.i1, of), k, j)};
    };
    for (int j = t.j0; j < t.j1; ++j)
        for (int k = 0; k <= nz; ++k) {
            const RowScan s = k < nz ? scan(t.i0, t.i1, k, j) : scan_top(t.i0, t.i1, j);
            keep(horizontal, s.horizontal, k, j, courant_horizontal(k, j));
            keep(vertical, s.vertical, k, j, courant_vertical(k, j));
            keep(w_largest, s.w, k, j, wind_vertical(k, j));
            bad += s.finite;
            for (int n = 0; k < nz && n < scalar_count; ++n)
                bad += finiteness(scalars[n].row(k, j), t.i0, t.i1);
        }
    if (bad != 0) found[not_finite] = first_not_finite(t);
    return found;
}

Placed HealthScan::first_not_finite(const Range &t) const {
    const std::int64_t all = variables + scalar_count;
    for (int j = t.j0; j < t.j1; ++j)
        for (int k = 0; k <= nz; ++k)
            for (int i = t.i0; i < t.i1; ++i) {
                const bool layer = k < nz;
                const real values[variables] = {layer ? u(i, k, j) : 0,
                                                layer ? v(i, k, j) : 0,
                                                w(i, k, j),
                                                layer ? theta(i, k, j) : 0,
                                                ph(i, k, j),
                                                k == 0 ? mu(i, j) : 0};
                for (int n = 0; n < variables; ++n)
                    if (!std::isfinite(values[n])) return {1, order.place(i, k, j) * all + n};
                for (int n = 0; layer && n < scalar_count; ++n)
                    if (!std::isfinite(scalars[n](i, k, j)))
                        return {1, order.place(i, k, j) * all + variables + n};
            }
    return {};
}

} // namespace squall
