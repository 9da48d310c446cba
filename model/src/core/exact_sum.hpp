/// Sums that are the same bits in any order: over threads, tiles and ranks, and cut in two by a restart.
#pragma once

#include <cmath>
#include <cstdint>

namespace squall {

/// Terms are rounded to whole quanta of 2^-20 (of kg: a milligram), and these are counted: totals up to 3e22,
/// of 2^31 terms at most. What is not a finite number, or larger than 1e22, is left out.
class ExactSum {
  public:
    void add(double term) {
        if (!(std::abs(term) < largest)) return;
        const double units = std::floor(term / unit);
        coarse_ += static_cast<std::int64_t>(units);
        fine_ += std::llround((term - units * unit) / quantum);
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

    ExactSum carried() const {
        const std::int64_t carry = fine_ >= 0 ? fine_ / quanta : -((-fine_ + quanta - 1) / quanta);
        return of(coarse_ + carry, fine_ - carry * quanta);
    }

    std::int64_t coarse_ = 0, fine_ = 0;
};

} // namespace squall
