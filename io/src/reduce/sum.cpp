#include "reduce/sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace squall::io {
namespace {

constexpr int width = 40;            ///< bits from one bin to the next
constexpr std::int64_t block = 4096; ///< terms of 2^39 units whose sum is exact in a double

/// The bin of which the number is less than half a unit of the next: 2^(40 j - 1) <= |x| < 2^(40 j + 39).
std::int32_t bin_of(double x) {
    const int exponent = std::ilogb(x) + 1;
    return exponent >= 0 ? exponent / width : -((width - 1 - exponent) / width);
}

/// For whose bins and the two below, 1.5 * 2^(52 + 40 j) is a normal number.
bool ordinary(std::int32_t bin) { return bin >= -22 && bin <= 22; }

/// Adding and taking away this rounds to whole numbers of 2^(40 j), to even where two are as near.
double rounder(std::int32_t bin) { return std::ldexp(1.5, 52 + width * bin); }

/// Largest magnitude; NaN if any is.
double largest(const double *x, std::int64_t n) {
    std::array<std::uint64_t, 8> most{}; // magnitudes are ordered as their bits; NaN come last
    std::int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (std::size_t l = 0; l < 8; ++l) {
            const auto bits = std::bit_cast<std::uint64_t>(x[i + static_cast<std::int64_t>(l)]) << 1 >> 1;
            most[l] = std::max(most[l], bits);
        }
    for (; i < n; ++i) most[0] = std::max(most[0], std::bit_cast<std::uint64_t>(x[i]) << 1 >> 1);
    return std::bit_cast<double>(*std::ranges::max_element(most));
}

std::uint32_t special_of(double x) {
    if (std::isnan(x)) return Sum::nan;
    return std::isfinite(x) ? Sum::none : x > 0 ? Sum::plus_infinity : Sum::minus_infinity;
}

} // namespace

/// Makes the bin the largest that is kept, if it is not yet.
void Sum::raise_to(std::int32_t bin) {
    if (bin <= top_) return;
    const auto by = top_ == no_bin ? kept : std::min(kept, bin - top_);
    std::shift_right(bins_.begin(), bins_.end(), by);
    std::fill_n(bins_.begin(), by, Whole(0));
    top_ = bin;
}

void Sum::add(double x) {
    if (const auto special = special_of(x); special != none) {
        special_ |= special;
        return;
    }
    if (x == 0) return;
    raise_to(bin_of(x));
    double units = std::ldexp(x, -width * top_); // scaled: the largest numbers have no room to be rounded up
    for (auto &bin : bins_) {
        const double whole = std::nearbyint(units);
        bin += static_cast<Whole>(whole);
        units = std::ldexp(units - whole, width);
    }
}

void Sum::add(const double *x, std::int64_t n) {
    for (; n > 0; x += block, n -= block) {
        const auto some = std::min(n, block);
        const double most = largest(x, some);
        if (most == 0) continue;
        const auto bin = std::isfinite(most) ? std::max(bin_of(most), top_) : no_bin;
        if (ordinary(bin))
            add_block(x, some, bin);
        else
            std::for_each(x, x + some, [this](double term) { add(term); });
    }
}

/// The three bins at once, in lanes that the compiler keeps in vectors: all that is added is exact, in
/// whatever order.
void Sum::add_block(const double *x, std::int64_t n, std::int32_t bin) {
    raise_to(bin);
    constexpr std::size_t lanes = 8;
    const std::array<double, kept> r{rounder(bin), rounder(bin - 1), rounder(bin - 2)};
    std::array<std::array<double, lanes>, kept> sums{};
    const auto take_apart = [&](double term, std::size_t lane) {
        for (std::size_t b = 0; b < kept; ++b) {
            const double whole = (term + r[b]) - r[b];
            sums[b][lane] += whole;
            term -= whole;
        }
    };
    std::int64_t i = 0;
    for (; i + static_cast<std::int64_t>(lanes) <= n; i += lanes)
        for (std::size_t l = 0; l < lanes; ++l) take_apart(x[i + static_cast<std::int64_t>(l)], l);
    for (; i < n; ++i) take_apart(x[i], 0);
    for (std::size_t b = 0; b < kept; ++b) {
        double sum = 0;
        for (const double s : sums[b]) sum += s;
        bins_[b] += static_cast<Whole>(std::ldexp(sum, -width * (bin - static_cast<int>(b))));
    }
}

void Sum::add(const Sum &other) {
    special_ |= other.special_;
    if (other.top_ == no_bin) return;
    raise_to(other.top_);
    const auto below = static_cast<std::size_t>(std::min(kept, top_ - other.top_));
    for (std::size_t n = below; n < kept; ++n) bins_[n] += other.bins_[n - below];
}

void Sum::pack(Packer &to) const {
    to.whole(top_ == no_bin ? 0 : Whole(1000 + top_) * 8 + special_);
    if (top_ == no_bin) return to.whole(special_);
    for (const auto bin : bins_) to.whole(bin);
}

Sum Sum::unpack(Unpacker &from) {
    Sum sum;
    const auto head = static_cast<std::int32_t>(from.whole());
    if (head == 0) {
        sum.special_ = static_cast<std::uint32_t>(from.whole());
        return sum;
    }
    sum.top_ = head / 8 - 1000;
    sum.special_ = static_cast<std::uint32_t>(head % 8);
    for (auto &bin : sum.bins_) bin = from.whole();
    return sum;
}

long double Sum::precise() const {
    using Limits = std::numeric_limits<long double>;
    const bool both = (special_ & plus_infinity) && (special_ & minus_infinity);
    if (both || (special_ & nan)) return Limits::quiet_NaN();
    if (special_ & plus_infinity) return Limits::infinity();
    if (special_ & minus_infinity) return -Limits::infinity();
    long double sum = 0; // from the smallest: what is rounded off is the same wherever it is done
    for (int n = kept - 1; n >= 0; --n)
        sum += std::ldexp(static_cast<long double>(bins_[static_cast<std::size_t>(n)]), width * (top_ - n));
    return sum;
}

double Sum::value() const { return static_cast<double>(precise()); }

} // namespace squall::io
