/// What a rank has of a frame's reductions, on its way up the tree of ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reduce/partial.hpp"

namespace squall::io {

/// Of a rank and of all below it.
struct Report {
    std::int64_t number = 0; ///< of the frame in its stream; Report::closed: none comes any more
    Time time;
    std::uint64_t declaration = 0;  ///< hash
    bool useless = false;           ///< somebody has no room for the frame, or found fault with it: he tells
    std::vector<Partials> partials; ///< per fold: those that some points have not come to yet

    static constexpr std::int64_t closed = -1;

    /// In words of 8 bytes, as MPI counts them.
    std::vector<std::int64_t> pack() const;
    static Report unpack(const std::vector<std::int64_t> &words, const std::vector<Fold> &folds);
};

} // namespace squall::io
