/// Cells cut at the points from which their new faces' air comes, and joined to new cells.
///
/// A piece that is the part `share` of a cell around `centre` (from -1 to 1) has the moments of the cell's
/// polynomial on it; a new cell has those of the polynomial that is nearest to its pieces, each the part
/// `share` of it around `centre`: Prather (1986), equations 8 to 11, for pieces anywhere.
#pragma once

#include <cmath>
#include <vector>

#include "globe/scratch.hpp"
#include "moments/basis.hpp"

namespace squall::transport {

/// Moments by roles, as Rows, where the row of a role lies so many cells behind that of the one before it,
/// `fixed` if that is known: loops over many rows then have few addresses to keep.
template <int fixed = 0> struct SpacedRows {
    const double *first;
    std::ptrdiff_t pitch = fixed;

    const double *operator[](std::size_t role) const {
        return first + static_cast<std::ptrdiff_t>(role) * (fixed != 0 ? fixed : pitch);
    }
};
template <int fixed> SpacedRows<fixed> shifted(const SpacedRows<fixed> &rows, std::ptrdiff_t by) {
    return {rows.first + by, rows.pitch};
}

/// By value: of references to what is a loop's own, GCC 12 takes those of other lanes.
inline double lesser(double a, double b) { return a < b ? a : b; }
inline double greater(double a, double b) { return a > b ? a : b; }
inline double within(double x, double bound) { return lesser(bound, greater(-bound, x)); }

/// What a piece is of something: its share of the mass, and where its middle lies.
struct Part {
    double share, centre;
};

/// The integral of P2 over a part, per share.
inline double bend(double share, double centre) { return 0.5 * (3 * centre * centre + share * share - 1); }

// Moments of the part of cell i with the share a around c, in the part's own coordinates. Numbers only, no
// structures: loops over these become vectors.

template <Scheme scheme, class Old>
inline double piece_mean(const Old &old, std::ptrdiff_t i, double a, double c) {
    if constexpr (scheme == Scheme::slopes) return a * (old[mean][i] + c * old[along][i]);
    return a * (old[mean][i] + c * old[along][i] + bend(a, c) * old[second][i]);
}

template <Scheme scheme, class Old>
inline double piece_along(const Old &old, std::ptrdiff_t i, double a, double c) {
    if constexpr (scheme == Scheme::slopes) return a * a * old[along][i];
    return a * a * (old[along][i] + 3 * c * old[second][i]);
}

template <Scheme scheme, class Old>
inline double piece_across(const Old &old, std::size_t across, std::size_t mixed, std::ptrdiff_t i, double a,
                           double c) {
    if constexpr (scheme == Scheme::slopes) return a * old[across][i];
    return a * (old[across][i] + c * old[mixed][i]);
}

/// What a piece with these moments adds to the second moment of the cell of which it is the part (a, c).
inline double to_second(double s, double sx, double sxx, double a, double c) {
    return a * a * sxx + 5 * c * a * sx + 5 * bend(a, c) * s;
}

/// Adds the piece `from` of cell `i` of `old` to what is the part `to` of the new cell `sum`.
template <Scheme scheme, class Old>
inline void add_piece(const Old &old, std::ptrdiff_t i, Part from, Part to, std::array<double, 10> &sum) {
    const double a = from.share, c = from.centre;
    const double s = piece_mean<scheme>(old, i, a, c), sx = piece_along<scheme>(old, i, a, c);
    const double sa = piece_across<scheme>(old, across_a, mixed_a, i, a, c),
                 sb = piece_across<scheme>(old, across_b, mixed_b, i, a, c);
    sum[mean] += s;
    sum[along] += to.share * sx + 3 * to.centre * s;
    sum[across_a] += sa;
    sum[across_b] += sb;
    if constexpr (scheme == Scheme::second_order) {
        sum[second] += to_second(s, sx, a * a * a * old[second][i], to.share, to.centre);
        sum[mixed_a] += to.share * (a * a * old[mixed_a][i]) + 3 * to.centre * sa;
        sum[mixed_b] += to.share * (a * a * old[mixed_b][i]) + 3 * to.centre * sb;
        for (std::size_t m = 7; m < 10; ++m) sum[m] += a * old[m][i];
    }
}

/// How a line of cells is cut where no air comes from farther than the next cell: the share that a cell loses
/// through its lower and its upper face, and the share of a new cell that came in through them.
struct Cuts {
    double *low_out, *high_out, *low_in, *high_in;
    double *low_taken, *high_taken; ///< the shares of the lower and the upper neighbour that came in
    double *mass;                   ///< of the new cell
};

inline Cuts shifted(const Cuts &c, std::ptrdiff_t by) {
    return {c.low_out + by,   c.high_out + by,   c.low_in + by, c.high_in + by,
            c.low_taken + by, c.high_taken + by, c.mass + by};
}

/// Scratch for cuts of so many cells.
class CutSpace {
  public:
    explicit CutSpace(std::size_t cells) : cells_(cells), data_(7 * cells) {}
    Cuts from(std::size_t begin) {
        const auto at = [&](std::size_t n) { return data_.data() + n * cells_ + begin; };
        return {at(0), at(1), at(2), at(3), at(4), at(5), at(6)};
    }

