#include "physics/column_batch.hpp"

#include <array>

namespace squall {

ConstColumns ColumnBatch::species(int index) const {
    return index < 0 ? ConstColumns{}
                     : columns_at(state.scalars[static_cast<std::size_t>(index)].view(), i0, j);
}

void find_weight(const ColumnBatch &b, int nz, int waters, Columns weight) {
    std::array<real, columns_at_a_time> water;
    real *const sum = water.data();
    std::fill_n(weight.row(nz), b.n, b.grid.p_top);
    for (int k = nz - 1; k >= 0; --k) {
        const auto q = [&](int n) { return b.species(n).row(k); };
        if (waters % 2 == 0)
            std::fill_n(sum, b.n, real(0));
        else
            for_each_i(0, b.n, [sum, q = q(0)](int i) { sum[i] = real(0) + q[i]; });
        for (int n = waters % 2; n < waters; n += 2)
            for_each_i(0, b.n, [sum, q = q(n), next = q(n + 1)](int i) { sum[i] = sum[i] + q[i] + next[i]; });
        for_each_i(0, b.n,
                   [sum, p = weight.row(k), above = weight.row(k + 1), c1 = b.grid.c1h[k], c2 = b.grid.c2h[k],
                    dnw = b.grid.dnw[k], mub = b.row(b.grid.mub), mu = b.row(b.state.mu.view())](int i) {
                       p[i] = above[i] - (1 + sum[i]) * (c1 * (mub[i] + mu[i]) + c2) * dnw;
                   });
    }
}

void find_wind(const ColumnBatch &b, int k, real *u, real *v) {
    const ConstField3 north = b.state.v.view();
    for_each_i(0, b.n,
               [u, v, west = b.row(b.state.u.view(), k), south = b.row(north, k),
                north = north.row(k, b.j + 1) + b.i0](int i) {
                   u[i] = real(0.5) * (west[i] + west[i + 1]);
                   v[i] = real(0.5) * (south[i] + north[i]);
               });
}

} // namespace squall
