#include "reduce/evaluate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "reduce/extreme.hpp"

namespace squall::io {
namespace {

/// A dimension of the box: how many points, and the way from one to the next in each memory, and in the
/// result.
struct Axis {
    std::int64_t count = 0;
    std::ptrdiff_t source = 0, weight = 0, mask = 0, result = 0;
};

/// Somewhere in the box.
template <class T> struct At {
    const T *source;
    const double *weight, *mask; ///< null: there is none
    std::int64_t result = 0;     ///< which point of it

    /// Goes n points along an axis.
    void go(const Axis &axis, std::int64_t n) {
        source += n * axis.source;
        if (weight) weight += n * axis.weight;
        if (mask) mask += n * axis.mask;
        result += n * axis.result;
    }
};

/// Collects the values that make one point of the result.
class Collector {
  public:
    explicit Collector(const Fold &fold) : fold_(fold) {}

    /// The point of number `n` in the partial is to be made, whatever it was.
    void begin(Partial &partial, std::int64_t n) {
        if (kept_ > 0) sums_ = &partial.sums[static_cast<std::size_t>(n) * kept_];
        for (std::size_t s = 0; s < kept_; ++s) sums_[s].clear();
    }

    /// Points along an axis. `T`: as they lie in memory.
    template <class T> void take(At<T> &at, const Axis &axis) {
        if (sums_in_place(at, axis)) return;
        for (std::int64_t first = 0; first < axis.count;) {
            if (n_ == room) flush();
            const auto some = std::min(axis.count - first, room - n_);
            if (fold_.fill || at.mask)
                take_some_of(at, axis, some);
            else
                take_all_of(at, axis, some);
            at.go(axis, some);
            first += some;
        }
        at.go(axis, -axis.count);
    }

    /// It is made.
    void finish(Partial &partial, std::int64_t n) {
        if (n_ > 0) flush();
        const auto at = static_cast<std::size_t>(n);
        if (fold_.extreme()) partial.extremes[at] = std::exchange(extreme_, start());
        if (fold_.method == Fold::Method::quantile && !fold_.weighted())
            std::ranges::copy(bins_, partial.counts.begin() + n * fold_.bins), std::ranges::fill(bins_, 0);
        else
            partial.counts[at] = count_;
        count_ = 0;
    }

  private:
    static constexpr std::int64_t room = 4096;

    /// Sums of a long row that counts as it is are made where it lies. Returns whether this is one.
    template <class T> bool sums_in_place(const At<T> &at, const Axis &axis) {
        constexpr std::int64_t is_long = 32;
        if constexpr (std::is_floating_point_v<T>) {
            const bool as_it_is = !fold_.weighted() && !fold_.fill && !at.mask && fold_.type == type_of<T>;
            if (kept_ != 1 || !as_it_is || axis.source != 1 || axis.count < is_long) return false;
            sums_[0].add(at.source, axis.count);
            count_ += axis.count;
            return true;
        }
        return false;
    }

    /// As it would be in a file.
    template <class T> double value(T x) const {
        if (fold_.type == Type::f32) return static_cast<double>(static_cast<float>(x));
        return static_cast<double>(x);
    }

    template <class T> void take_all_of(const At<T> &at, const Axis &axis, std::int64_t n) {
        double *x = &x_[static_cast<std::size_t>(n_)], *w = &w_[static_cast<std::size_t>(n_)];
        if (axis.source == 1)
            for (std::int64_t i = 0; i < n; ++i) x[i] = value(at.source[i]);
        else
            for (std::int64_t i = 0; i < n; ++i) x[i] = value(at.source[i * axis.source]);
        if (at.weight)
            for (std::int64_t i = 0; i < n; ++i) w[i] = at.weight[i * axis.weight];
        n_ += n;
    }

    template <class T> void take_some_of(const At<T> &at, const Axis &axis, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i) {
            const double x = value(at.source[i * axis.source]);
            if (fold_.fill && (x == *fold_.fill || (std::isnan(x) && std::isnan(*fold_.fill)))) continue;
            if (at.mask && at.mask[i * axis.mask] == 0) continue;
            const auto to = static_cast<std::size_t>(n_++);
            x_[to] = x;
            if (at.weight) w_[to] = at.weight[i * axis.weight];
        }
    }

