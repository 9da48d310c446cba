/// Numbers too small to be normal.
#pragma once

namespace squall {

/// Takes numbers below the least normal one (1.2e-38 in single precision) for zero from now on, as operands
/// and as results, in this thread and in OpenMP's. What spreads and decays (clouds, turbulence, tracers) is
/// surrounded by such numbers, with which processors compute a hundred times slower: a sixth of a storm's
/// time. Rows of nothing else become rows of nothing (dynamics/active_rows.hpp). Without effect on
/// processors other than x86-64 and AArch64.
void flush_subnormals();

} // namespace squall
