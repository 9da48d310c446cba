/// The model's floating-point type, chosen once for the whole build.
#pragma once

#include <cmath>

namespace squall {

#ifdef SQUALL_DOUBLE
using real = double;
#else
using real = float;
#endif

/// a b + c, rounded once where the processor does it in one operation. Written out where it pays, and never
/// left to the compiler, which might choose differently for whole vectors and for what remains of a row. Not
/// for the difference of two products that change places in a mirror: it would tell east from west.
inline real multiply_add(real a, real b, real c) {
#if defined(__FMA__) || defined(__CUDA_ARCH__) || (defined(FP_FAST_FMA) && defined(FP_FAST_FMAF))
    return std::fma(a, b, c);
#else
    return a * b + c;
#endif
}

/// c0 + c1 x + c2 x^2 + ...
inline real polynomial(real, real c0) { return c0; }
template <class... More> inline real polynomial(real x, real c0, More... more) {
    return multiply_add(x, polynomial(x, more...), c0);
}

} // namespace squall
