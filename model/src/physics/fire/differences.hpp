/// One-sided and essentially non-oscillatory differences of a function on cells along one axis.
#pragma once

#include <cmath>
#include <string>

#include "core/real.hpp"

namespace squall::fire {

/// How the slope of the level set is taken.
enum class Differences {
    upwind,  ///< the side that the front comes from, if both sides agree
    godunov, ///< Godunov's flux (Osher and Fedkiw 2003, section 6.2)
    eno,     ///< of the two sides the one of the front, at a crest the steeper
    central, ///< of second order
    weno3,   ///< Jiang and Shu (1996), third order
    weno5    ///< likewise, fifth order
};

/// A scheme, and whether it is used around the front alone, with `eno` elsewhere.
struct Upwinding {
    Differences scheme = Differences::weno5;
    bool front_only = true;
};

/// Of the names of fire.upwinding: upwind, godunov, eno, central, weno3, weno5, weno3-front, weno5-front.
Upwinding upwinding_of(const std::string &name);

/// A point and three neighbours on either side, on cells of a size.
struct Stencil {
    real m3, m2, m1, at, p1, p2, p3, size;
    real left() const { return (at - m1) / size; }
    real right() const { return (p1 - at) / size; }
};

inline real upwind_difference(real left, real right) {
    if (left > 0 && right > 0) return left;
    if (left < 0 && right < 0) return right;
    return 0;
}

inline real godunov_difference(real left, real right) {
    if (right + left >= 0) return left > 0 ? left : real(0);
    return right < 0 ? right : real(0);
}

inline real eno_difference(real left, real right) {
    if (left <= 0 && right <= 0) return right;
    if (left >= 0 && right >= 0) return left;
    if (left >= 0 && right <= 0) return std::abs(right) >= std::abs(left) ? right : left;
    return 0;
}

/// Of fourth order.
inline real central_difference4(const Stencil &s) {
    return (8 * (s.p1 - s.m1) - (s.p2 - s.m2)) / (12 * s.size);
}

namespace detail {

inline constexpr real weno_floor = real(1e-6);

inline real square(real x) { return x * x; }

/// The value at the face after c, of values on cells that follow each other downwind.
inline real weno3_face(real b, real c, real d) {
    const real w1 = real(1) / 3 / square(square(c - b) + weno_floor),
               w2 = real(2) / 3 / square(square(d - c) + weno_floor);
    return (w1 * (real(-0.5) * b + real(1.5) * c) + w2 * real(0.5) * (c + d)) / (w1 + w2);
}

inline real weno5_face(real a, real b, real c, real d, real e) {
    constexpr real curved = real(13) / 12, quarter = real(0.25);
    const real s1 = curved * square(a - 2 * b + c) + quarter * square(a - 4 * b + 3 * c),
               s2 = curved * square(b - 2 * c + d) + quarter * square(b - d),
               s3 = curved * square(c - 2 * d + e) + quarter * square(3 * c - 4 * d + e);
    const real w1 = real(0.1) / square(s1 + weno_floor), w2 = real(0.6) / square(s2 + weno_floor),
               w3 = real(0.3) / square(s3 + weno_floor);
    return (w1 * (2 * a - 7 * b + 11 * c) + w2 * (-b + 5 * c + 2 * d) + w3 * (2 * c + 5 * d - e)) /
           (6 * (w1 + w2 + w3));
}

} // namespace detail

/// `flow`: its sign says which way information travels.
inline real weno3_difference(const Stencil &s, real flow) {
    using detail::weno3_face;
    if (flow >= 0) return (weno3_face(s.m1, s.at, s.p1) - weno3_face(s.m2, s.m1, s.at)) / s.size;
    return (weno3_face(s.p2, s.p1, s.at) - weno3_face(s.p1, s.at, s.m1)) / s.size;
}

inline real weno5_difference(const Stencil &s, real flow) {
    using detail::weno5_face;
    if (flow >= 0)
        return (weno5_face(s.m2, s.m1, s.at, s.p1, s.p2) - weno5_face(s.m3, s.m2, s.m1, s.at, s.p1)) / s.size;
    return (weno5_face(s.p3, s.p2, s.p1, s.at, s.m1) - weno5_face(s.p2, s.p1, s.at, s.m1, s.m2)) / s.size;
}

} // namespace squall::fire
