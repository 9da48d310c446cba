/// The rim of a domain: lines of points along its sides, counted inward.
///
/// A point belongs to the side that it is nearest to; the south and the north own the diagonals of
/// the corners. Its distance is the number of points of its own kind between it and that side: 0 on
/// the outermost, so that the x faces 0 and nx both have distance 0.
#pragma once

#include <algorithm>

#include "core/loop.hpp"
#include "initial/input_file.hpp"
#include "parallel/decomposition.hpp"

namespace squall {

enum class Side { south, north, west, east };
inline constexpr Side all_sides[] = {Side::south, Side::north, Side::west, Side::east};

/// Whether the lines of a side run west-east.
inline bool runs_east(Side side) { return side == Side::south || side == Side::north; }

/// A part of the points of one side at one distance: `points` is one row or one column.
struct RimLine {
    Side side;
    int distance;
    Range points;
    int along_i() const { return runs_east(side) ? 1 : 0; } ///< step along the line
    int along_j() const { return runs_east(side) ? 0 : 1; }
    /// Step to the next line outward.
    int outward_i() const { return side == Side::west ? -1 : side == Side::east ? 1 : 0; }
    int outward_j() const { return side == Side::south ? -1 : side == Side::north ? 1 : 0; }
};

/// Where a cell lies on the rim.
struct RimPlace {
    Side side;
    int distance;
    int along; ///< patch-local index along the side
};

/// A column of points, in patch-local indices.
struct Column {
    int i, j;
};

/// The rim as one patch sees it. Ranges are in patch-local indices.
class Rim {
  public:
    explicit Rim(const Patch &patch) : p_(patch) {}

    int columns(Points points) const { return p_.nx_domain + (points == Points::x_faces); }
    int rows(Points points) const { return p_.ny_domain + (points == Points::y_faces); }

    /// Runs f(line) for the part of `range` at distances [first, last), line by line.
    template <class F> void for_each_line(const Range &range, Points points, int first, int last, F f) const {
        for (const Side side : all_sides)
            for (int distance = first; distance < last; ++distance) {
                const Range part = meet(range, line(side, distance, points));
                if (!part.empty()) f(RimLine{side, distance, part});
            }
    }

    /// The part of `range` that is at least `width` points away from every side.
    Range inner(const Range &range, Points points, int width) const {
        return meet(range, {width - p_.x0, columns(points) - width - p_.x0, width - p_.y0,
                            rows(points) - width - p_.y0, range.k0, range.k1});
    }

    /// Whether a point is one of the patch's own or beside them: strips hold more at the corners.
    bool in_stencils(Column c) const {
        return c.i >= -1 && c.i <= p_.shape.nx + 1 && c.j >= -1 && c.j <= p_.shape.ny + 1;
    }

    /// The point of a side at a distance and a place along it.
    Column column(Side side, int distance, int along, Points points) const {
        const Range r = line(side, distance, points);
        return runs_east(side) ? Column{along, r.j0} : Column{r.i0, along};
    }

    /// The side that a cell belongs to; beyond the domain, that of the outermost cell.
    RimPlace locate(int i, int j) const {
        const int x = std::clamp(i + p_.x0, 0, p_.nx_domain - 1),
                  y = std::clamp(j + p_.y0, 0, p_.ny_domain - 1);
        const int south = y, north = p_.ny_domain - 1 - y, west = x, east = p_.nx_domain - 1 - x;
        const int d = std::min({south, north, west, east});
        if (south == d) return {Side::south, d, x - p_.x0};
        if (north == d) return {Side::north, d, x - p_.x0};
        return {west == d ? Side::west : Side::east, d, y - p_.y0};
    }

    /// i and j of the point nearest to (i, j) that is at least `width` cells away from every side.
    int inner_i(int i, int width) const {
        return std::clamp(i, width - p_.x0, p_.nx_domain - 1 - width - p_.x0);
    }
    int inner_j(int j, int width) const {
        return std::clamp(j, width - p_.y0, p_.ny_domain - 1 - width - p_.y0);
    }

  private:
    static Range meet(const Range &a, const Range &b) {
        return {std::max(a.i0, b.i0),
                std::min(a.i1, b.i1),
                std::max(a.j0, b.j0),
                std::min(a.j1, b.j1),
                a.k0,
                a.k1};
    }

    /// All points of a side at a distance.
    Range line(Side side, int d, Points points) const {
        const int ni = columns(points), nj = rows(points);
        const auto local = [&](int i0, int i1, int j0, int j1) {
            return Range{i0 - p_.x0, i1 - p_.x0, j0 - p_.y0, j1 - p_.y0, 0, 0};
        };
        switch (side) {
        case Side::south:
            return local(d, ni - d, d, d + 1);
        case Side::north:
            return local(d, ni - d, nj - 1 - d, nj - d);
        case Side::west:
            return local(d, d + 1, d + 1, nj - 1 - d);
        default:
            return local(ni - 1 - d, ni - d, d + 1, nj - 1 - d);
        }
    }

    Patch p_;
};

} // namespace squall
