/// Rows near the poles, whose cells are so narrow that air comes from farther than the next one: every new
/// cell is joined of the whole cells and parts of cells that lay between the points from which its faces' air
/// comes. No Courant number limits that (Lin and Rood 1996 do so with fluxes).
#pragma once

#include <vector>

#include "moments/join.hpp"

namespace squall::transport {

/// How n cells of a row are made of those of a longer one. A new cell of at most three pieces is cut as one
/// whose air comes from the next cells, around another old cell than its own; where these lie side by side,
/// too, they are a loop over vectors.
class FarCuts {
  public:
    explicit FarCuts(int n) : n_(n), space_(static_cast<std::size_t>(n)), cuts_(space_.from(0)) {}
    FarCuts(const FarCuts &) = delete;
    FarCuts &operator=(const FarCuts &) = delete;

    /// `air`: masses of n cells with `reach` more on either side. `through`: mass that passes the n + 1 faces
    /// [kg]. Throws LocalError where that comes from farther than `reach` cells.
    void cut(const double *air, const double *through, int reach);

    const double *mass() const { return cuts_.mass; } ///< of the new cells

    /// The new moments, by those of the longer row, of which one cell more on either side is memory with
    /// numbers in it.
    template <Scheme scheme, class Old> void join(const Old &old, const Rows<double> &out) const {
        for (const Run &run : runs_)
            transport::join<scheme>(shifted(old, run.own - 1), shifted(old, run.own),
                                    shifted(old, run.own + 1), shifted(cuts_, run.begin),
                                    shifted(out, run.begin), run.count);
        for (const Wide &wide : wide_) {
            std::array<double, 10> sum{};
            for (std::size_t p = wide.begin; p < wide.end; ++p)
                add_piece<scheme>(old, pieces_[p].cell, pieces_[p].from, pieces_[p].to, sum);
            for (std::size_t m = 0; m < static_cast<std::size_t>(moments_of(scheme)); ++m)
                out[m][wide.cell] = sum[m];
        }
    }

  private:
    /// A point in a row: which cell, and how much of its mass lies west of it.
    struct Point {
        int cell;
        double west;
    };
    /// New cells `begin` and so on, `count` of them, around the old cells `own` and so on.
    struct Run {
        int begin, count, own;
    };
    struct Piece {
        int cell;
        Part from, to;
    };
    /// A new cell of more than three pieces.
    struct Wide {
        int cell;
        std::size_t begin, end;
    };
    static Point origin(const double *air, double through, int face, int cells);
    void add_cell(const double *air, int cell, Point west, Point east);
    void add_wide(const double *air, int cell, Point west, Point east);

    int n_;
    CutSpace space_;
    Cuts cuts_;
    Scratch<Run> runs_;
    Scratch<Wide> wide_;
    Scratch<Piece> pieces_;
};

} // namespace squall::transport
