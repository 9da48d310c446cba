#include "declare/layout.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/confine.hpp"
#include "declare/encode.hpp"
#include "declare/expand.hpp"
#include "declare/options.hpp"
#include "engines/engine.hpp"

namespace squall::io {

std::vector<std::string> placements() { return {"inline", "thread", "servers"}; }

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
    if (spec.name.empty()) throw Error("a stream needs a name; set StreamSpec::name");
    if (const auto fault = name_fault(spec.name); !fault.empty()) // it names the manifest
        throw Error(fmt::format("a stream's name must be a valid file name: {}; choose another", fault));
    if (spec.frames_per_file < 0)
        refuse(spec,
               fmt::format("frames_per_file is {}; it must be at least 1, or 0 for one file of all frames",
                           spec.frames_per_file));
    check_choice(spec, "placement", spec.placement, placements());
    check_choice(spec, "when_full", spec.when_full, {"wait", "spill", "skip"});
    check_choice(spec, "on_error", spec.on_error, {"abort", "continue"});
    check_choice(spec, "on_lost_server", spec.on_lost_server, {"stop", "take-over"});
    check_choice(spec, "value of reduce", spec.reduce.empty() ? "ranks" : spec.reduce, {"ranks", "servers"});
    if (spec.when_full == "spill" && spec.spill_dir.empty())
        refuse(spec, "when_full is \"spill\", but spill_dir is not set; name a directory on a local disk");
    format_time({0, "2000-01-01", spec.calendar},
                spec.path); // throws on a pattern that it does not understand
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
        refuse(spec, fmt::format("subset of dimension {}: indices {} to {} by {} are outside 0 to {}", d.name,
                                 s->start, stop, s->stride, d.size));
    return {s->start, s->stride, (stop - s->start + s->stride - 1) / s->stride};
}

FieldLayout resolve(const StreamSpec &spec, const Field &field) {
    FieldLayout f;
    f.field = field;
    f.staged = field.type;
    f.fill = fill_of(field);
    f.fills = fills(spec, field);
    f.varying = varying_dimension(spec, field);
    f.letters = field.letters;
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
            refuse(spec, fmt::format("field {} has more points than can be counted", field.name));
        f.cuts.push_back(cut);
        f.domain.push_back(d->size);
        f.shape.push_back(cut.size);
        f.points *= cut.size;
    }
    return f;
}

/// What is wrong with this rank's points of a decomposition, or "".
std::string decomposition_fault(const StreamSpec &spec, const Decomposition &d) {
    std::vector<std::int64_t> shape;
    for (const auto &name : d.dimensions) {
        const auto found = std::ranges::find(spec.dimensions, name, &Dimension::name);
        if (found == spec.dimensions.end()) return fmt::format("dimension {} is not declared", name);
        if (found->varying) return fmt::format("the length of dimension {} varies; put its boxes", name);
        shape.push_back(found->size);
    }
    if (shape.empty()) return "it divides no dimensions";
    for (const auto *boxes : {&d.boxes, &d.unowned})
        for (const auto &box : *boxes)
            if (auto fault = misfit(box, shape); !fault.empty()) return fault;
    if (d.indices.empty()) return "";
    if (!d.boxes.empty()) return "it has boxes and indices; declare one of them";
    if (shape.size() != 1)
        return fmt::format("a list of indices for {} dimensions; it must be one", shape.size());
    auto sorted = d.indices;
    std::ranges::sort(sorted);
    if (sorted.front() < 0 || sorted.back() >= shape[0])
        return fmt::format("index {} is outside {}, which has {} points",
                           sorted.front() < 0 ? sorted.front() : sorted.back(), d.dimensions[0], shape[0]);
    const auto twice = std::ranges::adjacent_find(sorted);
    return twice == sorted.end() ? "" : fmt::format("index {} is listed twice", *twice);
}

