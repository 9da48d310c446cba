/// From the g-points of a spectrum to all of it.
#pragma once

#include "core/real.hpp"

namespace squall::radiation {

/// Of n values in a row, in double precision.
inline double spectral_sum(const real *row, int n) {
    double all = 0;
#pragma omp simd reduction(+ : all)
    for (int g = 0; g < n; ++g) all += double(row[g]);
    return all;
}

} // namespace squall::radiation
