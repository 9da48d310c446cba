/// What light loses in an optical depth.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/real.hpp"

namespace squall::radiation {

/// 1 - exp(-depth) for a depth that is not negative, to 2e-7 of itself however thin the layer is: what a thin
/// layer emits or scatters is that difference. Without branches, so that it vectorises.
inline float lost_in(float depth) {
    constexpr float shift = 0x1.8p23F; // adding it rounds to a whole number, in the lowest bits
    const float x = std::min(depth, 80.0F), t = x * 1.44269504F + shift, halvings = t - shift;
    // exp(-x) = 2^-halvings (1 + grown(r)); ln 2 in two parts, of which the first has few bits
    const float r = (halvings * 0.693359375F - x) - halvings * 2.12194440e-4F;
    const float series = polynomial(r, 1.0F / 2, 1.0F / 6, 1.0F / 24, 1.0F / 120, 1.0F / 720, 1.0F / 5040);
    const float grown = static_cast<float>(multiply_add(r * r, series, r));
    const float scale = std::bit_cast<float>(0x3f800000u - (std::bit_cast<std::uint32_t>(t) << 23));
    return static_cast<float>(multiply_add(-scale, grown, 1 - scale));
}
inline double lost_in(double depth) { return -std::expm1(-depth); }

} // namespace squall::radiation
