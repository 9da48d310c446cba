#include "reduce/partial.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/box.hpp"
#include "reduce/extreme.hpp"
#include "squall/io_encode.hpp"

namespace squall::io {
namespace {

/// Splitmix64 (Steele, Lea and Flood 2014, OOPSLA): random numbers by their place.
std::uint64_t random_at(std::uint64_t place) {
    auto z = (place + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return (z ^ (z >> 31)) | 1; // odd: products of them lose nothing
}

template <class T> std::vector<T> cut(const std::vector<T> &all, const Box &box, const Box &part) {
    const auto each = static_cast<std::ptrdiff_t>(all.size()) / volume(box);
    std::vector<T> some;
    some.reserve(static_cast<std::size_t>(volume(part) * each));
    if (each == 0) return some;
    const auto rows = part.count.empty() ? 1 : volume(part) / part.count.back();
    const auto row = part.count.empty() ? 1 : part.count.back();
    auto at = part.start;
    for (std::int64_t r = 0; r < rows; ++r) {
        const auto first = all.begin() + offset_in(box, at) * each;
        some.insert(some.end(), first, first + row * each);
        for (auto d = std::ssize(at) - 2; d >= 0; --d) {
            const auto n = static_cast<std::size_t>(d);
            if (++at[n] < part.start[n] + part.count[n]) break;
            at[n] = part.start[n];
        }
    }
    return some;
}

/// Below which lies the share `fold.quantile` of what the bins hold, which `in` tells of one: between a bin's
/// ends linearly. Added up in the order of the bins, so that the bits are those of what they hold.
template <class Number, class In> double quantile_of(const Fold &fold, In in, double if_nothing) {
    Number all = 0;
    for (int b = 0; b < fold.bins; ++b) all += in(b);
    if (all == 0) return if_nothing;
    if (std::isnan(all)) return static_cast<double>(all);
    const Number wanted = static_cast<Number>(fold.quantile) * all;
    const double wide = (fold.high - fold.low) / fold.bins;
    Number below = 0;
    for (int b = 0; b < fold.bins; ++b) {
        const Number here = in(b);
        if (here > 0 && below + here >= wanted)
            return static_cast<double>(fold.low + wide * (b + (wanted - below) / here));
        below += here;
    }
    return fold.high;
}

} // namespace

void Partial::add(const Fold &fold, const Partial &same) {
    points += same.points;
    for (std::size_t n = 0; n < sums.size(); ++n) sums[n].add(same.sums[n]);
    for (std::size_t n = 0; n < counts.size(); ++n) counts[n] += same.counts[n];
    const bool largest = fold.method == Fold::Method::max;
    for (std::size_t n = 0; n < extremes.size(); ++n)
        extremes[n] = more_extreme(largest, extremes[n], same.extremes[n]);
}

Partial Partial::part(const Box &of) const {
    return {of, points, cut(sums, box, of), cut(extremes, box, of), cut(counts, box, of)};
}

Tallies::Tallies(const Fold &fold) {
    for (std::size_t d = 0; d < fold.domain.size(); ++d) {
        if (!fold.over[d] && fold.block[d] == 1) continue;
        Reduced reduced{d, fold.domain[d], fold.over[d] ? fold.domain[d] : fold.block[d], {0}};
        const auto place = static_cast<std::uint64_t>(reduced_.size()) << 48;
        for (std::int64_t i = 0; i < reduced.block; ++i)
            reduced.up_to.push_back(reduced.up_to.back() + random_at(place + static_cast<std::uint64_t>(i)));
        reduced_.push_back(std::move(reduced));
    }
    whole_ = of(whole_of(fold.domain));
}

std::uint64_t Tallies::of(const Box &source) const {
    std::uint64_t product = 1;
    for (const auto &d : reduced_) product *= of(d, source);
    return product;
}

/// The last block has fewer points, if need be: those that it lacks come with its last one.
std::uint64_t Tallies::of(const Reduced &d, const Box &source) {
    const auto start = source.start[d.dimension], count = source.count[d.dimension];
    if (count >= d.block) return d.up_to.back();
    const auto first = start % d.block, stop = start + count == d.size ? d.block : first + count;
    return d.up_to[static_cast<std::size_t>(stop)] - d.up_to[static_cast<std::size_t>(first)];
}

/// Where boxes overlap in part both are cut, so that all stay apart.
void Partials::add(const Fold &fold, Partial partial) {
    if (volume(partial.box) == 0) return;
    for (std::size_t n = 0; n < list_.size(); ++n) {
        if (list_[n].box == partial.box) return list_[n].add(fold, partial);
        const auto common = intersection(list_[n].box, partial.box);
        if (volume(common) == 0) continue;
        const auto old = std::move(list_[n]);
        list_[n] = old.part(common);
        list_[n].add(fold, partial.part(common));
        for (const auto &box : around(old.box, common)) list_.push_back(old.part(box));
        for (const auto &box : around(partial.box, common)) add(fold, partial.part(box));
        return;
    }
    list_.push_back(std::move(partial));
}

std::vector<Partial> Partials::take_complete(std::uint64_t whole) {
    const auto first = std::stable_partition(list_.begin(), list_.end(),
                                             [&](const Partial &p) { return p.points != whole; });
    std::vector<Partial> complete(std::make_move_iterator(first), std::make_move_iterator(list_.end()));
    list_.erase(first, list_.end());
    return complete;
}

/// Without any weight there is no mean: the fill value.
double Finish::moment(const Sum *sums, std::int64_t count) const {
    if (fold_.method == Fold::Method::sum) return sums[0].value();
    const long double weight = fold_.weighted() ? sums[sums_ - 1].precise() : static_cast<long double>(count);
    if (weight == 0) return fill_;
    const long double mean = sums[0].precise() / weight;
    if (fold_.method == Fold::Method::mean) return static_cast<double>(mean);
    const long double squares = sums[1].precise() / weight - mean * mean;
    const auto variance = static_cast<double>(std::isnan(squares) ? squares : std::max(squares, 0.0L));
    return fold_.method == Fold::Method::variance ? variance : std::sqrt(variance);
}

/// Weights are added as exactly as those of means are.
double Finish::quantile(const Sum *sums, const std::int64_t *counts) const {
    if (fold_.weighted())
        return quantile_of<long double>(
            fold_, [sums](int bin) { return sums[bin].precise(); }, fill_);
    return quantile_of<double>(
        fold_, [counts](int bin) { return static_cast<double>(counts[bin]); }, fill_);
}

double Finish::operator()(const Partial &partial, std::size_t n) const {
    using M = Fold::Method;
    const auto *counts = &partial.counts[n * counts_];
    if (fold_.method == M::count) return static_cast<double>(counts[0]);
    if (std::all_of(counts, counts + counts_, [](std::int64_t c) { return c == 0; })) return fill_;
    if (fold_.extreme()) return partial.extremes[n];
    const auto *sums = partial.sums.data() + n * sums_;
    return fold_.method == M::quantile ? quantile(sums, counts) : moment(sums, counts[0]);
}

std::size_t bytes_of_bin(const Reduction &quantile) {
    return quantile.weight.empty() ? sizeof(decltype(Partial::counts)::value_type)
                                   : sizeof(decltype(Partial::sums)::value_type);
}

std::vector<double> results(const Fold &fold, const Partial &partial, double fill) {
    const Finish finish(fold, fill);
    std::vector<double> values(partial.counts.size() / fold.counts());
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = finish(partial, n);
    return values;
}

} // namespace squall::io
