/// What a rank has of a frame's reductions, on its way up the tree of ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "declare/layout.hpp"
#include "reduce/partial.hpp"
#include "reduce/sampler.hpp"

namespace squall::io {

/// Of a rank and of all below it.
struct Report {
    std::int64_t number = 0; ///< of the frame in its stream; Report::closed: none comes any more
    Time time;
    std::uint64_t declaration = 0;  ///< hash
    bool useless = false;           ///< somebody has no room for the frame, or found fault with it: he tells
    std::vector<Partials> partials; ///< per fold: those that some points have not come to yet
    std::vector<AtPlaces> at_places = {}; ///< the same, per field at places

    static constexpr std::int64_t closed = -1;

    std::vector<std::byte> pack(const Layout &layout) const;
    static Report unpack(const std::vector<std::byte> &bytes, const Layout &layout);
};

} // namespace squall::io