void check_decompositions(const StreamSpec &spec) {
    std::set<std::string> names;
    for (const auto &d : spec.decompositions) {
        if (d.name.empty() || !names.insert(d.name).second)
            refuse(spec, fmt::format("decomposition \"{}\" is declared twice or has no name", d.name));
        if (auto fault = decomposition_fault(spec, d); !fault.empty())
            refuse(spec, fmt::format("decomposition {}: {}", d.name, fault));
    }
    auto fields = spec.fields;
    fields.insert(fields.end(), spec.sources.begin(), spec.sources.end());
    for (const auto &f : fields) {
        if (f.decomposition.empty()) continue;
        const auto d = std::ranges::find(spec.decompositions, f.decomposition, &Decomposition::name);
        if (d == spec.decompositions.end())
            refuse(spec, fmt::format("field {}: decomposition {} is not declared", f.name, f.decomposition));
        if (f.type == Type::text || f.dimensions.size() < d->dimensions.size() ||
            !std::equal(d->dimensions.begin(), d->dimensions.end(),
                        f.dimensions.end() - std::ssize(d->dimensions)))
            refuse(spec,
                   fmt::format("field {}: its last dimensions differ from those of decomposition {}: {}",
                               f.name, d->name, list(d->dimensions)));
    }
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

std::vector<std::string> engines_that_append() {
    std::vector<std::string> names;
    for (const auto *engine : built_engines())
        if (engine->appends) names.push_back(engine->name);
    return names;
}

} // namespace

Layout::Layout(StreamSpec s) : spec(std::move(s)), spec_as_declared(spec) {
    check_head(spec);
    try {
        engine = &engine_named(spec.engine);
    } catch (const Error &e) {
        refuse(spec, e.what());
    }
    if (engine->connect) spec.frames_per_file = 0; // one group of servers has the stream
    if (spec.path.empty() && !engine->connect) refuse(spec, "no path is set; set StreamSpec::path");
    codec = parse_codec(spec, *engine);
    for (const auto &[name, value] : spec.options)
        if (const auto fault = option_fault(spec.engine, name, value); !fault.empty()) refuse(spec, fault);
    if (spec.fields.empty()) refuse(spec, "no fields are declared");
    check_decompositions(spec);
    keep_points();
    if (const auto fault = expand(spec); !fault.empty()) refuse(spec, fault);
    check_dimensions(spec);
    for (const auto &field : spec.fields) {
        if (field.name.empty() || !index_.emplace(field.name, static_cast<int>(fields.size())).second)
            refuse(spec, fmt::format("field \"{}\" is declared twice or has no name", field.name));
        auto resolved = resolve(spec, field);
        if (!fields.empty()) resolved.before = fields.back().before + fields.back().bytes();
        fields.push_back(std::move(resolved));
    }
    if (spec.time) {
        time = find(name_of_time(spec));
        if (spec.time->bounds) time_bounds = find(name_of_bounds(spec));
    }
    folds = folds_of(spec);
    samples = samples_of(spec);
    levels = levels_of(spec);
    intervals = intervals_of(spec);
    for (const auto &source : spec.sources) sources.emplace(source.name, resolve(spec, source));
    choose_makers();
    for (auto &f : fields)
        if (f.field.optional) f.status = find(name_of_status(f.field));
    if (spec.append && !engine->appends)
        refuse(spec, fmt::format("engine {} cannot append to a file of an earlier run; choose one of: {}",
                                 spec.engine, list(engines_that_append())));
    for (auto &d : spec.dimensions) d.size = cut_of(spec, d).size;
    if (engine->objection)
        if (const auto fault = engine->objection(*this); !fault.empty()) refuse(spec, fault);
}

/// Points take the place of what this rank declared of its decompositions.
void Layout::keep_points() {
    for (auto &d : spec.decompositions) {
        const auto last = std::ranges::find(spec.dimensions, d.dimensions.back(), &Dimension::name);
        points.emplace(d.name, Points(d, cut_of(spec, *last)));
        d = {.name = d.name, .dimensions = d.dimensions, .boxes = {}};
    }
    spec_as_declared.decompositions = spec.decompositions;
}

int Layout::find(const std::string &name) const {
    const auto f = index_.find(name);
    return f == index_.end() ? -1 : f->second;
}

const FieldLayout *Layout::find_put(const std::string &name) const {
    const auto source = sources.find(name);
    if (source != sources.end()) return &source->second;
    const int field = find(name);
    return field < 0 ? nullptr : &fields[static_cast<std::size_t>(field)];
}

std::string Layout::option(const std::string &name, const std::string &fallback) const {
    const auto o = spec.options.find(name);
    return o == spec.options.end() ? fallback : o->second;
}

double Layout::number(const std::string &name, double fallback) const {
    const auto text = option(name, "");
    return text.empty() ? fallback : number_in(text).value_or(fallback); // it was checked before
}

std::string list(const std::vector<std::string> &names) {
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

} // namespace squall::io
