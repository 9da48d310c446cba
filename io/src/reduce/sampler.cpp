#include "reduce/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

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

void AtPlaces::take(AtPlaces &others, const Sample &sample) {
    made.insert(made.end(), others.made.begin(), others.made.end());
    values.insert(values.end(), others.values.begin(), others.values.end());
    for (auto &[place, part] : others.partly) add(place, std::move(part), sample);
}

void AtPlaces::sort(std::size_t depth) {
    if (std::ranges::is_sorted(made)) return;
    std::vector<std::size_t> order(made.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::sort(order, {}, [&](std::size_t n) { return made[n]; });
    AtPlaces sorted;
    sorted.made.reserve(made.size());
    sorted.values.reserve(values.size());
    for (const auto n : order) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(n * depth);
        sorted.made.push_back(made[n]);
        sorted.values.insert(sorted.values.end(), first, first + static_cast<std::ptrdiff_t>(depth));
    }
    made = std::move(sorted.made);
    values = std::move(sorted.values);
}

void Sampler::lie_at(const std::vector<double> &positions) {
    const auto n = sample_.along.size();
    spots_.assign(positions.size() / n, {});
    plans_.clear();
    nowhere_.clear();
    for (std::size_t p = 0; p < spots_.size(); ++p) {
        auto &spot = spots_[p];
        bool inside = true;
        for (std::size_t d = 0; d < n; ++d) {
            spot.at[d] = between(sample_, d, positions[p * n + d]);
            inside = inside && spot.at[d].inside;
        }
        if (!inside) {
            nowhere_.push_back(static_cast<std::int64_t>(p));
            continue;
        }
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

const Sampler::Plan &Sampler::plan_for(const Box &box, const Strides &strides) {
    const auto known = std::ranges::find_if(
        plans_, [&](const Plan &plan) { return plan.box == box && plan.strides == strides; });
    if (known != plans_.end()) return *known;
    auto &plan = plans_.emplace_back(Plan{box, strides, near(box), {}});
    plan.columns = columns_in(plan);
    return plan;
}

std::vector<Sampler::Near> Sampler::near(const Box &box) const {
    std::vector<Near> places;
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
        if (came != 0) places.push_back({static_cast<std::int64_t>(p), came});
    }
    return places;
}

/// Offsets of the values of one place, in the order of the dimensions that are left.
std::vector<std::ptrdiff_t> Sampler::depths(const Put &put, const Strides &strides) const {
    std::vector<std::ptrdiff_t> offsets{0};
    for (std::size_t d = 0; d < sample_.domain.size(); ++d) {
        if (sample_.lie_in(d)) continue;
        if (put.box.count[d] != sample_.domain[d])
            throw Error(fmt::format("sampling at places needs whole columns, but box {} has {} of {} points "
                                    "along its dimension {}",
                                    text(put.box), put.box.count[d], sample_.domain[d], d));
        std::vector<std::ptrdiff_t> finer;
        for (const auto offset : offsets)
            for (std::int64_t i = 0; i < put.box.count[d]; ++i) finer.push_back(offset + i * strides[d]);
        offsets = std::move(finer);
    }
    return offsets;
}

/// The places near a box, in the order in which their first corners lie in memory: neighbours are read one
/// after the other, whatever the order in which places were declared.
std::vector<Sampler::Column> Sampler::columns_in(const Plan &plan) const {
    std::vector<Column> columns;
    columns.reserve(plan.near.size());
    for (std::size_t n = 0; n < plan.near.size(); ++n) {
        Column column{n, {}};
        const auto &spot = spots_[static_cast<std::size_t>(plan.near[n].place)];
        for (std::size_t c = 0; c < corners_; ++c)
            for (std::size_t d = 0; d < sample_.along.size(); ++d) {
                const auto along = sample_.along[d];
                column.corner[c] += (index(spot, c, d) - plan.box.start[along]) * plan.strides[along];
            }
        columns.push_back(column);
    }
    std::ranges::sort(columns, {}, [](const Column &c) { return c.corner[0]; });
    return columns;
}

/// The values above one corner.
template <class T>
void Sampler::read(const T *corner, const std::vector<std::ptrdiff_t> &depths, double *to) const {
    for (std::size_t n = 0; n < depths.size(); ++n) to[n] = value_of(sample_.type, corner[depths[n]]);
}

/// Asks for what read() will read: where each value has a line of its own, most of the time goes by waiting
/// for these one after the other.
template <class T>
void Sampler::fetch(const T *data, const Column &column, std::uint64_t came,
                    const std::vector<std::ptrdiff_t> &depths) const {
    constexpr std::ptrdiff_t near = 16 / sizeof(T); // but for a few, in the same line
    for (std::size_t c = 0; c < corners_; ++c) {
        bool wanted = has(came, c);
        for (std::size_t before = 0; before < c; ++before)
            wanted =
                wanted && !(has(came, before) && std::abs(column.corner[c] - column.corner[before]) < near);
        if (!wanted) continue;
        for (const auto depth : depths) __builtin_prefetch(data + column.corner[c] + depth);
    }
}

/// What is not whole is kept until the rest has come.
void Sampler::put(const Put &put, AtPlaces &into) {
    const auto strides = put.strides.empty() ? contiguous(put.box.count) : put.strides;
    const auto offsets = depths(put, strides);
    const auto &plan = plan_for(put.box, strides);
    const auto &columns = plan.columns;
    const auto rooms = room_for(plan, into);
    with_element(put.memory, [&](auto element) {
        const auto *data = static_cast<const decltype(element) *>(put.data);
        for (std::size_t n = 0; n < columns.size(); ++n) {
            if (n + 1 < columns.size())
                fetch(data, columns[n + 1], plan.near[columns[n + 1].near].came, offsets);
            const auto &near = plan.near[columns[n].near];
            const auto &spot = spots_[static_cast<std::size_t>(near.place)];
            const auto &room = rooms[columns[n].near];
            if (room.at != Slot::none) {
                const auto at = [&, type = sample_.type, &corner = columns[n].corner](std::size_t c,
                                                                                      std::size_t k) {
                    return value_of(type, data[corner[c] + offsets[k]]);
                };
                combine(spot, at, &into.values[room.at]);
                continue;
            }
            std::vector<double> values(corners_ * depth_);
            for (std::size_t c = 0; c < corners_; ++c)
                if (has(near.came, c)) read(data + columns[n].corner[c], offsets, &values[c * depth_]);
            // until all points have come; of a place that comes twice they never will have
            into.add(near.place, {room.twice ? 2 * near.came : near.came, std::move(values)}, sample_);
        }
    });
}

/// For the values of places that are whole in a box, in the order of the places.
std::vector<Sampler::Slot> Sampler::room_for(const Plan &plan, AtPlaces &of) const {
    std::vector<Slot> rooms;
    rooms.reserve(plan.near.size());
    of.made.reserve(of.made.size() + plan.near.size());
    of.values.reserve(of.values.size() + plan.near.size() * depth_);
    of.put_whole.resize(spots_.size());
    for (const auto &near : plan.near) {
        const auto place = static_cast<std::size_t>(near.place);
        const bool whole = near.came == spots_[place].whole, known = of.partly.contains(near.place);
        Slot room{.twice = whole && !known && of.put_whole[place]};
        if (whole && !known && !room.twice) {
            room.at = of.values.size();
            add_made(of, near.place);
        }
        if (whole) of.put_whole[place] = true;
        rooms.push_back(room);
    }
    return rooms;
}

/// Bilinear, with the corners in the order of their numbers; `at(c, n)`: the value of corner c at depth n.
template <class At> void Sampler::combine(const Spot &spot, const At &at, double *value) const {
    std::array<std::size_t, most> corners;
    std::size_t count = 0;
    for (std::size_t c = 0; c < corners_; ++c)
        if (has(spot.whole, c)) corners[count++] = c;
    const double fill =
        sample_.fill.value_or(std::numeric_limits<double>::quiet_NaN()); // which nothing equals
    for (std::size_t n = 0; n < depth_; ++n) {
        double sum = 0;
        bool is_missing = false;
        for (std::size_t c = 0; c < count; ++c) {
            const double x = at(corners[c], n);
            sum += spot.weight[corners[c]] * x;
            is_missing |= x == fill;
        }
        value[n] = is_missing ? missing_ : sum;
    }
}

/// Room for the values of a place.
double *Sampler::add_made(AtPlaces &of, std::int64_t place) const {
    of.made.push_back(place);
    of.values.resize(of.values.size() + depth_);
    return of.values.data() + of.values.size() - depth_;
}

void Sampler::make(AtPlaces &of) const {
    for (auto p = of.partly.begin(); p != of.partly.end();) {
        const auto &spot = spots_[static_cast<std::size_t>(p->first)];
        if (p->second.came != spot.whole) {
            ++p;
            continue;
        }
        const auto at = [&, x = p->second.values.data()](std::size_t c, std::size_t n) {
            return x[c * depth_ + n];
        };
        combine(spot, at, add_made(of, p->first));
        p = of.partly.erase(p);
    }
}

void Sampler::add_nowhere(AtPlaces &to) const {
    for (const auto place : nowhere_) std::fill_n(add_made(to, place), depth_, missing_);
}

} // namespace squall::io
