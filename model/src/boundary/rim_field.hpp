/// One variable of a boundary file on the rim of a patch: values at the beginning of the file's
/// record and their tendencies.
#pragma once

#include <array>
#include <vector>

#include "boundary/rim.hpp"
#include "core/array.hpp"
#include "core/kernel_memory.hpp"

namespace squall {

/// Rows of a value and of its tendency; [i] is at column i (of a column: only its own i, and i - 1
/// and i + 1 are the points south and north of it).
struct RimRow {
    const real *value, *tendency;
    /// The value `elapsed` seconds after the beginning of the record.
    real at(int i, real elapsed) const { return value[i] + elapsed * tendency[i]; }
};

/// The lines of one side that a patch needs, each as (distance, k, along), along fastest.
struct RimStrip {
    int first = 0;  ///< patch-local index of the first point along
    int start = 0;  ///< its 0-based place in the domain
    int length = 0; ///< points along
    KernelVector<real> value, tendency;
    /// Point n `elapsed` seconds after the beginning of the record.
    real at(std::size_t n, real elapsed) const { return value[n] + elapsed * tendency[n]; }
};

/// RimField as kernels hold it.
class RimFieldView {
  public:
    struct Strip {
        const real *value = nullptr, *tendency = nullptr;
        int first = 0, length = 0;
    };
    RimFieldView() = default;
    RimFieldView(Points points, int nk, const std::array<Strip, 4> &strips)
        : points_(points), nk_(nk), strips_(strips) {}

    Points points() const { return points_; }
    int levels() const { return nk_; }

    /// Level k at a distance from a side, as row j of points from column i0 on sees it.
    RimRow row(Side side, int distance, int k, int i0, int j) const {
        const Strip &s = strips_[static_cast<std::size_t>(side)];
        const std::ptrdiff_t start =
            (std::ptrdiff_t(distance) * nk_ + k) * s.length - s.first + (runs_east(side) ? 0 : j - i0);
        return {s.value + start, s.tendency + start};
    }
    /// The same for a line, `out` lines farther out.
    RimRow row(const RimLine &line, int k, int j, int out = 0) const {
        return row(line.side, line.distance - out, k, line.points.i0, j);
    }
    /// The value of level k at a place on the rim, `elapsed` seconds after the beginning of the record.
    real at(const RimPlace &p, int k, real elapsed) const {
        const Strip &s = strips_[static_cast<std::size_t>(p.side)];
        const std::ptrdiff_t n = (std::ptrdiff_t(p.distance) * nk_ + k) * s.length + p.along - s.first;
        return s.value[n] + elapsed * s.tendency[n];
    }

  private:
    Points points_ = Points::cells;
    int nk_ = 0;
    std::array<Strip, 4> strips_{};
};

class RimField {
  public:
    RimField() = default;
    /// A variable of nk levels on these points. `width` lines are kept of each side that is less than
    /// `reach` points away from the patch, along the patch's own points and those beside them.
    RimField(const Patch &patch, Points points, int nk, int reach, int width);

    Points points() const { return points_; }
    int levels() const { return nk_; }
    int width() const { return width_; }
    bool holds(Side side) const { return strip(side).length > 0; }
    /// Where a strip keeps the point `along` (patch-local) of a level at a distance.
    std::size_t place(Side side, int distance, int k, int along) const {
        const RimStrip &s = strip(side);
        return (std::size_t(distance) * std::size_t(nk_) + std::size_t(k)) * std::size_t(s.length) +
               std::size_t(along - s.first);
    }
    RimStrip &strip(Side side) { return strips_[static_cast<std::size_t>(side)]; }
    const RimStrip &strip(Side side) const { return strips_[static_cast<std::size_t>(side)]; }

    RimFieldView view() const {
        const auto strip_of = [this](Side side) {
            const RimStrip &s = strip(side);
            return RimFieldView::Strip{s.value.data(), s.tendency.data(), s.first, s.length};
        };
        return {points_,
                nk_,
                {strip_of(Side::south), strip_of(Side::north), strip_of(Side::west), strip_of(Side::east)}};
    }
    RimRow row(Side side, int distance, int k, int i0, int j) const {
        return view().row(side, distance, k, i0, j);
    }
    RimRow row(const RimLine &line, int k, int j, int out = 0) const { return view().row(line, k, j, out); }

  private:
    Points points_ = Points::cells;
    int nk_ = 0, width_ = 0;
    std::array<RimStrip, 4> strips_;
};

} // namespace squall
