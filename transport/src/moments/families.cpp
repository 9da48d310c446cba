#include "moments/families.hpp"

#include <cmath>

#include "globe/rows.hpp"
#include "moments/sweeps.hpp"

namespace squall::transport {
namespace {

/// Lowers the shares of n cells to what keeps one member within the bounds of keep_positive(), which are all
/// straight lines through s = 0: what is too large by a factor is divided by it.
void lower_shares(const Rows<const double> &m, bool curved, double *shares, int n) {
    for (int i = 0; i < n; ++i) {
        const double s = greater(m[mean][i], 0), steep = std::abs(m[along][i]);
        double wanted = steep;
        if (curved) {
            const double bent = m[second][i];
            wanted = greater(greater(steep / 1.5, steep - bent), (bent + steep / 3) / 2);
            wanted = greater(wanted, greater(std::abs(m[mixed_a][i]), std::abs(m[mixed_b][i])));
        }
        shares[i] = wanted > s ? lesser(shares[i], s / wanted) : shares[i];
    }
}

void take_shares(const Rows<double> &m, bool curved, const double *shares, int n) {
    for (const int moment : {along, second, mixed_a, mixed_b}) {
        if (moment != along && !curved) return;
        double *row = m[static_cast<std::size_t>(moment)];
        for (int i = 0; i < n; ++i) row[i] *= shares[i];
    }
}

} // namespace

void limit_together(Block &block, Scheme scheme, Direction direction, const Families &families) {
    const Shape &s = block.shape();
    const bool curved = scheme == Scheme::second_order;
    for_each_row(s.ny, [&](int j) {
        Scratch<double> shares(static_cast<std::size_t>(s.nx));
        for (const auto &family : families)
            for (int k = 0; k < s.nz; ++k) {
                shares.assign(shares.size(), 1.0);
                for (const int tracer : family)
                    lower_shares(readable(rows_of(block, scheme, direction, tracer, k, j, 0)), curved,
                                 shares.data(), s.nx);
                for (const int tracer : family)
                    take_shares(rows_of(block, scheme, direction, tracer, k, j, 0), curved, shares.data(),
                                s.nx);
            }
    });
}

} // namespace squall::transport
