/// Sums that are the same bits in any order: over threads, tiles and ranks, and cut in two by a restart.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace squall {

/// Terms are rounded to whole quanta of 2^-20 (of kg: a milligram), and these are counted: totals up to 3e22,
/// of 2^31 terms at most. What is not a finite number, or larger than 1e22, is left out.
class ExactSum {
  public:
    void add(double term) {
        if (!(std::abs(term) < largest)) return;
        const double high = std::abs(term) < vectors_end ? multiple_of_1024(term) : term;
        const double units = std::floor(high / unit);
        coarse_ += static_cast<std::int64_t>(units);
        fine_ += static_cast<std::int64_t>((high - units * unit + whole_quanta(term - high)) / quantum);
    }
    /// The same for each of n terms, in vectors: of numbers up to 2^50, the multiples of 2^10 in them and the
    /// quanta of the rest are added up without rounding.
    void add(const double *terms, std::size_t n) {
        for (; n > most_together; terms += most_together, n -= most_together) add(terms, most_together);
        double others = 0;
#pragma omp simd reduction(+ : others)
        for (std::size_t i = 0; i < n; ++i) others += std::abs(terms[i]) < vectors_end ? 0.0 : 1.0;
        if (others > 0) {
            for (std::size_t i = 0; i < n; ++i) add(terms[i]);
            return;
        }
        double high = 0, low = 0;
#pragma omp simd reduction(+ : high, low)
        for (std::size_t i = 0; i < n; ++i) {
            const double large = multiple_of_1024(terms[i]);
            high += large;
            low += whole_quanta(terms[i] - large);
        }
        add(high), add(low);
    }
    ExactSum &operator+=(const ExactSum &other) {
        coarse_ += other.coarse_, fine_ += other.fine_;
        return *this;
    }
    ExactSum &operator-=(const ExactSum &other) {
        coarse_ -= other.coarse_, fine_ -= other.fine_;
        return *this;
    }
    friend ExactSum operator-(ExactSum a, const ExactSum &b) { return a -= b; }
    friend ExactSum operator+(ExactSum a, const ExactSum &b) { return a += b; }

    double value() const {
        const ExactSum s = carried();
        return static_cast<double>(s.coarse_) * unit + static_cast<double>(s.fine_) * quantum;
    }

    /// The integers, to be added up one by one: of ranks, or of what a file has.
    std::int64_t coarse() const { return carried().coarse_; }
    std::int64_t fine() const { return carried().fine_; } ///< 0 to 2^32 - 1
    static ExactSum of(std::int64_t coarse, std::int64_t fine) {
        ExactSum s;
        s.coarse_ = coarse, s.fine_ = fine;
        return s;
    }

  private:
    static constexpr double quantum = 0x1p-20, unit = 0x1p12, largest = 0x1p74;
    static constexpr std::int64_t quanta = std::int64_t(1) << 32; ///< in a unit
    static constexpr std::size_t most_together = 4096;            ///< terms whose sums stay exact

    static constexpr double vectors_end = 0x1p50; ///< for terms below; larger ones are whole

    /// The nearest, by what adding 2^52 of its units loses; of two that are as near, the even one.
    static double multiple_of_1024(double term) { return (term + 1.5 * 0x1p62) - 1.5 * 0x1p62; }
    static double whole_quanta(double term) { return (term + 1.5 * 0x1p32) - 1.5 * 0x1p32; }

    ExactSum carried() const {
        const std::int64_t carry = fine_ >= 0 ? fine_ / quanta : -((-fine_ + quanta - 1) / quanta);
        return of(coarse_ + carry, fine_ - carry * quanta);
    }

    std::int64_t coarse_ = 0, fine_ = 0;
};

} // namespace squall
