/// Sums whose bits depend neither on the order of their terms nor on how these are divided.
///
/// Method: Demmel and Nguyen (2015), Parallel reproducible summation, IEEE Trans. Comput. 64, 2060-2070;
/// Ahrens, Demmel and Nguyen (2020), ACM Trans. Math. Softw. 46, 22. The number line is cut at fixed places,
/// every 2^40. Each term is taken apart there, into whole numbers of 2^(40 j), and the whole numbers of a
/// bin j are added, exactly. The three bins are kept that end with the largest term's: what lies below is
/// left out of every term alike, whichever came first.
///
/// Unlike theirs the bins are integers of 128 bits, which need no carries.
#pragma once

#include <array>
#include <cstdint>

#include "reduce/packed.hpp"

namespace squall::io {

/// Holds at least 2^46 terms. The error is less than 2^-79 times the largest term, for each term: the
/// rounding of value() is all that is seen of it. NaN, infinities and overflow come out as IEEE 754 says.
class Sum {
  public:
    void add(double x);
    /// The same as adding each of n terms.
    void add(const double *x, std::int64_t n);
    void add(const float *x, std::int64_t n);
    void add(const Sum &other);

    void pack(Packer &to) const;
    static Sum unpack(Unpacker &from);

    double value() const;
    /// With the digits of a long double, for differences of sums.
    long double precise() const;

    /// Bits of terms that are no numbers.
    enum Special : std::uint32_t { none = 0, nan = 1, plus_infinity = 2, minus_infinity = 4 };

  private:
    static constexpr int kept = 3;
    static constexpr std::int32_t no_bin = -1000; ///< no term but zeros

    void raise_to(std::int32_t bin);
    template <class T> void add_terms(const T *x, std::int64_t n);
    template <int depth, class T> void add_block(const T *x, std::int64_t n);

    std::array<Whole, kept> bins_{}; ///< in units of 2^(40 (top - n))
    std::int32_t top_ = no_bin;
    std::uint32_t special_ = none;
};

} // namespace squall::io
