#include "reduce/sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "reduce/lanes.hpp"

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

/// Whether finite terms are whole numbers of 2^(40 bin): there is nothing of them in the bins below. Of
/// single precision, with its 24 digits, most rows are.
template <class T> bool ends_at(std::int32_t bin, const Magnitudes &of) {
    return exponent_of(of.least) - (std::numeric_limits<T>::digits - 1) >= width * bin;
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
        const auto terms = magnitudes_of(x, some);
        if (terms.largest == 0) continue;
        const auto bin = std::isfinite(terms.largest) ? std::max(bin_of(terms.largest), top_) : no_bin;
        if (!ordinary(bin)) {
            std::for_each(x, x + some, [this](T term) { add(static_cast<double>(term)); });
            continue;
        }
        raise_to(bin);
        if (ends_at<T>(bin - 1, terms))
            add_block<2>(x, some);
        else
            add_block<3>(x, some);
    }
}

/// All that is added is exact, in whatever order, and less than 2^52 units. `depth`: bins, counted from the
/// largest, that have anything of the terms; floats seldom have anything in the third.
template <int depth, class T> void Sum::add_block(const T *x, std::int64_t n) {
    constexpr bool all = depth < kept;   // the last bin takes what is left as it is
    constexpr std::int64_t ahead = 1024; // terms; while these are added, those come from memory
    std::array<double, depth> r;
    for (int b = 0; b < depth; ++b) r[static_cast<std::size_t>(b)] = rounder(top_ - b);
    Doubles even[depth]{}, odd[depth]{}; // two chains of additions, of which none waits for the other
    const auto take = [&r](Doubles &terms, Doubles *sums) {
        for (int b = 0; b < depth; ++b) {
            const auto rounds = r[static_cast<std::size_t>(b)];
            const Doubles whole = all && b + 1 == depth ? terms : (terms + rounds) - rounds;
            sums[b] += whole;
            terms -= whole;
        }
    };
    Doubles terms;
    std::int64_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        __builtin_prefetch(x + i + ahead);
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
    for (int b = 0; b < depth; ++b)
        bins_[static_cast<std::size_t>(b)] +=
            static_cast<std::int64_t>(sum_of(even[b] + odd[b]) * power_of(b - top_));
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
