#include "declare/samples.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "declare/expand.hpp"
#include "declare/layout.hpp"
#include "squall/io_words.hpp"

namespace squall::io {
namespace {

const Places *find_places(const StreamSpec &spec, const std::string &name) {
    const auto p = std::ranges::find(spec.places, name, &Places::name);
    return p == spec.places.end() ? nullptr : &*p;
}

/// The dimension of a field in which places lie that are declared in another, and how much further on.
struct Found {
    std::size_t dimension;
    double shift;
};
std::optional<Found> find_along(const Places &places, const std::string &wanted, const Field &source) {
    const auto at = [&](const std::string &name) {
        return std::ranges::find(source.dimensions, name) - source.dimensions.begin();
    };
    if (lists(source.dimensions, wanted)) return Found{static_cast<std::size_t>(at(wanted)), 0};
    for (const auto &s : places.staggers)
        if (s.of == wanted && lists(source.dimensions, s.dimension))
            return Found{static_cast<std::size_t>(at(s.dimension)), s.by};
    return std::nullopt;
}

Sample sample_of(const StreamSpec &spec, const Field &field) {
    const auto &r = *field.reduction;
    const auto &source = *find_source(spec, r.of);
    const auto &places = *find_places(spec, r.at);
    Sample sample{.field = 0,
                  .of = r.of,
                  .type = source.type,
                  .fill = source.fill,
                  .domain = extents_of(spec, source),
                  .places = static_cast<std::size_t>(&places - spec.places.data()),
                  .along = {},
                  .shift = {},
                  .nearest = r.method == "nearest"};
    for (const auto &d : places.dimensions) {
        const auto found = find_along(places, d, source).value();
        sample.along.push_back(found.dimension);
        sample.shift.push_back(found.shift);
    }
    return sample;
}

std::string places_fault(const StreamSpec &spec, const Places &p) {
    if (p.name.empty() || std::ranges::count(spec.places, p.name, &Places::name) > 1)
        return "these places have no name, or are declared twice";
    if (p.count < 1) return fmt::format("there are {} places", p.count);
    if (p.dimensions.empty() || p.dimensions.size() > 3)
        return fmt::format("places have {} dimensions; they need one to three", p.dimensions.size());
    for (const auto &d : p.dimensions)
        if (!find_dimension(spec, d)) return fmt::format("dimension {} is not declared", d);
    for (const auto &s : p.staggers) {
        if (!find_dimension(spec, s.dimension))
            return fmt::format("dimension {} is not declared", s.dimension);
        if (!lists(p.dimensions, s.of))
            return fmt::format("{} stands for dimension {}, but the places' dimensions are: {}", s.dimension,
                               s.of, list(p.dimensions));
    }
    const auto wanted = p.count * std::ssize(p.dimensions);
    if (!p.positions.empty() && std::ssize(p.positions) != wanted)
        return fmt::format("{} positions for {} places in {} dimensions", p.positions.size(), p.count,
                           p.dimensions.size());
    const auto *d = find_dimension(spec, p.name);
    if (d && d->size != p.count)
        return fmt::format("dimension {} is declared with size {}, but there are {} places", p.name, d->size,
                           p.count);
    return "";
}

/// Of places that do not move: whether all lie where the source has points.
std::string outside_fault(const Places &places, const Sample &sample, const Field &source) {
    const auto n = places.dimensions.size();
    for (std::size_t p = 0; p < places.positions.size(); ++p) {
        const auto d = p % n;
        if (between(sample, d, places.positions[p]).inside) continue;
        return fmt::format("place {} of {} is at {} along {}, where {} has no points ({} to {})", p / n,
                           places.name, places.positions[p] + sample.shift[d],
                           source.dimensions[sample.along[d]], source.name, sample.nearest ? -0.5 : 0.0,
                           static_cast<double>(sample.domain[sample.along[d]]) - (sample.nearest ? 0.5 : 1));
    }
    return "";
}

} // namespace

bool Sample::lie_in(std::size_t dimension) const {
    return std::ranges::find(along, dimension) != along.end();
}

std::int64_t Sample::depth() const {
    std::int64_t n = 1;
    for (std::size_t d = 0; d < domain.size(); ++d)
        if (!lie_in(d)) n *= domain[d];
    return n;
}

int Sample::corners() const { return nearest ? 1 : 1 << along.size(); }

/// Along a dimension of one point all corners are that point.
Between between(const Sample &sample, std::size_t d, double position) {
    const auto size = sample.domain[sample.along[d]];
    const double x = position + sample.shift[d], last = static_cast<double>(size - 1);
    const double rim = sample.nearest ? 0.5 : 0;
    if (!(x >= -rim && x <= last + rim)) return {};
    if (sample.nearest)
        return {std::clamp(static_cast<std::int64_t>(std::floor(x + 0.5)), std::int64_t(0), size - 1), 0,
                true};
    const auto first = std::clamp(static_cast<std::int64_t>(std::floor(x)), std::int64_t(0),
                                  std::max(size - 2, std::int64_t(0)));
    return {first, x - static_cast<double>(first), true};
}

std::string expand_places(StreamSpec &spec) {
    for (const auto &p : spec.places) {
        if (auto fault = places_fault(spec, p); !fault.empty())
            return fmt::format("places {}: {}", p.name, fault);
        if (!find_dimension(spec, p.name)) spec.dimensions.push_back({p.name, p.count});
    }
    return "";
}

std::string complete_sample(const StreamSpec &spec, Field &field) {
    const auto &r = *field.reduction;
    const auto &source = *find_source(spec, r.of);
    const auto *places = find_places(spec, r.at);
    if (!places) {
        std::vector<std::string> names;
        for (const auto &p : spec.places) names.push_back(p.name);
        return fmt::format("it is sampled at {}, which are not places of the stream; {}", r.at,
                           near_and_all(r.at, names));
    }
    if (r.method != "linear" && r.method != "nearest")
        return fmt::format("at places the method must be \"linear\" or \"nearest\", not \"{}\"", r.method);
    if (!r.over.empty()) return "`over` has no meaning at places";
    for (const auto &d : places->dimensions)
        if (!find_along(*places, d, source))
            return fmt::format("{} lacks dimension {} of the places; its dimensions are: {}", r.of, d,
                               list(source.dimensions));
    const auto sample = sample_of(spec, field);
    if (auto fault = outside_fault(*places, sample, source); !fault.empty()) return fault;
    std::vector<std::string> dimensions{places->name};
    for (std::size_t d = 0; d < source.dimensions.size(); ++d)
        if (!sample.lie_in(d)) dimensions.push_back(source.dimensions[d]);
    for (const auto &d : dimensions)
        if (std::ranges::find(spec.subset, d, &Selection::dimension) != spec.subset.end())
            return fmt::format("the stream's subset cuts dimension {}, which it has", d);
    return settle(field, dimensions);
}

std::vector<Sample> samples_of(const StreamSpec &spec) {
    std::vector<Sample> samples;
    for (std::size_t f = 0; f < spec.fields.size(); ++f) {
        const auto &field = spec.fields[f];
        if (!field.reduction || making_of(spec, *field.reduction) != Making::at_places) continue;
        samples.push_back(sample_of(spec, field));
        samples.back().field = static_cast<int>(f);
    }
    return samples;
}

} // namespace squall::io
