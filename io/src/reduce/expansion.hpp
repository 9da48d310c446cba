/// A sum of double precision without rounding: numbers that add up to it, of which none overlaps the next.
///
/// Method: Shewchuk (1997), Adaptive precision floating-point arithmetic and fast robust geometric
/// predicates, Discrete Comput. Geom. 18, 305-363: theorem 10, GROW-EXPANSION.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace squall::io {

/// Exact as long as nothing overflows.
class Expansion {
  public:
    void add(double x);
    void clear() { size_ = 0; }

    /// How many numbers there are, from the smallest; two are enough for most sums.
    std::size_t size() const { return size_; }
    double operator[](std::size_t n) const { return n < inside ? first_[n] : more_[n - inside]; }

    /// The double nearest to the sum, to even where two are as near.
    double nearest() const { return size_ == 0 ? 0 : size_ == 1 ? first_[0] : rounded(); }
    /// It, and the double nearest to what is left: they depend on the sum alone, which numbers do not.
    std::pair<double, double> leading() const;

  private:
    static constexpr std::size_t inside = 2;

    double rounded() const;
    void set(std::size_t n, double x);

    std::size_t size_ = 0;
    std::array<double, inside> first_{};
    std::vector<double> more_; ///< the rest; keeps its memory
};

} // namespace squall::io
