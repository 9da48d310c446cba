/// The one place where loops over a range of points are written.
///
/// A kernel is a callable that takes indices and holds views by value; `for_each` decides
/// in which order and on which lanes it runs. Iterations must be independent.
#pragma once

#include <algorithm>

#include "core/real.hpp"

namespace squall {

/// A half-open index range in i, j and k, in patch-local indices.
struct Range {
    int i0 = 0, i1 = 0;
    int j0 = 0, j1 = 0;
    int k0 = 0, k1 = 0;

    bool empty() const { return i0 >= i1 || j0 >= j1 || k0 >= k1; }
    /// The part of it whose columns lie in another range too.
    Range within(const Range &o) const {
        return {std::max(i0, o.i0), std::min(i1, o.i1), std::max(j0, o.j0), std::min(j1, o.j1), k0, k1};
    }
    Range with_i(int a, int b) const { return {a, b, j0, j1, k0, k1}; }
    Range with_j(int a, int b) const { return {i0, i1, a, b, k0, k1}; }
    Range with_k(int a, int b) const { return {i0, i1, j0, j1, a, b}; }
};

/// Runs f(i) for i in [i0, i1), vectorised.
template <class F> inline void for_each_i(int i0, int i1, F f) {
#pragma omp simd
    for (int i = i0; i < i1; ++i) f(i);
}

/// Points of the longest vector of processors.
inline constexpr int longest_vector = 64 / static_cast<int>(sizeof(real));

/// Runs f(i) for i in [i0, i1), some of them twice: the last vector overlaps the one before, so that all are
/// whole (a row of 40 takes 3 of 16 points, not 2, one of 8 and tests for what remains). f writes only what
/// it does not read.
template <class F> inline void for_each_i_overlapping(int i0, int i1, F f) {
#ifndef __CUDA_ARCH__
    if (i1 - i0 >= longest_vector) {
        for (int i = i0; i < i1; i += longest_vector) {
            const int begin = std::min(i, i1 - longest_vector);
#pragma omp simd
            for (int n = 0; n < longest_vector; ++n) f(begin + n);
        }
        return;
    }
#endif
    for_each_i(i0, i1, f);
}

/// How far beyond its range for_each_i_ahead may go: processors fill a vector.
#ifdef __CUDA_ARCH__
inline constexpr int overrun = 0;
#else
inline constexpr int overrun = 7;
#endif

/// Runs f(i) for i in [i0, i1) and perhaps on points after them, so that the last vector is a whole one:
/// where f writes scratch rows only. (What it reads there is memory of an array, of any value.)
template <class F> inline void for_each_i_ahead(int i0, int i1, F f) {
    for_each_i(i0, i0 + ((i1 - i0 + overrun) & ~overrun), f);
}

/// Runs row(k, j)(i) on every point of the range: `row` looks up what a row of points shares and
/// returns the kernel of one point, which then holds only pointers and numbers. Compilers vectorise
/// that form best.
template <class Row> inline void for_each_row(Range r, Row row) {
    for (int j = r.j0; j < r.j1; ++j)
        for (int k = r.k0; k < r.k1; ++k) for_each_i(r.i0, r.i1, row(k, j));
}

/// Runs f(i, k, j) on every point of the range.
template <class F> inline void for_each(Range r, F f) {
    for (int j = r.j0; j < r.j1; ++j)
        for (int k = r.k0; k < r.k1; ++k) for_each_i(r.i0, r.i1, [&](int i) { f(i, k, j); });
}

/// Runs f(i, j) on every column of the range.
template <class F> inline void for_each_column(Range r, F f) {
    for (int j = r.j0; j < r.j1; ++j) for_each_i(r.i0, r.i1, [&](int i) { f(i, j); });
}

} // namespace squall
