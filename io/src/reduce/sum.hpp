/// Sums whose bits depend neither on the order of their terms nor on how these are divided: they are exact,
/// and rounded once.
///
/// Method: rows of terms are added in vectors without rounding. Where their digits span no more than a double
/// holds, less one for each doubling of their number, plain addition is exact, as it is for most rows of
/// single precision. Otherwise what a unit divides is taken off each term, so that its sum is exact, and the
/// same is done with the rest: Rump, Ogita and Oishi (2008), Accurate floating-point summation, part I, SIAM
/// J. Sci. Comput. 31, 189-224, algorithm 3.3 (ExtractVector); the unit as in Demmel and Nguyen (2015),
/// Parallel reproducible summation, IEEE Trans. Comput. 64, 2060-2070. What comes of rows is kept as an
/// Expansion.
#pragma once

#include <cstdint>
#include <vector>

#include "reduce/expansion.hpp"
#include "reduce/packed.hpp"

namespace squall::io {

/// Holds at least 2^60 terms. NaN, infinities and overflow come out as IEEE 754 says.
class Sum {
  public:
    void add(double x);
    /// The same as adding each of n terms.
    void add(const double *x, std::int64_t n) { add_terms(x, n); }
    void add(const float *x, std::int64_t n) { add_terms(x, n); }
    void add(const Sum &other);
    /// Begins anew, in the same memory.
    void clear();

    void pack(Packer &to) const;
    static Sum unpack(Unpacker &from);

    /// Nearest to the exact sum.
    double value() const;
    /// With the digits of a long double or nearly so, for differences of sums.
    long double precise() const;

    /// Bits of terms that are no numbers.
    enum Special : std::uint32_t { none = 0, nan = 1, plus_infinity = 2, minus_infinity = 4 };

  private:
    template <class T> void add_terms(const T *x, std::int64_t n);
    template <class T> void add_each(const T *x, std::int64_t n);
    template <class T> void add_block(const T *x, std::int64_t n);
    template <int depth, class T> void add_in_units(const T *x, std::int64_t n, int high, int digits);
    Expansion whole() const;

    Expansion sum_;
    std::vector<Expansion> huge_; ///< one or none, of terms so large that few overflow; in units of 2^200
    std::uint32_t special_ = none;
};

} // namespace squall::io
