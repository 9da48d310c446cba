#include "read/times.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "declare/time.hpp"
#include "read/source_check.hpp"

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

/// Bytes of a frame of all fields, before they are compressed.
double bytes_per_frame(const Source &source) {
    double bytes = 0;
    for (const auto &f : source.fields) {
        if (!f.per_frame) continue;
        double points = 1;
        for (const auto n : shape_of(source, f)) points *= static_cast<double>(n);
        bytes += points * static_cast<double>(size_of(f.type));
    }
    return bytes;
}

/// That the times of all frames are a few million at most, and of more than a few at most 16 times as many
/// bytes as the frames say that they have.
void require_bounded(const Source &source, const std::string &coordinate) {
    constexpr std::int64_t always = 1 << 16, most = 1 << 22;
    constexpr double of_one = sizeof(Time) + 32, largest_ratio = 16; // with the letters of the epoch
    const bool light = bytes_per_frame(source) * largest_ratio < of_one;
    if (source.frames <= always || (source.frames <= most && !light)) return;
    throw Error(fmt::format("the times of {} frames are too many to be read at once; is the file damaged? "
                            "Otherwise read {} itself, in parts",
                            source.frames, coordinate));
}

} // namespace

TimeCoordinate::TimeCoordinate(const Source &source)
    : source_(source), field_(time_coordinate(source)),
      calendar_(text_of(source.fields[std::size_t(field_)], "calendar")) {
    const auto units = time_units(text_of(source.fields[std::size_t(field_)], "units"));
    unit_ = units.seconds;
    epoch_ = units.epoch;
    if (calendar_.empty()) calendar_ = "standard"; // as CF says
}

const std::string &TimeCoordinate::name() const { return source_.fields[std::size_t(field_)].name; }

Time TimeCoordinate::operator[](std::int64_t frame) const {
    double value = 0;
    source_.read(field_, frame, {}, &value, Type::f64);
    return {value * unit_, epoch_, calendar_};
}

std::vector<Time> times_of(const Source &source) {
    const TimeCoordinate coordinate(source);
    require_bounded(source, coordinate.name());
    std::vector<Time> times;
    times.reserve(static_cast<std::size_t>(source.frames));
    for (std::int64_t n = 0; n < source.frames; ++n) times.push_back(coordinate[n]);
    return times;
}

} // namespace squall::io
