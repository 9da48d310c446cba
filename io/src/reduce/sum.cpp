#include "reduce/sum.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "reduce/lanes.hpp"

namespace squall::io {
namespace {

constexpr std::int64_t block = 4096; ///< terms that are added together
constexpr double huge = 0x1p900, huge_unit = 0x1p200;

/// As of ilogb(), of a finite number but 0.
int exponent_of(double x) {
    const auto field = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff);
    return field == 0 ? std::ilogb(x) : field - 1023;
}

/// 2^n, of a normal number.
double power_of_2(int n) { return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + n) << 52); }

/// Of floats and doubles: the exponent of the last digit of a number that is as large.
template <class T> int last_digit_of(double x) {
    using Limits = std::numeric_limits<T>;
    return std::max(exponent_of(x), Limits::min_exponent - 1) - (Limits::digits - 1);
}

std::uint32_t special_of(double x) {
    if (std::isnan(x)) return Sum::nan;
    return std::isfinite(x) ? Sum::none : x > 0 ? Sum::plus_infinity : Sum::minus_infinity;
}

/// Whether a sum with these may be more than a double holds.
bool may_overflow(const std::vector<Expansion> &huge_terms) {
    return !huge_terms.empty() && std::abs(huge_terms[0].nearest()) >= 0x1p1023 / huge_unit;
}

} // namespace

void Sum::add(double x) {
    if (const auto special = special_of(x); special != none)
        special_ |= special;
    else if (std::abs(x) < huge)
        sum_.add(x);
    else {
        huge_.resize(1);
        huge_[0].add(x / huge_unit);
    }
}

void Sum::clear() {
    sum_.clear();
    huge_.clear();
    special_ = none;
}

template <class T> void Sum::add_each(const T *x, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) add(static_cast<double>(x[i]));
}

template <class T> void Sum::add_terms(const T *x, std::int64_t n) {
    for (; n > 0; x += block, n -= block) add_block(x, std::min(n, block));
}
template void Sum::add_terms(const float *, std::int64_t);
template void Sum::add_terms(const double *, std::int64_t);

/// Terms are less than 2^high, and whole numbers of 2^low. Doubles are exact to 53 digits, of which a sum of
/// n terms needs log2 n more than these; what is left of a term by its unit is at most half of that.
template <class T> void Sum::add_block(const T *x, std::int64_t n) {
    Survey<T> survey;
    survey.take(x, n);
    const auto terms = survey.magnitudes();
    if (terms.largest == 0) return;
    if (!(terms.largest < huge)) return add_each(x, n);
    const int high = exponent_of(terms.largest) + 1, low = last_digit_of<T>(terms.least);
    const int more = std::bit_width(static_cast<std::uint64_t>(n - 1)), digits = std::min(52 - more, 51);
    const int depth = 1 + std::max(0, high - low - (53 - more) + digits) / (digits + 1);
    switch (depth) {
    case 1:
        return sum_.add(survey.sum());
    case 2:
        return add_in_units<2>(x, n, high, digits);
    case 3:
        return add_in_units<3>(x, n, high, digits);
    case 4:
        return add_in_units<4>(x, n, high, digits);
    default:
        return add_each(x, n);
    }
}

/// `digits` of each term, so many of the rest, and so on; last what is left as it is. All that is added is
/// exact, in whatever order. Adding and taking away 1.5 * 2^52 units rounds to whole units, to even where
/// two are as near.
template <int depth, class T> void Sum::add_in_units(const T *x, std::int64_t n, int high, int digits) {
    std::array<double, depth - 1> rounders;
    for (auto &rounder : rounders) {
        rounder = 1.5 * power_of_2(52 + high - digits);
        high -= digits + 1;
    }
    Doubles even[depth]{}, odd[depth]{}; // two chains of additions, of which none waits for the other
    const auto take = [&rounders](Doubles &terms, Doubles *sums) {
        for (int d = 0; d + 1 < depth; ++d) {
            const auto rounder = rounders[static_cast<std::size_t>(d)];
            const Doubles units = (terms + rounder) - rounder;
            sums[d] += units;
            terms -= units;
        }
        sums[depth - 1] += terms;
    };
    Doubles terms;
    std::int64_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        load(x + i, terms);
        take(terms, even);
        load(x + i + lanes, terms);
        take(terms, odd);
    }
    for (; i < n; i += lanes) {
        if (i + lanes <= n)
            load(x + i, terms);
        else
            load_some(x + i, n - i, terms);
        take(terms, even);
    }
    for (int d = depth - 1; d >= 0; --d) sum_.add(sum_of(even[d] + odd[d]));
}

void Sum::add(const Sum &other) {
    special_ |= other.special_;
    for (std::size_t n = 0; n < other.sum_.size(); ++n) sum_.add(other.sum_[n]);
    if (other.huge_.empty()) return;
    huge_.resize(1);
    for (std::size_t n = 0; n < other.huge_[0].size(); ++n) huge_[0].add(other.huge_[0][n]);
}

void Sum::pack(Packer &to) const {
    const auto put = [&to](const Expansion &numbers) {
        for (std::size_t n = 0; n < numbers.size(); ++n) to.as_is(numbers[n]);
    };
    const auto large = huge_.empty() ? 0 : huge_[0].size();
    to.whole(static_cast<std::int64_t>((sum_.size() << 4) | (large > 0 ? 8 : 0) | special_));
    put(sum_);
    if (large == 0) return;
    to.whole(static_cast<std::int64_t>(large));
    put(huge_[0]);
}

Sum Sum::unpack(Unpacker &from) {
    Sum sum;
    const auto head = from.count();
    sum.special_ = static_cast<std::uint32_t>(head & 7);
    for (auto left = head >> 4; left > 0; --left) sum.sum_.add(from.as_is<double>());
    if ((head & 8) == 0) return sum;
    sum.huge_.resize(1);
    for (auto left = from.count(); left > 0; --left) sum.huge_[0].add(from.as_is<double>());
    return sum;
}

/// If it may overflow, in units of 2^200: the small terms that are lost then are nothing beside it.
Expansion Sum::whole() const {
    if (huge_.empty()) return sum_;
    const double unit = may_overflow(huge_) ? huge_unit : 1;
    Expansion all;
    for (std::size_t n = 0; n < sum_.size(); ++n) all.add(sum_[n] / unit);
    for (std::size_t n = 0; n < huge_[0].size(); ++n) all.add(huge_[0][n] * (huge_unit / unit));
    return all;
}

long double Sum::precise() const {
    using Limits = std::numeric_limits<long double>;
    const bool both = (special_ & plus_infinity) && (special_ & minus_infinity);
    if (both || (special_ & nan)) return Limits::quiet_NaN();
    if (special_ & plus_infinity) return Limits::infinity();
    if (special_ & minus_infinity) return -Limits::infinity();
    const auto [most, rest] = huge_.empty() ? sum_.leading() : whole().leading();
    const auto sum = static_cast<long double>(most) + static_cast<long double>(rest);
    return may_overflow(huge_) ? sum * static_cast<long double>(huge_unit) : sum;
}

double Sum::value() const {
    if (special_ != none) return static_cast<double>(precise());
    if (huge_.empty()) return sum_.nearest();
    return whole().nearest() * (may_overflow(huge_) ? huge_unit : 1);
}

} // namespace squall::io
