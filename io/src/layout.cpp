#include "layout.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "confine.hpp"
#include "encode.hpp"
#include "engine.hpp"

namespace squall::io {

std::int64_t FieldLayout::bytes() const { return points * static_cast<std::int64_t>(size_of(field.type)); }

namespace {

[[noreturn]] void refuse(const StreamSpec &spec, const std::string &what) {
    throw Error(fmt::format("stream {}: {}", spec.name, what));
}

void check_choice(const StreamSpec &spec, const char *what, const std::string &chosen,
                  const std::vector<std::string> &available) {
    if (std::ranges::find(available, chosen) == available.end())
        refuse(spec, fmt::format("there is no {} \"{}\"; choose one of: {}", what, chosen, list(available)));
}

void check_head(const StreamSpec &spec) {
    if (spec.name.empty()) throw Error("a stream has no name; set StreamSpec::name");
    if (const auto fault = name_fault(spec.name); !fault.empty()) // it names the manifest
        throw Error(fmt::format("a stream's name must be that of a file: {}; choose another", fault));
    if (spec.path.empty()) refuse(spec, "no path; set StreamSpec::path");
    if (spec.frames_per_file < 0)
        refuse(spec,
               fmt::format("frames_per_file is {}; it must be at least 1, or 0 for one file of all frames",
                           spec.frames_per_file));
    check_choice(spec, "placement", spec.placement, placements());
    check_choice(spec, "when_full", spec.when_full, {"wait", "spill", "skip"});
    check_choice(spec, "on_error", spec.on_error, {"abort", "continue"});
    check_choice(spec, "on_lost_server", spec.on_lost_server, {"stop", "take-over"});
    if (spec.when_full == "spill" && spec.spill_dir.empty())
        refuse(spec, "when_full is \"spill\", but spill_dir does not say where to; name a directory on a "
                     "local disk");
    format_time({}, spec.path); // throws on a pattern that it does not understand
}

void check_dimensions(const StreamSpec &spec) {
    std::set<std::string> names{spec.record_dimension};
    for (const auto &d : spec.dimensions) {
        if (d.name.empty() || !names.insert(d.name).second)
            refuse(spec, fmt::format("dimension \"{}\" is declared twice or has no name", d.name));
        if (d.size < 1)
            refuse(spec, fmt::format("dimension {} has size {}; it must be at least 1", d.name, d.size));
    }
    std::set<std::string> cut;
    for (const auto &s : spec.subset) {
        if (!names.contains(s.dimension))
            refuse(spec, fmt::format("the subset names dimension {}, which is not declared", s.dimension));
        if (!cut.insert(s.dimension).second)
            refuse(spec, fmt::format("the subset names dimension {} twice", s.dimension));
    }
}

/// What the stream keeps of a dimension.
Cut cut_of(const StreamSpec &spec, const Dimension &d) {
    const auto s = std::ranges::find(spec.subset, d.name, &Selection::dimension);
    if (s == spec.subset.end()) return {0, 1, d.size};
    const auto stop = s->stop < 0 ? d.size : s->stop;
    if (s->start < 0 || s->stride < 1 || stop > d.size || s->start >= stop)
        refuse(spec, fmt::format("subset of dimension {}: indices {} to {} by {} do not lie in 0 to {}",
                                 d.name, s->start, stop, s->stride, d.size));
    return {s->start, s->stride, (stop - s->start + s->stride - 1) / s->stride};
}

FieldLayout resolve(const StreamSpec &spec, const Field &field) {
    FieldLayout f{field, field.type, {}, {}, {}, 1};
    if (const auto fault = apply_precision(f.field); !fault.empty())
        refuse(spec, fmt::format("field {}: {}", field.name, fault));
    for (const auto &name : field.dimensions) {
        const auto d = std::ranges::find(spec.dimensions, name, &Dimension::name);
        if (d == spec.dimensions.end())
            refuse(spec,
                   fmt::format("field {}: dimension {} is not declared (the record dimension is implied)",
                               field.name, name));
        const auto cut = cut_of(spec, *d);
        if (cut.size > std::numeric_limits<std::int64_t>::max() / 8 / f.points)
            refuse(spec, fmt::format("field {}: more points than can be counted", field.name));
        f.cuts.push_back(cut);
        f.domain.push_back(d->size);
        f.shape.push_back(cut.size);
        f.points *= cut.size;
    }
    return f;
}

Codec parse_codec(const StreamSpec &spec, const Engine &engine) {
    if (spec.codec.empty()) return {engine.codecs.front(), -1};
    const auto colon = spec.codec.find(':');
    Codec codec{spec.codec.substr(0, colon), -1};
    if (std::ranges::find(engine.codecs, codec.name) == engine.codecs.end())
        refuse(spec, fmt::format("engine {} has no codec \"{}\"; choose one of: {}", engine.name, codec.name,
                                 list(engine.codecs)));
    if (colon == std::string::npos) return codec;
    const char *begin = spec.codec.data() + colon + 1, *end = spec.codec.data() + spec.codec.size();
    const auto [stop, problem] = std::from_chars(begin, end, codec.level);
    if (problem != std::errc() || stop != end || codec.level < 0 || codec.level > 22)
        refuse(spec, fmt::format("codec \"{}\": the level must be a number from 0 to 22", spec.codec));
    return codec;
}

} // namespace

Layout::Layout(StreamSpec s) : spec(std::move(s)), spec_as_declared(spec) {
    check_head(spec);
    try {
        engine = &engine_named(spec.engine);
    } catch (const Error &e) {
        refuse(spec, e.what());
    }
    codec = parse_codec(spec, *engine);
    for (const auto &[name, value] : spec.options) check_choice(spec, "engine option", name, engine->options);
    check_dimensions(spec);
    if (spec.fields.empty()) refuse(spec, "no fields");
    std::set<std::string> names;
    for (const auto &field : spec.fields) {
        if (field.name.empty() || !names.insert(field.name).second)
            refuse(spec, fmt::format("field \"{}\" is declared twice or has no name", field.name));
        fields.push_back(resolve(spec, field));
    }
    for (auto &d : spec.dimensions) d.size = cut_of(spec, d).size;
    if (engine->objection)
        if (const auto fault = engine->objection(*this); !fault.empty()) refuse(spec, fault);
}

int Layout::find(const std::string &name) const {
    const auto f = std::ranges::find(
        fields, name, [](const FieldLayout &l) -> const std::string & { return l.field.name; });
    return f == fields.end() ? -1 : static_cast<int>(f - fields.begin());
}

std::string Layout::option(const std::string &name, const std::string &fallback) const {
    const auto o = spec.options.find(name);
    return o == spec.options.end() ? fallback : o->second;
}

double Layout::number(const std::string &name, double fallback) const {
    const auto text = option(name, "");
    if (text.empty()) return fallback;
    double value = 0;
    const char *end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, value);
    const std::string unit(stop, end);
    static const std::map<std::string, double> units = {
        {"", 1}, {"k", 1024}, {"M", 1024. * 1024}, {"G", 1024. * 1024 * 1024}};
    if (problem != std::errc() || !units.contains(unit))
        refuse(spec,
               fmt::format("option {} is \"{}\"; it must be a number, with k, M or G for powers of 1024",
                           name, text));
    return value * units.at(unit);
}

} // namespace squall::io
