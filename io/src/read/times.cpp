#include "read/times.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "declare/time.hpp"

namespace squall::io {
namespace {

/// The text of an attribute of a field, or "".
std::string text_of(const Field &f, const std::string &attribute) {
    const auto a = std::ranges::find(f.attributes, attribute, &Attribute::name);
    const auto *text = a == f.attributes.end() ? nullptr : std::get_if<std::string>(&a->value);
    return text ? *text : "";
}

bool has_units_of_time(const Field &f) {
    try {
        time_units(text_of(f, "units"));
        return true;
    } catch (const Error &) {
        return false;
    }
}

/// The index of the field that it is.
int time_coordinate(const Source &source) {
    std::vector<int> candidates;
    for (int n = 0; n < int(source.fields.size()); ++n) {
        const auto &f = source.fields[std::size_t(n)];
        if (!f.per_frame || !f.dimensions.empty() || f.type == Type::character) continue;
        if (!has_units_of_time(f)) continue;
        if (f.name == source.record_dimension || text_of(f, "axis") == "T") return n;
        candidates.push_back(n);
    }
    const auto name = [&](std::size_t n) { return source.fields[std::size_t(candidates[n])].name; };
    if (candidates.size() == 1) return candidates.front();
    throw Error(candidates.empty()
                    ? "no time coordinate: no field with one number per frame has units of time"
                    : fmt::format("{} and {} both have units of time, but neither is named {} or has axis T",
                                  name(0), name(1), source.record_dimension));
}

} // namespace

std::vector<Time> times_of(const Source &source) {
    const int coordinate = time_coordinate(source);
    const auto &f = source.fields[std::size_t(coordinate)];
    const auto units = time_units(text_of(f, "units"));
    std::vector<Time> times;
    for (std::int64_t n = 0; n < source.frames; ++n) {
        double value = 0;
        source.read(coordinate, n, {}, &value, Type::f64);
        times.push_back({value * units.seconds, units.epoch, text_of(f, "calendar")});
        if (times.back().calendar.empty()) times.back().calendar = "standard"; // as CF says
    }
    return times;
}

} // namespace squall::io
