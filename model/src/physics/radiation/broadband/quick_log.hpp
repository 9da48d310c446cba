/// A natural logarithm in single precision on all lanes.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/real.hpp"

namespace squall::radiation {

/// ln x for positive normal x, to 2e-7 of the larger of itself and 1. Without branches, so that it
/// vectorises.
inline float quick_log(float x) {
    // x = 2^e m with m from the root of 1/2 to that of 2; ln m = 2 artanh s
    const std::uint32_t from_root = std::bit_cast<std::uint32_t>(x) - 0x3f3504f3u;
    const float e = static_cast<float>(static_cast<std::int32_t>(from_root) >> 23);
    const float m = std::bit_cast<float>((from_root & 0x007fffffu) + 0x3f3504f3u);
    const float s = (m - 1) / (m + 1), s2 = s * s;
    return e * 0.69314718F + s * (2 + s2 * (2.0F / 3 + s2 * (2.0F / 5 + s2 * (2.0F / 7))));
}
inline double quick_log(double x) { return std::log(x); }

} // namespace squall::radiation
