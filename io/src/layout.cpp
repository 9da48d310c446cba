#include "layout.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

namespace squall::io {

std::size_t size_of(Type type) {
    switch (type) {
    case Type::f64:
        return 8;
    case Type::character:
        return 1;
    case Type::f32:
    case Type::i32:
        break;
    }
    return 4;
}

std::string name_of(Type type) {
    switch (type) {
    case Type::f32:
        return "f32";
    case Type::f64:
        return "f64";
    case Type::i32:
        return "i32";
    case Type::character:
        break;
    }
    return "char";
}

std::string list(const std::vector<std::string> &names) {
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

namespace {

void check_choice(const StreamSpec &spec, const char *what, const std::string &chosen,
                  const std::vector<std::string> &available) {
    if (std::ranges::find(available, chosen) == available.end())
        throw Error(fmt::format("stream {}: {} \"{}\" is not in this build; choose one of: {}", spec.name,
                                what, chosen, list(available)));
}

void check_head(const StreamSpec &spec) {
    if (spec.name.empty()) throw Error("a stream has no name; set StreamSpec::name");
    if (spec.path.empty()) throw Error(fmt::format("stream {}: no path; set StreamSpec::path", spec.name));
    if (spec.frames_per_file < 1)
        throw Error(fmt::format("stream {}: frames_per_file is {}; it must be at least 1", spec.name,
                                spec.frames_per_file));
    check_choice(spec, "engine", spec.engine, engines());
    check_choice(spec, "placement", spec.placement, placements());
    format_time({}, spec.path); // throws on a pattern that it does not understand
}

void check_dimensions(const StreamSpec &spec) {
    std::set<std::string> names{spec.record_dimension};
    for (const auto &d : spec.dimensions) {
        if (d.name.empty() || !names.insert(d.name).second)
            throw Error(fmt::format("stream {}: dimension \"{}\" is declared twice or has no name", spec.name,
                                    d.name));
        if (d.size < 1)
            throw Error(fmt::format("stream {}: dimension {} has size {}; it must be at least 1", spec.name,
                                    d.name, d.size));
    }
}

FieldLayout resolve(const StreamSpec &spec, const Field &field) {
    FieldLayout f{field, {}, 1};
    for (const auto &name : field.dimensions) {
        const auto d = std::ranges::find(spec.dimensions, name, &Dimension::name);
        if (d == spec.dimensions.end())
            throw Error(fmt::format(
                "stream {}, field {}: dimension {} is not declared (the record dimension is implied)",
                spec.name, field.name, name));
        if (d->size > std::numeric_limits<std::int64_t>::max() / 8 / f.points)
            throw Error(
                fmt::format("stream {}, field {}: more points than can be counted", spec.name, field.name));
        f.shape.push_back(d->size);
        f.points *= d->size;
    }
    return f;
}

} // namespace

Layout::Layout(StreamSpec s) : spec(std::move(s)) {
    check_head(spec);
    check_dimensions(spec);
    if (spec.fields.empty()) throw Error(fmt::format("stream {}: no fields", spec.name));
    std::set<std::string> names;
    for (const auto &field : spec.fields) {
        if (field.name.empty() || !names.insert(field.name).second)
            throw Error(fmt::format("stream {}: field \"{}\" is declared twice or has no name", spec.name,
                                    field.name));
        fields.push_back(resolve(spec, field));
    }
}

int Layout::find(const std::string &name) const {
    const auto f = std::ranges::find(
        fields, name, [](const FieldLayout &l) -> const std::string & { return l.field.name; });
    return f == fields.end() ? -1 : static_cast<int>(f - fields.begin());
}

} // namespace squall::io
