#include "reduce/over_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "reduce/extreme.hpp"

namespace squall::io {
namespace {

using Method = OverTime::Method;
constexpr double infinity = std::numeric_limits<double>::infinity();

double start_of(Method method) {
    if (method == Method::min) return infinity;
    if (method == Method::max) return -infinity;
    return 0;
}

/// The values of a box as they would be in a file.
std::vector<double> values_of(const OverTime &what, const Put &put) {
    std::vector<double> x(static_cast<std::size_t>(volume(put.box)));
    copy_points(put.box.count, put.data, put.memory, put.strides, x.data(), Type::f64, {});
    if (what.type == Type::f32 && put.memory == Type::f64)
        for (auto &value : x) value = static_cast<double>(static_cast<float>(value));
    return x;
}

/// Adds a value to what is kept of a point, in planes `n` points apart; `count` values have come with it.
void add_value(Method method, double *kept, std::int64_t n, double x, double count) {
    switch (method) {
    case Method::mean:
    case Method::sum:
        kept[0] += x;
        return;
    case Method::min:
    case Method::max:
        kept[0] = more_extreme(method == Method::max, kept[0], x);
        return;
    case Method::variance:
    case Method::standard_deviation: {
        const double before = x - kept[0];
        kept[0] += before / count;
        kept[n] += before * (x - kept[0]);
        return;
    }
    case Method::last:
    case Method::accumulation:
    case Method::rate:
        kept[0] = x;
        return;
    }
}

} // namespace

std::vector<std::string> Accumulator::planes() const {
    std::vector<std::string> names;
    switch (what_.method) {
    case Method::mean:
    case Method::sum:
        names = {"sum"};
        break;
    case Method::variance:
    case Method::standard_deviation:
        names = {"mean", "squares"};
        break;
    case Method::accumulation:
    case Method::rate:
        names = {"newest", "before"};
        break;
    default:
        names = {"newest"};
    }
    if (what_.fill) names.emplace_back("count");
    return names;
}

Accumulator::Part Accumulator::new_part(const Box &box) const {
    Part part{box, volume(box), 0, {}};
    part.values.assign(static_cast<std::size_t>(part.points) * what_.kept(), 0);
    std::fill_n(part.values.begin(), part.points, start_of(what_.method));
    return part;
}

Accumulator::Part &Accumulator::part_of(const Box &box, const Interval &interval) {
    const auto known = std::ranges::find(parts_, box, &Part::box);
    if (known != parts_.end()) return *known;
    const bool begun = interval.samples > 0 || (what_.differs() && !interval.first);
    if (!file_ && begun)
        throw Error(fmt::format("box {} was not put in the earlier samples since the last frame; {} needs "
                                "the same boxes in all samples",
                                text(box), what_.name));
    auto part = new_part(box);
    read(part);
    return parts_.emplace_back(std::move(part));
}

/// Of the restart, if there is one.
void Accumulator::read(Part &part) const {
    if (!file_) return;
    part.samples = restored_;
    const auto names = planes();
    for (std::size_t p = 0; p < names.size(); ++p)
        file_->read(prefix_ + names[p], frame_, part.box,
                    part.values.data() + static_cast<std::ptrdiff_t>(p) * part.points);
}

void Accumulator::for_share(int rank, int ranks,
                            const std::function<void(std::size_t, const Box &, const double *)> &f) const {
    auto box = whole_of(what_.domain);
    if (!box.start.empty()) {
        box.start[0] = what_.domain[0] * rank / ranks;
        box.count[0] = what_.domain[0] * (rank + 1) / ranks - box.start[0];
    } else if (rank > 0) {
        return;
    }
    auto part = new_part(box);
    if (part.points == 0) return;
    read(part);
    for (std::size_t p = 0; p < what_.kept(); ++p)
        f(p, box, part.values.data() + static_cast<std::ptrdiff_t>(p) * part.points);
}

void Accumulator::add(const Put &put, const Interval &interval) {
    auto &part = part_of(put.box, interval);
    if (part.samples != interval.samples)
        throw Error(fmt::format("box {} was put {} times in {} samples", text(put.box), part.samples + 1,
                                interval.samples + 1));
    ++part.samples;
    take(part, values_of(what_, put));
}

void Accumulator::take(Part &part, const std::vector<double> &x) const {
    const auto n = part.points;
    double *counts = what_.fill ? part.values.data() + n * (std::ssize(planes()) - 1) : nullptr;
    const auto samples = static_cast<double>(part.samples);
    for (std::int64_t i = 0; i < n; ++i) {
        const double value = x[static_cast<std::size_t>(i)];
        if (counts && value == *what_.fill) {
            if (what_.differs() || what_.method == Method::last)
                part.values[static_cast<std::size_t>(i)] = std::numeric_limits<double>::quiet_NaN();
            continue;
        }
        if (counts) ++counts[i];
        add_value(what_.method, &part.values[static_cast<std::size_t>(i)], n, value,
                  counts ? counts[i] : samples);
    }
}

std::vector<double> Accumulator::result(const Box &box, const Interval &interval, double seconds) const {
    const auto &part = *std::ranges::find(parts_, box, &Part::box);
    const auto n = part.points;
    const double *first = part.values.data(), *second = first + n;
    const double *counts = what_.fill ? first + n * (std::ssize(planes()) - 1) : nullptr;
    std::vector<double> values(static_cast<std::size_t>(n), what_.missing);
    if (what_.differs() && interval.first) return values;
    for (std::int64_t i = 0; i < n; ++i) {
        const double count = counts ? counts[i] : static_cast<double>(part.samples);
        auto &value = values[static_cast<std::size_t>(i)];
        if (counts && (count == 0 || std::isnan(first[i]))) continue;
        value = first[i];
        if (what_.method == Method::mean) value /= count;
        if (what_.method == Method::variance) value = second[i] / count;
        if (what_.method == Method::standard_deviation) value = std::sqrt(second[i] / count);
        if (!what_.differs()) continue;
        value = first[i] - second[i];
        if (counts && std::isnan(value))
            value = what_.missing;
        else if (what_.method == Method::rate)
            value /= seconds - interval.begun;
    }
    return values;
}

void Accumulator::sample_done(const Interval &interval) const {
    for (const auto &part : parts_)
        if (part.samples != interval.samples)
            throw Error(fmt::format("{}, the source of {} over time, was put in {} of {} samples since the "
                                    "last frame; put it in each",
                                    what_.of, what_.name, part.samples, interval.samples));
}

void Accumulator::begin_anew() {
    file_ = nullptr;
    for (auto &part : parts_) {
        const std::vector<double> newest(part.values.begin(), part.values.begin() + part.points);
        part = new_part(part.box);
        if (what_.differs()) std::ranges::copy(newest, part.values.begin() + part.points);
    }
}

void Accumulator::read_from(std::shared_ptr<const Reader> file, std::int64_t frame, const std::string &prefix,
                            std::int64_t samples) {
    file_ = std::move(file);
    frame_ = frame;
    prefix_ = prefix;
    restored_ = samples;
}

} // namespace squall::io
