#include "reduce/sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace squall::io {
namespace {

constexpr int width = 40;            ///< bits from one bin to the next
constexpr std::int64_t block = 4096; ///< terms of 2^39 units whose sum is exact in a double

/// As of ilogb(), of a finite number but 0.
int exponent_of(double x) {
    const auto field = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff);
    return field == 0 ? std::ilogb(x) : field - 1023;
}

/// 2^(40 bins), of an ordinary bin or its neighbours.
double power_of(std::int32_t bins) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + width * bins) << 52);
}

/// The bin of which the number is less than half a unit of the next: 2^(40 j - 1) <= |x| < 2^(40 j + 39).
std::int32_t bin_of(double x) {
    const int exponent = exponent_of(x) + 1;
    return exponent >= 0 ? exponent / width : -((width - 1 - exponent) / width);
}

/// For whose bins and the two below, 1.5 * 2^(52 + 40 j) is a normal number.
bool ordinary(std::int32_t bin) { return bin >= -22 && bin <= 22; }

/// Adding and taking away this rounds to whole numbers of 2^(40 j), to even where two are as near.
double rounder(std::int32_t bin) { return 0x1.8p52 * power_of(bin); }

/// Largest magnitude; NaN if any is.
template <class T> double largest(const T *x, std::int64_t n) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr std::int64_t lanes = 64 / sizeof(T);
    std::array<Bits, lanes> most{}; // magnitudes are ordered as their bits; NaN come last
    const auto take = [&](T term, std::size_t lane) {
        most[lane] = std::max(most[lane], static_cast<Bits>(std::bit_cast<Bits>(term) << 1 >> 1));
    };
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (std::int64_t l = 0; l < lanes; ++l) take(x[i + l], static_cast<std::size_t>(l));
    for (; i < n; ++i) take(x[i], 0);
    return static_cast<double>(std::bit_cast<T>(*std::ranges::max_element(most)));
}

/// 2^(40 bins), of any.
long double precise_power_of(std::int32_t bins) {
    constexpr std::int32_t least = -32;
    static const auto powers = [] {
        std::array<long double, 64> all{};
        for (std::size_t n = 0; n < all.size(); ++n)
            all[n] = std::ldexp(1.0L, width * (static_cast<int>(n) + least));
        return all;
    }();
    return powers[static_cast<std::size_t>(bins - least)];
}

/// Most sums are short, and then this is one instruction.
long double number(Whole whole) {
    const auto low = static_cast<std::int64_t>(whole);
    return low == whole ? static_cast<long double>(low) : static_cast<long double>(whole);
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

void Sum::add(const double *x, std::int64_t n) { add_terms(x, n); }
void Sum::add(const float *x, std::int64_t n) { add_terms(x, n); }

template <class T> void Sum::add_terms(const T *x, std::int64_t n) {
    for (; n > 0; x += block, n -= block) {
        const auto some = std::min(n, block);
        const double most = largest(x, some);
        if (most == 0) continue;
        const auto bin = std::isfinite(most) ? std::max(bin_of(most), top_) : no_bin;
        if (ordinary(bin))
            add_block(x, some, bin);
        else
            std::for_each(x, x + some, [this](T term) { add(static_cast<double>(term)); });
    }
}

/// The three bins at once, in lanes that the compiler keeps in vectors: all that is added is exact, in
/// whatever order, and less than 2^52 units.
template <class T> void Sum::add_block(const T *x, std::int64_t n, std::int32_t bin) {
    raise_to(bin);
    constexpr std::int64_t lanes = 16;
    using Lanes = std::array<double, lanes>;
    const std::array<double, kept> r{rounder(bin), rounder(bin - 1), rounder(bin - 2)};
    std::array<Lanes, kept> sums{};
    for (std::int64_t i = 0; i < n; i += lanes) {
        Lanes terms{};
        const auto some = std::min(n - i, lanes);
        if (some == lanes)
            for (std::int64_t l = 0; l < lanes; ++l)
                terms[static_cast<std::size_t>(l)] = static_cast<double>(x[i + l]);
        else
            std::copy_n(x + i, some, terms.begin());
        for (std::size_t b = 0; b < kept; ++b)
            for (std::size_t l = 0; l < lanes; ++l) {
                const double whole = (terms[l] + r[b]) - r[b];
                sums[b][l] += whole;
                terms[l] -= whole;
            }
    }
    for (std::size_t b = 0; b < kept; ++b) {
        double sum = 0;
        for (const double s : sums[b]) sum += s;
        bins_[b] += static_cast<std::int64_t>(sum * power_of(static_cast<std::int32_t>(b) - bin));
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
    if (top_ == no_bin) return 0;
    long double sum = 0; // from the smallest: what is rounded off is the same wherever it is done
    for (int n = kept - 1; n >= 0; --n)
        sum += number(bins_[static_cast<std::size_t>(n)]) * precise_power_of(top_ - n);
    return sum;
}

double Sum::value() const { return static_cast<double>(precise()); }

} // namespace squall::io