    void flush() {
        count_ += n_;
        if (fold_.method == Fold::Method::quantile)
            sort_into_bins();
        else if (kept_ > 0)
            add_moments();
        else if (fold_.extreme())
            find_extreme();
        n_ = 0;
    }

    void add_moments() {
        const auto n = static_cast<std::size_t>(n_);
        const bool weighted = fold_.weighted();
        if (kept_ == 2 + std::size_t(weighted)) {
            for (std::size_t i = 0; i < n; ++i) squares_[i] = x_[i] * (weighted ? w_[i] * x_[i] : x_[i]);
            sums_[1].add(squares_.data(), n_);
        }
        if (weighted)
            for (std::size_t i = 0; i < n; ++i) x_[i] *= w_[i];
        sums_[0].add(x_.data(), n_);
        if (weighted && kept_ > 1) sums_[kept_ - 1].add(w_.data(), n_);
    }

    void find_extreme() {
        const bool largest = fold_.method == Fold::Method::max;
        for (std::int64_t i = 0; i < n_; ++i) {
            const double x = x_[static_cast<std::size_t>(i)];
            extreme_ = more_extreme(largest, extreme_, x);
            if (std::isnan(extreme_)) return;
        }
    }

    void sort_into_bins() {
        const double scale = fold_.bins / (fold_.high - fold_.low);
        for (std::int64_t i = 0; i < n_; ++i) {
            const double x = x_[static_cast<std::size_t>(i)];
            const double place =
                std::isnan(x) ? 0 : std::clamp((x - fold_.low) * scale, 0.0, fold_.bins - 1.0);
            const auto bin = static_cast<std::size_t>(place);
            if (fold_.weighted())
                sums_[bin].add(w_[static_cast<std::size_t>(i)]);
            else
                ++bins_[bin];
        }
    }

    double start() const {
        return fold_.method == Fold::Method::max ? -std::numeric_limits<double>::infinity()
                                                 : std::numeric_limits<double>::infinity();
    }

    const Fold &fold_;
    std::array<double, room> x_, w_, squares_;
    std::int64_t n_ = 0, count_ = 0;
    const std::size_t kept_ = fold_.sums();
    Sum *sums_ = nullptr; ///< of the point, so many
    double extreme_ = start();
    std::vector<std::int64_t> bins_ = std::vector<std::int64_t>(static_cast<std::size_t>(fold_.bins), 0);
};

/// The axes of a box, in the order of the source's dimensions, apart: those that the result keeps, and those
/// that it has not. A dimension that becomes coarser is one of blocks, which are kept, and one of the points
/// in a block. Both are sorted by the memory of the source, which is read as it lies: the last fastest.
struct Axes {
    std::vector<Axis> kept, over;

