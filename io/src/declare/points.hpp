/// This rank's points of a decomposition, in the order in which they are put.
#pragma once

#include <cstdint>
#include <vector>

#include "squall/io.hpp"

namespace squall::io {

/// Part of a dimension: `size` indices start, start + stride, ...
struct Cut {
    std::int64_t start = 0, stride = 1, size = 0;
    friend bool operator==(const Cut &, const Cut &) = default;
};

/// Neighbouring points of the grid.
struct Run {
    Box box;                ///< in the decomposition's dimensions; of a list of indices: in those of the file
    std::int64_t first = 0; ///< of a box: its first point, among the rank's
    std::vector<std::int64_t> at = {}; ///< of a list of indices: where each point is among the rank's
};

struct Points {
    /// `cut`: of the dimension of a list of indices; what it leaves out is in no run.
    Points(const Decomposition &decomposition, const Cut &cut);

    std::vector<Run> runs;
    std::vector<Box> unowned;
    std::size_t dimensions = 0; ///< that are divided
    std::int64_t size = 0;      ///< of this rank's points
    bool listed = false;        ///< by indices
};

} // namespace squall::io
