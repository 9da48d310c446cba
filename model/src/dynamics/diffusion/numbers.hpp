/// Numbers that the kernels of mixing share.
#pragma once

#include "core/real.hpp"

namespace squall::diffusion {

inline constexpr real half = real(0.5), quarter = real(0.25), eighth = real(0.125);

/// Bounds of K over l^2 in closures of three dimensions: from below [s-1], from above times dt.
inline constexpr real min_rate = real(1e-6), max_diffusion_number = real(0.1);

inline real square(real x) { return x * x; }

} // namespace squall::diffusion
