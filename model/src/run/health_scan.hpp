/// Looking at a state for what it must not have, and for its largest Courant numbers and winds.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "run/extremes.hpp"

namespace squall {

/// What a scan looks for.
enum Quantity { horizontal, vertical, w_largest, not_finite, notices, quantities };
using Found = std::array<Placed, quantities>;

/// Keeps the better of each.
inline void merge(Found &best, const Found &other) {
    for (std::size_t q = 0; q < quantities; ++q)
        if (other[q].beats(best[q])) best[q] = other[q];
}

/// Orders the points of the domain as they lie in memory: by j, then k, then i.
struct PointOrder {
    int x0, y0, nx_domain, nz; ///< where the patch lies, and layers

    std::int64_t place(int i, int k, int j) const {
        return ((std::int64_t(j + y0) * (nz + 1)) + k) * nx_domain + i + x0;
    }
};

/// What a scan sees, as kernels hold it.
struct HealthScan {
    static constexpr int variables = 6; ///< beside scalars: u, v, w, theta, ph, mu

    ConstField3 u, v, w, theta, ph, phb;
    ConstField2 mu, msfux, msfvy;
    const ConstField3 *scalars;
    int scalar_count, nz;
    real rdx_dt, rdy_dt, g_dt;
    PointOrder order;

    /// What a tile of the patch has: the largest values and the first points that have them; of what is not
    /// finite the place is that of the first point times the number of variables and scalars, plus which.
    Found operator()(const Range &tile) const;

  private:
    /// Largest values in one row; `finite` is 0 unless some value of the row is not finite.
    struct RowScan {
        real horizontal = 0, vertical = 0, w = 0, finite = 0;
    };
    // Functions of i in a row.
    auto courant_horizontal(int k, int j) const {
        return [u = u.row(k, j), v = v.row(k, j), mx = msfux.row(j), my = msfvy.row(j), rdx_dt = rdx_dt,
                rdy_dt = rdy_dt](int i) {
            return rdx_dt * mx[i] * std::abs(u[i]) + rdy_dt * my[i] * std::abs(v[i]);
        };
    }
    auto courant_vertical(int k, int j) const {
        return [w = w.row(k, j), wa = w.row(k + 1, j), ph = ph.row(k, j), pha = ph.row(k + 1, j),
                phb = phb.row(k, j), phba = phb.row(k + 1, j), g_dt = g_dt](int i) {
            const real thickness = (pha[i] + phba[i]) - (ph[i] + phb[i]);
            return g_dt * std::max(std::abs(w[i]), std::abs(wa[i])) / thickness;
        };
    }
    auto wind_vertical(int k, int j) const {
        return [w = w.row(k, j)](int i) { return std::abs(w[i]); };
    }
    RowScan scan(int i0, int i1, int k, int j) const;
    RowScan scan_top(int i0, int i1, int j) const;
    Placed first_not_finite(const Range &tile) const;
};

} // namespace squall
