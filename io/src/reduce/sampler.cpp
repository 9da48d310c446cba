#include "reduce/sampler.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"

namespace squall::io {
namespace {

/// As it would be in a file.
template <class T> double value_of(Type type, T x) {
    if (type == Type::f32) return static_cast<double>(static_cast<float>(x));
    return static_cast<double>(x);
}

constexpr std::uint64_t once(std::size_t corner) { return std::uint64_t(1) << (8 * corner); }

/// Whether a corner is among those that came, or those that count.
constexpr bool has(std::uint64_t came, std::size_t corner) { return (came >> (8 * corner) & 0xff) != 0; }

} // namespace

void AtPlaces::add(std::int64_t place, Around part, const Sample &sample) {
    const auto [known, fresh] = partly.try_emplace(place, std::move(part));
    if (fresh) return;
    const auto depth = static_cast<std::size_t>(sample.depth());
    for (std::size_t c = 0; c < static_cast<std::size_t>(sample.corners()); ++c)
        if (has(part.came, c))
            std::copy_n(part.values.begin() + static_cast<std::ptrdiff_t>(c * depth), depth,
                        known->second.values.begin() + static_cast<std::ptrdiff_t>(c * depth));
    known->second.came += part.came;
}

void Sampler::lie_at(const std::vector<double> &positions) {
    const auto n = sample_.along.size();
    spots_.assign(positions.size() / n, {});
    plans_.clear();
    for (std::size_t p = 0; p < spots_.size(); ++p) {
        auto &spot = spots_[p];
        bool inside = true;
        for (std::size_t d = 0; d < n; ++d) {
            spot.at[d] = between(sample_, d, positions[p * n + d]);
            inside = inside && spot.at[d].inside;
        }
        if (!inside) continue;
        for (std::size_t c = 0; c < corners_; ++c) {
            double weight = 1;
            for (std::size_t d = 0; d < n; ++d)
                weight *= (c >> d & 1) ? spot.at[d].fraction : 1 - spot.at[d].fraction;
            spot.weight[c] = weight;
            if (weight != 0) spot.whole += once(c); // a point that does not count need not come
        }
    }
}

std::int64_t Sampler::index(const Spot &spot, std::size_t corner, std::size_t d) const {
    return spot.at[d].first + (sample_.nearest ? 0 : static_cast<std::int64_t>(corner >> d & 1));
}

const Sampler::Plan &Sampler::plan_for(const Box &box) {
    const auto known = std::ranges::find(plans_, box, &Plan::box);
    if (known != plans_.end()) return *known;
    auto &plan = plans_.emplace_back(Plan{box, {}});
    for (std::size_t p = 0; p < spots_.size(); ++p) {
        std::uint64_t came = 0;
        for (std::size_t c = 0; c < corners_; ++c) {
            bool inside = has(spots_[p].whole, c);
            for (std::size_t d = 0; inside && d < sample_.along.size(); ++d) {
                const auto from = index(spots_[p], c, d) - box.start[sample_.along[d]];
                inside = from >= 0 && from < box.count[sample_.along[d]];
            }
            if (inside) came += once(c);
        }
        if (came != 0) plan.near.push_back({static_cast<std::int64_t>(p), came});
    }
    return plan;
}

/// Offsets of the values of one place, in the order of the dimensions that are left.
std::vector<std::ptrdiff_t> Sampler::depths(const Put &put, const Strides &strides) const {
    std::vector<std::ptrdiff_t> offsets{0};
    for (std::size_t d = 0; d < sample_.domain.size(); ++d) {
        if (sample_.lie_in(d)) continue;
        if (put.box.count[d] != sample_.domain[d])
            throw Error(
                fmt::format("at places whole columns are needed, and box {} has {} of {} points along "
                            "its dimension {}",
                            text(put.box), put.box.count[d], sample_.domain[d], d));
        std::vector<std::ptrdiff_t> finer;
        for (const auto offset : offsets)
            for (std::int64_t i = 0; i < put.box.count[d]; ++i) finer.push_back(offset + i * strides[d]);
        offsets = std::move(finer);
    }
    return offsets;
}

/// The values above one corner.
template <class T>
void Sampler::read(const T *corner, const std::vector<std::ptrdiff_t> &depths, double *to) const {
    for (std::size_t n = 0; n < depths.size(); ++n) to[n] = value_of(sample_.type, corner[depths[n]]);
}

/// What is not whole is kept until the rest has come.
void Sampler::put(const Put &put, AtPlaces &into) {
    const auto strides = put.strides.empty() ? contiguous(put.box.count) : put.strides;
    const auto offsets = depths(put, strides);
    std::vector<double> values(corners_ * depth_);
    into.put_whole.resize(spots_.size());
    with_element(put.memory, [&](auto element) {
        const auto *data = static_cast<const decltype(element) *>(put.data);
        for (const auto &near : plan_for(put.box).near) {
            const auto &spot = spots_[static_cast<std::size_t>(near.place)];
            for (std::size_t c = 0; c < corners_; ++c) {
                if (!has(near.came, c)) continue;
                std::ptrdiff_t at = 0;
                for (std::size_t d = 0; d < sample_.along.size(); ++d)
                    at += (index(spot, c, d) - put.box.start[sample_.along[d]]) * strides[sample_.along[d]];
                read(data + at, offsets, &values[c * depth_]);
            }
            const auto place = static_cast<std::size_t>(near.place);
            if (near.came != spot.whole || into.partly.contains(near.place))
                into.add(near.place, {near.came, values}, sample_);
            else if (into.put_whole[place]) // twice: it will never be complete
                into.add(near.place, {2 * near.came, values}, sample_);
            else
                combine(spot, values.data(), add_made(into, near.place));
            if (near.came == spot.whole) into.put_whole[place] = true;
        }
    });
}

/// Bilinear, with the corners in the order of their numbers.
void Sampler::combine(const Spot &spot, const double *x, double *value) const {
    std::fill_n(value, depth_, 0.0);
    for (std::size_t c = 0; c < corners_; ++c) {
        if (!has(spot.whole, c)) continue;
        const double weight = spot.weight[c], *corner = x + c * depth_;
        for (std::size_t n = 0; n < depth_; ++n) value[n] += weight * corner[n];
    }
    if (!sample_.fill) return;
    for (std::size_t c = 0; c < corners_; ++c)
        for (std::size_t n = 0; has(spot.whole, c) && n < depth_; ++n)
            if (x[c * depth_ + n] == *sample_.fill) value[n] = missing_;
}

/// Room for the values of a place.
double *Sampler::add_made(AtPlaces &of, std::int64_t place) const {
    if (of.made.empty() || of.made.back().first + of.made.back().count != place)
        of.made.push_back({place, 0, {}});
    auto &run = of.made.back();
    ++run.count;
    run.values.resize(run.values.size() + depth_);
    return run.values.data() + run.values.size() - depth_;
}

void Sampler::make(AtPlaces &of) const {
    for (auto p = of.partly.begin(); p != of.partly.end();) {
        const auto &spot = spots_[static_cast<std::size_t>(p->first)];
        if (p->second.came != spot.whole) {
            ++p;
            continue;
        }
        combine(spot, p->second.values.data(), add_made(of, p->first));
        p = of.partly.erase(p);
    }
}

void Sampler::add_nowhere(AtPlaces &to) const {
    for (std::size_t p = 0; p < spots_.size(); ++p)
        if (spots_[p].whole == 0) std::fill_n(add_made(to, static_cast<std::int64_t>(p)), depth_, missing_);
}

} // namespace squall::io
