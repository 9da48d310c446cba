/// Cells cut at the points from which their new faces' air comes, and joined to new cells.
///
/// A piece that is the part `share` of a cell around `centre` (from -1 to 1) has the moments of the cell's
/// polynomial on it; a new cell has those of the polynomial that is nearest to its pieces, each the part
/// `share` of it around `centre`: Prather (1986), equations 8 to 11, for pieces anywhere.
#pragma once

#include <cmath>

#include "moments/basis.hpp"

namespace squall::transport {

/// By value: of references to what is a loop's own, GCC 12 takes those of other lanes.
inline double lesser(double a, double b) { return a < b ? a : b; }
inline double greater(double a, double b) { return a > b ? a : b; }
inline double within(double x, double bound) { return lesser(bound, greater(-bound, x)); }

/// What a piece is of something: its share of the mass, and where its middle lies.
struct Part {
    double share, centre;
    /// The integral of P2 over the part, per share.
    double bend() const { return 0.5 * (3 * centre * centre + share * share - 1); }
};

/// Adds the piece `from` of cell `i` of `old` to what is the part `to` of the new cell `sum`.
template <Scheme scheme>
inline void add_piece(const Rows<const double> &old, std::ptrdiff_t i, Part from, Part to,
                      std::array<double, 10> &sum) {
    const double a = from.share, c = from.centre;
    if constexpr (scheme == Scheme::slopes) {
        const double s = a * (old[mean][i] + c * old[along][i]);
        sum[mean] += s;
        sum[along] += to.share * (a * a * old[along][i]) + 3 * to.centre * s;
        sum[across_a] += a * old[across_a][i];
        sum[across_b] += a * old[across_b][i];
    } else {
        const double sxx = old[second][i];
        const double s = a * (old[mean][i] + c * old[along][i] + from.bend() * sxx);
        const double sx = a * a * (old[along][i] + 3 * c * sxx);
        const double sa = a * (old[across_a][i] + c * old[mixed_a][i]);
        const double sb = a * (old[across_b][i] + c * old[mixed_b][i]);
        sum[mean] += s;
        sum[along] += to.share * sx + 3 * to.centre * s;
        sum[second] +=
            to.share * to.share * (a * a * a * sxx) + 5 * to.centre * to.share * sx + 5 * to.bend() * s;
        sum[across_a] += sa;
        sum[across_b] += sb;
        sum[mixed_a] += to.share * (a * a * old[mixed_a][i]) + 3 * to.centre * sa;
        sum[mixed_b] += to.share * (a * a * old[mixed_b][i]) + 3 * to.centre * sb;
        for (int m = 7; m < 10; ++m)
            sum[static_cast<std::size_t>(m)] += a * old[static_cast<std::size_t>(m)][i];
    }
}

/// How a line of cells is cut where no air comes from farther than the next cell: the share that a cell loses
/// through its lower and its upper face, and the share of a new cell that came in through them.
struct Cuts {
    double *low_out, *high_out, *low_in, *high_in;
    double *low_taken, *high_taken; ///< the shares of the lower and the upper neighbour that came in
    double *mass;                   ///< of the new cell
};

/// Fills `cuts` for n cells by the masses of theirs and their neighbours' old air and by the mass that passes
/// their lower and upper faces, upwards.
inline void cut(const double *lower, const double *own, const double *upper, const double *through_low,
                const double *through_high, const Cuts &cuts, int n) {
#pragma omp simd
    for (int i = 0; i < n; ++i) {
        const double in_low = greater(through_low[i], 0), out_low = greater(-through_low[i], 0);
        const double in_high = greater(-through_high[i], 0), out_high = greater(through_high[i], 0);
        const double after = own[i] + through_low[i] - through_high[i];
        cuts.mass[i] = after;
        cuts.low_taken[i] = in_low / lower[i], cuts.high_taken[i] = in_high / upper[i];
        cuts.low_out[i] = out_low / own[i], cuts.high_out[i] = out_high / own[i];
        cuts.low_in[i] = in_low / after, cuts.high_in[i] = in_high / after;
    }
}

/// The new moments of n cells of such a line. `out` may not be memory of the others.
template <Scheme scheme>
inline void join(const Rows<const double> &lower, const Rows<const double> &own,
                 const Rows<const double> &upper, const Cuts &cuts, const Rows<double> &out, int n) {
#pragma omp simd
    for (int i = 0; i < n; ++i) {
        std::array<double, 10> sum{};
        const double low = cuts.low_in[i], high = cuts.high_in[i];
        const double low_taken = cuts.low_taken[i], high_taken = cuts.high_taken[i];
        const double low_out = cuts.low_out[i], high_out = cuts.high_out[i];
        add_piece<scheme>(lower, i, {low_taken, 1 - low_taken}, {low, low - 1}, sum);
        add_piece<scheme>(own, i, {1 - low_out - high_out, low_out - high_out}, {1 - low - high, low - high},
                          sum);
        add_piece<scheme>(upper, i, {high_taken, high_taken - 1}, {high, 1 - high}, sum);
        for (std::size_t m = 0; m < static_cast<std::size_t>(moments_of(scheme)); ++m) out[m][i] = sum[m];
    }
}

/// Limits the moments along a direction so that no part of a cell has negative mass: Prather (1986), his
/// section on positive fields; of slopes, |sx| <= s.
template <Scheme scheme> inline void keep_positive(const Rows<double> &rows, int n) {
#pragma omp simd
    for (int i = 0; i < n; ++i) {
        const double s = greater(rows[mean][i], 0);
        if constexpr (scheme == Scheme::slopes) {
            rows[along][i] = within(rows[along][i], s);
        } else {
            const double sx = within(rows[along][i], 1.5 * s), steep = std::abs(sx);
            rows[along][i] = sx;
            rows[second][i] = lesser(2 * s - steep / 3, greater(steep - s, rows[second][i]));
            rows[mixed_a][i] = within(rows[mixed_a][i], s);
            rows[mixed_b][i] = within(rows[mixed_b][i], s);
        }
    }
}

} // namespace squall::transport
