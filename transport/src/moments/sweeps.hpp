/// The sweeps of one direction over a part of a patch, by one thread, all tracers one after the other by the
/// same cuts.
#pragma once

#include <algorithm>
#include <vector>

#include "globe/block.hpp"
#include "globe/neighbours.hpp"
#include "globe/scratch.hpp"
#include "moments/far.hpp"
#include "moments/join.hpp"

namespace squall::transport {

/// Lines that are swept side by side, so that a bundle's cuts and cells stay in the nearest cache.
inline constexpr int bundle_width = 64;

/// Memory is asked for so many cells of a line before these are joined: two joins take longer than it does.
inline constexpr int cells_ahead = 3;

/// The moments of a tracer that a direction's roles name, in memory.
inline Rows<double> rows_of(Block &block, Scheme scheme, Direction direction, int tracer, int k, int j,
                            int i) {
    Rows<double> rows{};
    for (std::size_t m = 0; m < static_cast<std::size_t>(moments_of(scheme)); ++m)
        rows[m] = block.row(1 + moments_of(scheme) * tracer + roles(direction)[m], k, j) + i;
    return rows;
}

/// Rows of scratch, each of so many cells, for the moments of one tracer.
class MomentSpace {
  public:
    MomentSpace(Scheme scheme, std::size_t cells)
        : moments_(static_cast<std::size_t>(moments_of(scheme))), cells_(cells), data_(moments_ * cells) {}
    Rows<double> rows() {
        Rows<double> rows{};
        for (std::size_t m = 0; m < moments_; ++m) rows[m] = data_.data() + m * cells_;
        return rows;
    }
    template <int fixed = 0> SpacedRows<fixed> spaced() const {
        return {data_.data(), static_cast<std::ptrdiff_t>(cells_)};
    }

