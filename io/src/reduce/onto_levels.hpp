/// Interpolates columns onto levels of a coordinate: pressure, height, potential temperature.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "declare/levels.hpp"
#include "reduce/companions.hpp"

namespace squall::io {

/// Where a level is in a column: between a point and the next, at this fraction of the way.
struct Bracket {
    std::int32_t point = -1; ///< -1: nowhere
    double fraction = 0;     ///< beyond 0 to 1 where it is extrapolated
};

/// Of the levels in one column of a coordinate, whose `n` values are `stride` apart.
Bracket bracket(const OntoLevels &onto, const double *coordinate, std::int64_t n, std::ptrdiff_t stride,
                double level);

/// Remembers, for the frame in the making, where levels are: fields that go onto the same share it.
class LevelFinder {
  public:
    /// The field's values on its levels, in the order of its dimensions. Throws Error: the box does not have
    /// whole columns, or the coordinate was not put.
    std::vector<double> interpolate(const OntoLevels &onto, const Put &put, const Companions &companions);
    void clear() { known_.clear(); }

  private:
    struct Known {
        const OntoLevels *onto;
        Box box;
        std::vector<Bracket> brackets; ///< for each point of the result
    };
    const std::vector<Bracket> &find(const OntoLevels &onto, const Box &box, const Companions &companions);

    std::deque<Known> known_;
};

/// The box of a result on levels that is made of a box of the source.
Box onto_box(const OntoLevels &onto, const Box &source);

} // namespace squall::io
