#include "reduce/report.hpp"

#include <utility>

#include "common/box.hpp"
#include "reduce/packed.hpp"

namespace squall::io {
namespace {

void put_partial(Packer &to, const Fold &fold, const Partial &partial) {
    for (const auto i : partial.box.start) to.whole(i);
    for (const auto n : partial.box.count) to.whole(n);
    to.as_is(partial.points);
    for (const auto &sum : partial.sums) sum.pack(to);
    to.numbers(partial.extremes, fold.type == Type::f32);
    for (const auto count : partial.counts) to.whole(count);
}

Partial get_partial(Unpacker &from, const Fold &fold, std::size_t dimensions) {
    Partial partial;
    for (std::size_t d = 0; d < dimensions; ++d) partial.box.start.push_back(from.count());
    for (std::size_t d = 0; d < dimensions; ++d) partial.box.count.push_back(from.count());
    partial.points = from.as_is<std::uint64_t>();
    const auto n = static_cast<std::size_t>(volume(partial.box));
    for (auto left = n * fold.sums(); left > 0; --left) partial.sums.push_back(Sum::unpack(from));
    partial.extremes = from.numbers(fold.extreme() ? n : 0, fold.type == Type::f32);
    for (auto left = n * fold.counts(); left > 0; --left) partial.counts.push_back(from.count());
    return partial;
}

/// Whether a field at places holds what a float does: then it needs no more on its way.
bool is_single(const Layout &layout, std::size_t sample) {
    return layout.fields[static_cast<std::size_t>(layout.samples[sample].field)].staged == Type::f32;
}

/// Places by their distances: those of a rank are many.
void put_made(Packer &to, const Layout &layout, std::size_t sample, const AtPlaces &here) {
    to.whole(std::ssize(here.made));
    std::int64_t last = 0;
    for (const auto place : here.made) to.whole(place - std::exchange(last, place));
    to.numbers(here.values, is_single(layout, sample));
}

void get_made(Unpacker &from, const Layout &layout, std::size_t sample, AtPlaces &to) {
    const auto n = static_cast<std::size_t>(from.count());
    std::int64_t place = 0;
    for (std::size_t left = n; left > 0; --left) to.made.push_back(place += from.count());
    const auto depth = static_cast<std::size_t>(layout.samples[sample].depth());
    to.values = from.numbers(n * depth, is_single(layout, sample));
}

std::size_t dimensions_of(const Fold &fold) {
    std::size_t dimensions = 0;
    for (const bool over : fold.over) dimensions += !over;
    return dimensions;
}

} // namespace

std::vector<std::byte> Report::pack(const Layout &layout) const {
    Packer to;
    to.whole(number);
    to.as_is(time.seconds);
    to.text(time.epoch);
    to.as_is(declaration);
    to.whole(useless);
    for (std::size_t f = 0; f < partials.size(); ++f) {
        to.whole(std::ssize(partials[f].list()));
        for (const auto &partial : partials[f].list()) put_partial(to, layout.folds[f], partial);
    }
    for (std::size_t s = 0; s < at_places.size(); ++s) {
        put_made(to, layout, s, at_places[s]);
        to.whole(std::ssize(at_places[s].partly));
        for (const auto &[place, around] : at_places[s].partly) {
            to.whole(place);
            to.as_is(around.came);
            to.numbers(around.values, layout.samples[s].type == Type::f32);
        }
    }
    return std::move(to.bytes);
}

Report Report::unpack(const std::vector<std::byte> &bytes, const Layout &layout) {
    Unpacker from(bytes);
    Report report;
    report.number = from.count();
    report.time.seconds = from.as_is<double>();
    report.time.epoch = from.text();
    report.declaration = from.as_is<std::uint64_t>();
    report.useless = from.count() != 0;
    report.partials.resize(layout.folds.size());
    report.at_places.resize(layout.samples.size());
    if (report.number == closed) return report;
    for (std::size_t f = 0; f < layout.folds.size(); ++f)
        for (auto n = from.count(); n > 0; --n)
            report.partials[f].add(layout.folds[f],
                                   get_partial(from, layout.folds[f], dimensions_of(layout.folds[f])));
    for (std::size_t s = 0; s < layout.samples.size(); ++s) {
        const auto &sample = layout.samples[s];
        const auto values = static_cast<std::size_t>(sample.corners() * sample.depth());
        get_made(from, layout, s, report.at_places[s]);
        for (auto n = from.count(); n > 0; --n) {
            const auto place = from.count();
            const auto came = from.as_is<std::uint64_t>();
            report.at_places[s].partly[place] = {came, from.numbers(values, sample.type == Type::f32)};
        }
    }
    return report;
}

} // namespace squall::io
