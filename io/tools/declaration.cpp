#include "declaration.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "check.hpp"
#include "read/source_check.hpp"

namespace squall::io::tools {
namespace {

std::vector<Field> chosen(const Inputs &inputs, const std::vector<std::string> &names) {
    const auto &source = inputs.first();
    if (names.empty()) return source.fields;
    const std::set<std::string> wanted(names.begin(), names.end());
    for (const auto &name : wanted)
        if (find(source, name) < 0) {
            std::vector<std::string> known;
            for (const auto &f : source.fields) known.push_back(f.name);
            throw Error(
                fmt::format("{}: no field {}; it has: {}", inputs.paths().front(), name, list(known)));
        }
    std::vector<Field> fields;
    for (const auto &f : source.fields)
        if (wanted.contains(f.name)) fields.push_back(f);
    return fields;
}

/// A path in which format_time replaces nothing.
std::string without_pattern(const std::string &path) {
    std::string escaped;
    for (const char c : path) escaped += c == '%' ? "%%" : std::string(1, c);
    return escaped;
}

/// Whether they are of one kind and have the same values; what is not a number is the same as itself.
bool same(const Value &a, const Value &b) {
    return std::visit(
        [&](const auto &values) {
            using T = std::decay_t<decltype(values)>;
            const auto *others = std::get_if<T>(&b);
            return others && std::ranges::equal(values, *others, [](auto x, auto y) {
                       return x == y || (x != x && y != y); // NOLINT: NaN
                   });
        },
        a);
}

bool same(const std::map<std::string, Value> &a, const std::map<std::string, Value> &b) {
    return std::ranges::equal(a, b, [](const auto &one, const auto &other) {
        return one.first == other.first && same(one.second, other.second);
    });
}

std::map<std::string, Value> as_map(const std::vector<Attribute> &attributes) {
    std::map<std::string, Value> map;
    for (const auto &a : attributes) map.emplace(a.name, a.value);
    return map;
}

} // namespace

StreamSpec declare(const Inputs &inputs, const std::string &output, const std::string &engine,
                   const std::string &codec, const std::vector<std::string> &fields) {
    inputs.require_held(fields);
    const auto &source = inputs.first();
    StreamSpec spec;
    spec.name = std::filesystem::path(output).filename().string();
    spec.path = without_pattern(output);
    spec.engine = engine;
    spec.codec = codec;
    spec.frames_per_file = std::max(1, static_cast<int>(inputs.frames()));
    spec.record_dimension = source.record_dimension;
    spec.attributes = source.attributes;
    spec.fields = chosen(inputs, fields);
    std::set<std::string> used;
    for (const auto &f : spec.fields) used.insert(f.dimensions.begin(), f.dimensions.end());
    for (const auto &d : source.dimensions)
        if (fields.empty() || used.contains(d.name)) spec.dimensions.push_back(d);
    return spec;
}

std::string departure_from(const Layout &declared, std::int64_t frames, const Source &file) {
    if (file.frames != frames) return fmt::format("it has {} frames instead of {}", file.frames, frames);
    if (frames > 0 && file.record_dimension != declared.spec.record_dimension)
        return fmt::format("its record dimension is {}", file.record_dimension);
    if (!same(as_map(file.attributes), as_map(declared.spec.attributes))) return "its attributes differ";
    for (const auto &f : declared.fields) {
        const int found = find(file, f.field.name);
        if (found < 0) return fmt::format("it has no field {}", f.field.name);
        const auto &field = file.fields[found];
        if (field.type != f.field.type)
            return fmt::format("field {} is of type {} instead of {}", field.name, name_of(field.type),
                               name_of(f.field.type));
        if (field.dimensions != f.field.dimensions || field.per_frame != f.field.per_frame)
            return fmt::format("field {} has other dimensions", field.name);
        const auto shape = shape_of(file, field);
        for (std::size_t d = 0; d < f.shape.size(); ++d)
            if (shape[d] != f.shape[d])
                return fmt::format("dimension {} has another size", field.dimensions[d]);
        if (!same(as_map(field.attributes), as_map(f.field.attributes)))
            return fmt::format("the attributes of field {} differ", field.name);
    }
    return "";
}

} // namespace squall::io::tools