  private:
    std::size_t cells_;
    Scratch<double> data_;
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

/// The new moments of n cells of such a line, each of a piece of the lower neighbour (1), of its own old cell
/// (2) and of the upper neighbour (3), as add_piece() has them. `out` may not be memory of the others.
template <Scheme scheme, class Old>
inline void join(const Old &lower, const Old &own, const Old &upper, const Cuts &cuts,
                 const Rows<double> &out, int n) {
#pragma omp simd
    for (int i = 0; i < n; ++i) {
        // shares and middles: of the old cells in small letters, of the new one in large ones
        const double a1 = cuts.low_taken[i], a3 = cuts.high_taken[i], c1 = 1 - a1, c3 = a3 - 1;
        const double a2 = 1 - cuts.low_out[i] - cuts.high_out[i], c2 = cuts.low_out[i] - cuts.high_out[i];
        const double A1 = cuts.low_in[i], A3 = cuts.high_in[i], A2 = 1 - A1 - A3;
        const double C1 = A1 - 1, C2 = A1 - A3, C3 = 1 - A3;

        const double s1 = piece_mean<scheme>(lower, i, a1, c1), s2 = piece_mean<scheme>(own, i, a2, c2),
                     s3 = piece_mean<scheme>(upper, i, a3, c3);
        const double x1 = piece_along<scheme>(lower, i, a1, c1), x2 = piece_along<scheme>(own, i, a2, c2),
                     x3 = piece_along<scheme>(upper, i, a3, c3);
        const double p1 = piece_across<scheme>(lower, across_a, mixed_a, i, a1, c1),
                     p2 = piece_across<scheme>(own, across_a, mixed_a, i, a2, c2),
                     p3 = piece_across<scheme>(upper, across_a, mixed_a, i, a3, c3);
        const double q1 = piece_across<scheme>(lower, across_b, mixed_b, i, a1, c1),
                     q2 = piece_across<scheme>(own, across_b, mixed_b, i, a2, c2),
                     q3 = piece_across<scheme>(upper, across_b, mixed_b, i, a3, c3);
        out[mean][i] = s1 + s2 + s3;
        out[along][i] = A1 * x1 + A2 * x2 + A3 * x3 + 3 * (C1 * s1 + C2 * s2 + C3 * s3);
        out[across_a][i] = p1 + p2 + p3;
        out[across_b][i] = q1 + q2 + q3;
        if constexpr (scheme == Scheme::second_order) {
            const double w1 = a1 * a1, w2 = a2 * a2, w3 = a3 * a3;
            out[second][i] = to_second(s1, x1, w1 * a1 * lower[second][i], A1, C1) +
                             to_second(s2, x2, w2 * a2 * own[second][i], A2, C2) +
                             to_second(s3, x3, w3 * a3 * upper[second][i], A3, C3);
            out[mixed_a][i] = A1 * (w1 * lower[mixed_a][i]) + A2 * (w2 * own[mixed_a][i]) +
                              A3 * (w3 * upper[mixed_a][i]) + 3 * (C1 * p1 + C2 * p2 + C3 * p3);
            out[mixed_b][i] = A1 * (w1 * lower[mixed_b][i]) + A2 * (w2 * own[mixed_b][i]) +
                              A3 * (w3 * upper[mixed_b][i]) + 3 * (C1 * q1 + C2 * q2 + C3 * q3);
            out[7][i] = a1 * lower[7][i] + a2 * own[7][i] + a3 * upper[7][i];
            out[8][i] = a1 * lower[8][i] + a2 * own[8][i] + a3 * upper[8][i];
            out[9][i] = a1 * lower[9][i] + a2 * own[9][i] + a3 * upper[9][i];
        }
    }
}

/// Copies the moments of n cells and limits those along a direction so that no part of a cell has negative
/// mass: Prather (1986), his section on positive fields; of slopes, |sx| <= s. `to` may be `from`.
template <Scheme scheme>
inline void keep_positive(const Rows<const double> &from, const Rows<double> &to, int n) {
#pragma omp simd
    for (int i = 0; i < n; ++i) {
        const double mass = from[mean][i], s = greater(mass, 0);
        to[mean][i] = mass;
        to[across_a][i] = from[across_a][i], to[across_b][i] = from[across_b][i];
        if constexpr (scheme == Scheme::slopes) {
            to[along][i] = within(from[along][i], s);
        } else {
            const double sx = within(from[along][i], 1.5 * s), steep = std::abs(sx);
            to[along][i] = sx;
            to[second][i] = lesser(2 * s - steep * (1.0 / 3), greater(steep - s, from[second][i]));
            to[mixed_a][i] = within(from[mixed_a][i], s);
            to[mixed_b][i] = within(from[mixed_b][i], s);
            to[7][i] = from[7][i], to[8][i] = from[8][i], to[9][i] = from[9][i];
        }
    }
}

} // namespace squall::transport