  private:
    std::size_t moments_, cells_;
    Scratch<double> data_;
};

/// Copies the moments of n cells, limited or as they are.
template <Scheme scheme>
void take(const Rows<const double> &from, const Rows<double> &to, int n, bool positive) {
    if (positive) return keep_positive<scheme>(from, to, n);
    // in place: calls to copy rows as short as these take longer than the copies
    for (std::size_t m = 0; m < static_cast<std::size_t>(moments_of(scheme)); ++m) {
        const double *source = from[m];
        double *target = to[m];
#pragma omp simd
        for (int i = 0; i < n; ++i) target[i] = source[i];
    }
}

/// As join() does, and meanwhile asks for the memory of n cells that are wanted next: the processor does not
/// see by itself where lines go on. A few cells at a time, so that it never waits for room to ask in.
template <Scheme scheme, class Old>
void join_ahead(const Old &lower, const Old &own, const Old &upper, const Cuts &cuts, const Rows<double> &out,
                int n, const Rows<const double> &next) {
    constexpr int piece = 16, cache_line = 8; // cells
    for (int i = 0; i < n; i += piece) {
        const int size = std::min(piece, n - i);
        for (std::size_t m = 0; m < static_cast<std::size_t>(moments_of(scheme)); ++m)
            for (int c = 0; c < size; c += cache_line) __builtin_prefetch(next[m] + i + c);
        join<scheme>(shifted(lower, i), shifted(own, i), shifted(upper, i), shifted(cuts, i), shifted(out, i),
                     size);
    }
}

/// From west to east: rows with the cells that were fetched for them.
template <Scheme scheme> class RowSweep {
  public:
    RowSweep(const Neighbours &neighbours, int tracers, bool positive, int reach)
        : neighbours_(neighbours), tracers_(tracers), positive_(positive), reach_(reach),
          cells_(neighbours.patch().shape.nx + 2 * reach), air_(static_cast<std::size_t>(cells_)),
          space_(scheme, static_cast<std::size_t>(cells_) + 2), // FarCuts::join() reads beyond the ends
          cuts_(static_cast<std::size_t>(cells_)), far_(neighbours_.patch().shape.nx) {}

    void run(Block &block, const double *through, int k, int j) {
        const int n = block.shape().nx;
        neighbours_.copy_row(block, 0, k, j, air_.data());
        const Cuts cuts = cuts_.from(0);
        const double *air = air_.data() + reach_;
        reach_ > 1 ? far_.cut(air_.data(), through, reach_)
                   : cut(air - 1, air, air + 1, through, through + 1, cuts, n);
        for (int tracer = 0; tracer < tracers_; ++tracer) {
            const SpacedRows<> old = read(block, tracer, k, j);
            const Rows<double> out = rows_of(block, scheme, Direction::x, tracer, k, j, 0);
            if (reach_ > 1)
                far_.template join<scheme>(old, out);
            else
                join_ahead<scheme>(old, shifted(old, 1), shifted(old, 2), cuts, out, n,
                                   next(block, tracer + 1, k, j));
        }
        std::copy_n(reach_ > 1 ? far_.mass() : cuts.mass, n, block.row(0, k, j));
    }

  private:
    /// The row after those of the tracers before: of this layer, or of the one above.
    Rows<const double> next(Block &block, int tracer, int k, int j) const {
        if (tracer == tracers_) tracer = 0, k = std::min(k + 1, block.shape().nz - 1);
        return readable(rows_of(block, scheme, Direction::x, tracer, k, j, 0));
    }
    SpacedRows<> read(Block &block, int tracer, int k, int j) {
        const int n = block.shape().nx;
        const Rows<double> old = shifted(space_.rows(), 1), own = shifted(old, reach_),
                           east = shifted(own, n);
        take<scheme>(readable(rows_of(block, scheme, Direction::x, tracer, k, j, 0)), own, n, positive_);
        // after the row itself, which comes from memory as one piece
        for (std::size_t m = 0; m < static_cast<std::size_t>(moments_of(scheme)); ++m)
            neighbours_.copy_sides(block, 1 + moments_of(scheme) * tracer + roles(Direction::x)[m], k, j,
                                   old[m]);
        if (positive_) {
            keep_positive<scheme>(readable(old), old, reach_);
            keep_positive<scheme>(readable(east), east, reach_);
        }
        return shifted(space_.spaced(), 1);
    }

    const Neighbours &neighbours_;
    int tracers_;
    bool positive_;
    int reach_, cells_;
    Scratch<double> air_;
    MomentSpace space_;
    CutSpace cuts_;
    FarCuts far_;
};

/// From south to north or from the ground up: lines side by side, cell by cell along them.
template <Scheme scheme> class LineSweep {
  public:
    LineSweep(Direction direction, int length, int tracers, bool positive)
        : direction_(direction), length_(length), tracers_(tracers), positive_(positive),
          spaces_(3, MomentSpace(scheme, bundle_width)),
          cuts_(static_cast<std::size_t>(length * bundle_width)) {}

    /// `lines` of them from cell i on, of layer or row `other`.
    void run(Block &block, const MassFluxes &fluxes, int i, int lines, int other) {
        i_ = i, lines_ = lines, other_ = other;
        cut_all(block, fluxes);
        for (int tracer = 0; tracer < tracers_; ++tracer) {
            read(block, tracer, -1);
            read(block, tracer, 0);
            for (int l = 0; l < length_; ++l) {
                read(block, tracer, l + 1);
                join_ahead<scheme>(old(l - 1), old(l), old(l + 1), cuts(l), rows_at(block, tracer, l), lines_,
                                   next(block, tracer, l + cells_ahead));
            }
        }
        for (int l = 0; l < length_; ++l) std::copy_n(cuts(l).mass, lines_, air(block, l));
    }

  private:
    int k(int l) const { return direction_ == Direction::z ? l : other_; }
    int j(int l) const { return direction_ == Direction::z ? other_ : l; }
    /// The line's cell whose mixing ratio comes in at an end: rows have neighbours, columns none.
    int source(int l) const { return direction_ == Direction::z ? std::clamp(l, 0, length_ - 1) : l; }
    double *air(Block &block, int l) const { return block.row(0, k(l), j(l)) + i_; }
    Rows<double> rows_at(Block &block, int tracer, int l) const {
        return rows_of(block, scheme, direction_, tracer, k(l), j(l), i_);
    }
    /// What is read after the cells before l of a tracer.
    Rows<const double> next(Block &block, int tracer, int l) const {
        return readable(l < length_
                            ? rows_at(block, tracer, l)
                            : rows_at(block, std::min(tracer + 1, tracers_ - 1), source(l - length_)));
    }
    MomentSpace &space(int l) { return spaces_[static_cast<std::size_t>((l + 3) % 3)]; }
    SpacedRows<bundle_width> old(int l) { return space(l).template spaced<bundle_width>(); }
    Cuts cuts(int l) { return cuts_.from(static_cast<std::size_t>(l * bundle_width)); }

    void cut_all(Block &block, const MassFluxes &f) {
        for (int l = 0; l < length_; ++l) {
            const bool up = direction_ == Direction::z;
            const double *low = (up ? f.up_row(l, other_) : f.north_row(other_, l)) + i_;
            const double *high = (up ? f.up_row(l + 1, other_) : f.north_row(other_, l + 1)) + i_;
            cut(air(block, source(l - 1)), air(block, l), air(block, source(l + 1)), low, high, cuts(l),
                lines_);
        }
    }

    void read(Block &block, int tracer, int l) {
        const Rows<double> to = space(l).rows();
        take<scheme>(readable(rows_at(block, tracer, source(l))), to, lines_, positive_);
        if (source(l) == l) return;
        for (std::size_t m = 1; m < static_cast<std::size_t>(moments_of(scheme)); ++m)
            std::fill_n(to[m], lines_, 0.0); // beyond an end: no more than a mixing ratio
    }

    Direction direction_;
    int length_, tracers_;
    bool positive_;
    Scratch<MomentSpace> spaces_;
    CutSpace cuts_;
    int i_ = 0, lines_ = 0, other_ = 0;
};

} // namespace squall::transport