    Axes(const Fold &fold, const Box &box, const Strides &source, const Strides &weight,
         const Strides &mask) {
        for (std::size_t d = 0; d < box.count.size(); ++d) {
            Axis axis{box.count[d], source[d], weight.empty() ? 0 : weight[d], mask.empty() ? 0 : mask[d], 0};
            const auto n = std::min(fold.block[d], axis.count);
            if (!fold.over[d])
                kept.push_back({axis.count / n, axis.source * n, axis.weight * n, axis.mask * n, 0});
            if (!fold.over[d] && fold.block[d] == 1) continue;
            if (!fold.over[d]) axis.count = n;
            over.push_back(axis);
        }
        std::ptrdiff_t points = 1;
        for (auto axis = kept.rbegin(); axis != kept.rend(); ++axis) {
            axis->result = points;
            points *= axis->count;
        }
        const auto memory = [](const Axis &a) { return -std::abs(a.source); };
        std::ranges::stable_sort(kept, {}, memory);
        std::ranges::stable_sort(over, {}, memory);
    }
};

/// Calls f at each point of the axes from number `d` on but the last `left`, in their order; `at` is the
/// first of them, before and after. It is not copied: what was written in parts cannot be read at once for a
/// while.
template <class T, class F>
void for_each(const std::vector<Axis> &axes, std::size_t left, At<T> &at, const F &f, std::size_t d = 0) {
    if (d + left == axes.size()) return f(at);
    const auto &axis = axes[d];
    for (auto n = axis.count; n > 0; --n, at.go(axis, 1)) for_each(axes, left, at, f, d + 1);
    at.go(axis, -axis.count);
}

Box left_of(const Fold &fold, const Box &source) {
    Box box;
    for (std::size_t d = 0; d < fold.over.size(); ++d)
        if (!fold.over[d]) {
            box.start.push_back(source.start[d] / fold.block[d]);
            box.count.push_back(std::max(source.count[d] / fold.block[d], std::int64_t(1)));
        }
    return box;
}

/// With room for the numbers of so many points.
Partial empty_partial(const Fold &fold, const Box &box, std::int64_t points) {
    const auto n = static_cast<std::size_t>(points);
    Partial partial{
        box, 0, std::vector<Sum>(n * fold.sums()), {}, std::vector<std::int64_t>(n * fold.counts(), 0)};
    const auto worst = std::numeric_limits<double>::infinity();
    if (fold.extreme()) partial.extremes.assign(n, fold.method == Fold::Method::max ? -worst : worst);
    return partial;
}

/// The parts of a box that have whole blocks of a dimension that becomes coarser, or points of one block
/// only.
std::vector<Box> cut_at_blocks(const Fold &fold, const Box &box) {
    std::vector<Box> parts{box};
    for (std::size_t d = 0; d < box.count.size(); ++d) {
        const auto n = fold.block[d], begin = box.start[d], end = begin + box.count[d];
        if (n == 1) continue;
        const auto first = std::min((begin + n - 1) / n * n, end), last = std::max(end / n * n, first);
        std::vector<Box> finer;
        for (const auto &part : parts)
            for (const auto &[from, to] :
                 {std::pair(begin, first), std::pair(first, last), std::pair(last, end)}) {
                if (from == to) continue;
                finer.push_back(part);
                finer.back().start[d] = from;
                finer.back().count[d] = to - from;
            }
        parts = std::move(finer);
    }
    return parts;
}

/// Of a part of what was put, as above. Of results there is one point at a time: more would go by way of
/// memory.
Evaluated evaluate(const Fold &fold, const Tallies &tallies, const Put &put, const Box &part,
                   const Companions &companions, std::optional<double> fill) {
    const auto counting = intersection(part, fold.within);
    const auto box = left_of(fold, part);
    const auto points = tallies.of(part);
    const bool whole = fill && points == tallies.whole();
    Evaluated made{empty_partial(fold, box, whole ? 1 : volume(box))};
    auto &partial = made.partial;
    partial.points = points;
    const Finish finish(fold, fill.value_or(0));
    if (whole) made.results.emplace(static_cast<std::size_t>(volume(box)), finish(partial, 0));
    if (volume(counting) == 0) return made;
    const auto strides = put.strides.empty() ? contiguous(put.box.count) : put.strides;
    std::ptrdiff_t offset = 0;
    for (std::size_t d = 0; d < strides.size(); ++d)
        offset += (counting.start[d] - put.box.start[d]) * strides[d];
    const auto weight = companions.of(fold.weight, counting), mask = companions.of(fold.mask, counting);
    const Axes axes(fold, counting, strides, weight.strides, mask.strides);
    Collector collector(fold);
    with_element(put.memory, [&](auto element) {
        using T = decltype(element);
        At<T> first{static_cast<const T *>(put.data) + offset, weight.first, mask.first};
        for_each(axes.kept, 0, first, [&](At<T> &point) {
            const auto n = whole ? 0 : point.result;
            collector.begin(partial, n);
            for_each(axes.over, 1, point, [&](At<T> &row) { collector.take(row, axes.over.back()); });
            collector.finish(partial, n);
            if (whole) (*made.results)[static_cast<std::size_t>(point.result)] = finish(partial, 0);
        });
    });
    return made;
}

} // namespace

std::vector<Evaluated> evaluate(const Fold &fold, const Tallies &tallies, const Put &put,
                                const Companions &companions, std::optional<double> fill) {
    std::vector<Evaluated> all;
    for (const auto &part : cut_at_blocks(fold, put.box))
        all.push_back(evaluate(fold, tallies, put, part, companions, fill));
    return all;
}

} // namespace squall::io
