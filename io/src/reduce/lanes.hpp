/// Numbers side by side, as many as the vector instructions take for which this is compiled. Of wider vectors
/// than the processor has GCC 12 keeps the halves in memory, and moves them by way of other registers.
///
/// The vectors are the compilers' own (GCC's and Clang's): what a loop says of an array of accumulators,
/// these keep in memory. They are passed by reference, since how they are returned differs between
/// processors.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

namespace squall::io {

/// 64 with AVX-512, 32 with AVX, 16 with SSE and NEON.
constexpr std::size_t vector_bytes = __BIGGEST_ALIGNMENT__;
constexpr std::int64_t lanes = vector_bytes / sizeof(double);
using Doubles = double __attribute__((vector_size(lanes * sizeof(double))));
using Floats = float __attribute__((vector_size(lanes * sizeof(float))));

inline void load(const double *x, Doubles &to) { std::memcpy(&to, x, sizeof to); }
inline void load(const float *x, Doubles &to) {
    Floats v;
    std::memcpy(&v, x, sizeof v);
    to = __builtin_convertvector(v, Doubles);
}
/// Of n terms, fewer than `lanes`; the other lanes are 0.
template <class T> void load_some(const T *x, std::int64_t n, Doubles &to) {
    std::array<T, lanes> some{};
    std::copy_n(x, n, some.begin());
    load(some.data(), to);
}

/// Exact where all terms and sums are whole numbers of one unit, as those of a bin: in any order the same.
inline double sum_of(const Doubles &x) {
    double sum = 0;
    for (std::int64_t n = 0; n < lanes; ++n) sum += x[n];
    return sum;
}

/// Of some terms.
struct Magnitudes {
    double largest = 0; ///< NaN if any is
    double least = 0;   ///< of those that are not 0; 0 if all are
};

/// Magnitudes are ordered as their bits, and NaN come last.
template <class T> class Extent {
  public:
    void take(const T *x, std::int64_t n) {
        std::int64_t i = 0;
        for (; i + wide <= n; i += wide) take(x + i);
        if (i == n) return;
        if (n >= wide) return take(x + n - wide); // some of them once more
        std::array<T, wide> some{};
        std::copy_n(x, n, some.begin());
        take(some.data());
    }
    Magnitudes magnitudes() const {
        std::array<Bits, wide> most, least;
        std::memcpy(most.data(), &most_, sizeof most_);
        std::memcpy(least.data(), &least_, sizeof least_);
        for (std::size_t half = wide / 2; half > 0; half /= 2)
            for (std::size_t n = 0; n < half; ++n) {
                most[n] = std::max(most[n], most[n + half]);
                least[n] = std::min(least[n], least[n + half]);
            }
        return {static_cast<double>(std::bit_cast<T>(most[0])),
                static_cast<double>(std::bit_cast<T>(static_cast<Bits>(least[0] + 1)))};
    }

  private:
    static constexpr std::int64_t wide = vector_bytes / sizeof(T);
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    // NOLINTNEXTLINE: in the other form it may not depend on T
    typedef Bits Vector __attribute__((vector_size(vector_bytes)));

    void take(const T *x) {
        Vector v;
        std::memcpy(&v, x, sizeof v);
        v &= std::numeric_limits<Bits>::max() >> 1; // without the sign
        most_ = v > most_ ? v : most_;
        v -= 1; // of 0 this is the largest
        least_ = v < least_ ? v : least_;
    }

    Vector most_{}, least_ = ~Vector{};
};

template <class T> Magnitudes magnitudes_of(const T *x, std::int64_t n) {
    Extent<T> extent;
    extent.take(x, n);
    return extent.magnitudes();
}

} // namespace squall::io
