/// Exponential, logarithm, power and sine that vectorise: no branches, no tables, so that a loop over them
/// runs on all lanes. In single precision they are evaluated in double and rounded once, to within
/// 0.51 units in the last place, which nearly always are the bits of the C library.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/real.hpp"

namespace squall {

namespace detail {

/// e^x for |x| < 700, to a relative 2e-10.
inline double exponential(double x) {
    constexpr double shift = 0x1.8p52; // adding it rounds to a whole number, in the lowest bits
    const double t = x * 1.4426950408889634 + shift;
    const double r = x - (t - shift) * 0.6931471805599453;
    const double series =
        1 +
        r * (1 + r * (1.0 / 2 +
                      r * (1.0 / 6 +
                           r * (1.0 / 24 +
                                r * (1.0 / 120 + r * (1.0 / 720 + r * (1.0 / 5040 + r * (1.0 / 40320))))))));
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(series) +
                                 (std::bit_cast<std::uint64_t>(t) << 52));
}

/// ln x for positive normal x, to 2e-11.
inline double logarithm(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const double e = std::bit_cast<double>((bits >> 52) | 0x4330000000000000u) - (0x1p52 + 1023);
    const double m = std::bit_cast<double>((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
    const bool upper = m > 1.4142135623730951;
    const double half = upper ? 0.5 * m : m, exponent = upper ? e + 1 : e;
    const double s = (half - 1) / (half + 1), s2 = s * s; // ln half = 2 artanh s
    const double series =
        s * (2 + s2 * (2.0 / 3 + s2 * (2.0 / 5 + s2 * (2.0 / 7 + s2 * (2.0 / 9 + s2 * (2.0 / 11))))));
    return exponent * 0.6931471805599453 + series;
}

/// sin x for |x| <= pi / 2, to a relative 1e-11.
inline double sine(double x) {
    const double x2 = x * x;
    return x * (1 - x2 * (1.0 / 6 -
                          x2 * (1.0 / 120 -
                                x2 * (1.0 / 5040 -
                                      x2 * (1.0 / 362880 -
                                            x2 * (1.0 / 39916800 -
                                                  x2 * (1.0 / 6227020800 - x2 * (1.0 / 1307674368000))))))));
}

} // namespace detail

/// e^x, for results in the range of normal numbers.
inline float exponential(float x) { return static_cast<float>(detail::exponential(x)); }
inline double exponential(double x) { return std::exp(x); }

/// ln x for positive normal x.
inline float logarithm(float x) { return static_cast<float>(detail::logarithm(x)); }
inline double logarithm(double x) { return std::log(x); }

/// x^y for positive x and results in the range of normal numbers; 0 for x <= 0.
inline float power(float x, float y) {
    const double result = detail::exponential(y * detail::logarithm(x > 0 ? x : 1.0F));
    return x > 0 ? static_cast<float>(result) : 0.0F;
}
inline double power(double x, double y) { return x > 0 ? std::pow(x, y) : 0.0; }

/// sin x for |x| <= pi / 2.
inline float sine(float x) { return static_cast<float>(detail::sine(x)); }
inline double sine(double x) { return std::sin(x); }

} // namespace squall
