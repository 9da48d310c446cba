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

/// 32 with AVX, 16 with SSE and NEON. With AVX-512 sums took a tenth longer by wider ones (AMD Zen 4).
constexpr std::size_t vector_bytes = std::min(__BIGGEST_ALIGNMENT__, 32);
constexpr std::int64_t lanes = vector_bytes / sizeof(double);
using Doubles = double __attribute__((vector_size(lanes * sizeof(double))));

inline void load(const double *x, Doubles &to) { std::memcpy(&to, x, sizeof to); }
/// One by one: what converts vectors in GCC 12 does so by halves.
inline void load(const float *x, Doubles &to) {
    for (std::int64_t n = 0; n < lanes; ++n) to[n] = static_cast<double>(x[n]);
}
/// Of n terms, fewer than `lanes`; the other lanes are 0.
template <class T> void load_some(const T *x, std::int64_t n, Doubles &to) {
    std::array<T, lanes> some{};
    std::copy_n(x, n, some.begin());
    load(some.data(), to);
}

/// Exact where all terms and sums are whole numbers of one unit, of which they have at most 2^53: in any
/// order the same.
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

/// What some terms come to where plain addition is exact, and what tells whether it is, in one pass: memory
/// gives terms no faster. Magnitudes are ordered as their bits, and NaN come last.
template <class T> class Survey {
  public:
    void take(const T *x, std::int64_t n) {
        constexpr std::int64_t ahead = 4096 / sizeof(T); // while these are added, those come from memory
        std::int64_t i = 0;
        for (; i + 2 * wide <= n; i += 2 * wide) {
            __builtin_prefetch(x + i + ahead);
            take(x + i, even_);
            take(x + i + wide, odd_);
        }
        for (; i + wide <= n; i += wide) take(x + i, even_);
        if (i < n) take_rest(x + i, n - i, i > 0);
    }
    Magnitudes magnitudes() const {
        Bits most = 0, least = ~Bits(0);
        for (std::int64_t n = 0; n < wide; ++n) {
            most = std::max(most, static_cast<Bits>(most_[n]));
            least = std::min(least, static_cast<Bits>(least_[n]));
        }
        return {static_cast<double>(std::bit_cast<T>(most)),
                static_cast<double>(std::bit_cast<T>(static_cast<Bits>(least + 1)))};
    }
    double sum() const {
        Doubles all = even_[0] + odd_[0];
        for (std::size_t n = 1; n < parts; ++n) all += even_[n] + odd_[n];
        return sum_of(all);
    }

  private:
    static constexpr std::int64_t wide = vector_bytes / sizeof(T);
    static constexpr std::size_t parts = sizeof(double) / sizeof(T);
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    // NOLINTNEXTLINE: in the other form it may not depend on T
    typedef Bits Vector __attribute__((vector_size(vector_bytes)));

    /// Of n terms, fewer than are side by side. `behind`: others lie before them.
    void take_rest(const T *x, std::int64_t n, bool behind) {
        static constexpr auto masks = [] {
            std::array<Bits, 2 * wide> all{};
            std::fill(all.begin() + wide, all.end(), ~Bits(0));
            return all;
        }();
        std::array<T, wide> some{};
        if (behind) { // the last of these and the rest, without the former
            Vector v, mask;
            std::memcpy(&v, x + n - wide, sizeof v);
            std::memcpy(&mask, &masks[static_cast<std::size_t>(n)], sizeof mask);
            v &= mask;
            std::memcpy(some.data(), &v, sizeof v);
        } else
            std::copy_n(x, n, some.begin());
        take(some.data(), odd_);
    }
    void take(const T *x, Doubles *sums) {
        Doubles terms;
        for (std::size_t n = 0; n < parts; ++n) {
            load(x + static_cast<std::int64_t>(n) * lanes, terms);
            sums[n] += terms;
        }
        Vector v;
        std::memcpy(&v, x, sizeof v);
        v &= std::numeric_limits<Bits>::max() >> 1; // without the sign
        most_ = v > most_ ? v : most_;
        v -= 1; // of 0 this is the largest
        least_ = v < least_ ? v : least_;
    }

    Vector most_{}, least_ = ~Vector{};
    Doubles even_[parts]{}, odd_[parts]{};
};

} // namespace squall::io
