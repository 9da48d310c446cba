/// Rows near the poles, whose cells are so narrow that air comes from farther than the next one: every new
/// cell is joined of the whole cells and parts of cells that lay between the points from which its faces' air
/// comes. No Courant number limits that (Lin and Rood 1996 do so with fluxes).
#pragma once

#include <vector>

#include "moments/join.hpp"

namespace squall::transport {

/// How n cells of a row are made of those of a longer one.
class FarCuts {
  public:
    /// `air`: masses of n cells with `reach` more on either side. `through`: mass that passes the n + 1 faces
    /// [kg]. Throws LocalError where that comes from farther than `reach` cells.
    void cut(const double *air, const double *through, int reach, int n);

    const double *mass() const { return mass_.data(); } ///< of the new cells

    /// The new moments, by those of the longer row.
    template <Scheme scheme> void join(const Rows<const double> &old, const Rows<double> &out) const {
        for (std::size_t i = 0; i + 1 < begins_.size(); ++i) {
            std::array<double, 10> sum{};
            for (std::size_t p = begins_[i]; p < begins_[i + 1]; ++p)
                add_piece<scheme>(old, pieces_[p].cell, pieces_[p].from, pieces_[p].to, sum);
            for (std::size_t m = 0; m < static_cast<std::size_t>(moments_of(scheme)); ++m) out[m][i] = sum[m];
        }
    }

  private:
    /// A point in a row: which cell, and how much of its mass lies west of it.
    struct Point {
        int cell;
        double west;
    };
    struct Piece {
        int cell;
        Part from, to;
    };
    static Point origin(const double *air, double through, int face, int cells);
    void add_pieces(const double *air, Point west, Point east, double mass);

    std::vector<std::size_t> begins_;
    std::vector<Piece> pieces_;
    std::vector<double> mass_;
};

} // namespace squall::transport
