#include "engines/adios/description.hpp"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "common/document.hpp"

namespace squall::io::adios {
namespace {

using Json = nlohmann::ordered_json;
using Item = io::Item<Json>;

constexpr auto description = "_squall";

std::string full_name(const std::string &field, const std::string &attribute) {
    return field.empty() ? attribute : field + "/" + attribute;
}

Type element_of(const Value &value) {
    return std::visit([](const auto &v) { return type_of<typename std::decay_t<decltype(v)>::value_type>; },
                      value);
}

/// ADIOS2 has no attributes without a value: these are only in the description.
void define(adios2::IO &io, const std::string &field, const Attribute &a) {
    const auto name = full_name(field, a.name);
    const auto put = [&](const auto &v) {
        if (v.empty()) return;
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::string>)
            io.DefineAttribute(name, v);
        else if (v.size() == 1)
            io.DefineAttribute(name, v[0]);
        else
            io.DefineAttribute(name, v.data(), v.size());
    };
    std::visit(put, a.value);
}

Json describe(const std::vector<Attribute> &attributes) {
    auto all = Json::array();
    for (const auto &a : attributes)
        all.push_back({{"name", a.name}, {"type", name_of(element_of(a.value))}});
    return all;
}

std::vector<Attribute> read_attributes(adios2::IO &io, const std::string &field, const Item &described) {
    std::vector<Attribute> all;
    for (const auto &d : described.items()) {
        const auto name = d["name"].text(), type = d["type"].text(), full = full_name(field, name);
        const auto read = [&](auto value) {
            using T = typename decltype(value)::value_type;
            if constexpr (std::is_same_v<T, char>) {
                if (const auto a = io.InquireAttribute<std::string>(full)) value = a.Data().at(0);
            } else if (const auto a = io.InquireAttribute<T>(full))
                value = a.Data();
            all.emplace_back(name, Value(std::move(value)));
        };
        if (type == name_of(Type::f32))
            read(std::vector<float>());
        else if (type == name_of(Type::f64))
            read(std::vector<double>());
        else if (type == name_of(Type::i32))
            read(std::vector<std::int32_t>());
        else if (type == name_of(Type::i64))
            read(std::vector<std::int64_t>());
        else
            read(std::string());
    }
    return all;
}

Type type_named(const std::string &name) {
    if (const auto type = stored_type_named(name)) return *type;
    throw Error(fmt::format("a field has the unknown type \"{}\"; a newer Squall may read it", name));
}

} // namespace

void define_attributes(const Layout &layout, adios2::IO &io) {
    const auto &spec = layout.spec;
    Json text{{"record_dimension", spec.record_dimension}};
    for (const auto &d : spec.dimensions) text["dimensions"].push_back({{"name", d.name}, {"size", d.size}});
    for (const auto &layout_field : layout.fields) {
        const auto &f = layout_field.field;
        text["fields"].push_back({{"name", f.name},
                                  {"type", name_of(f.type)},
                                  {"dimensions", f.dimensions},
                                  {"per_frame", f.per_frame},
                                  {"attributes", describe(f.attributes)}});
        for (const auto &a : f.attributes) define(io, f.name, a);
        auto names = f.dimensions;
        names.insert(names.begin(), f.per_frame ? spec.record_dimension : "once"); // of its steps
        if (io.AttributeType(full_name(f.name, "dimensions")).empty()) // the stream may have its own
            define(io, f.name, {"dimensions", fmt::format("{}", fmt::join(names, " "))});
    }
    text["attributes"] = describe(spec.attributes);
    for (const auto &a : spec.attributes) define(io, "", a);
    define(io, "", {description, text.dump()});
}

void describe(adios2::IO &io, Source &source) {
    const auto attribute = io.InquireAttribute<std::string>(description);
    if (!attribute)
        throw Error("this is a BP5 directory, but not one that Squall wrote: it lacks the attribute _squall");
    const auto data = attribute.Data();
    if (data.empty()) throw Error("the attribute _squall is empty; it is damaged, use another copy");
    const auto json = parse_document<Json>(data.front(), "the attribute _squall");
    const Item told(json, "the attribute _squall");
    source.record_dimension = told["record_dimension"].text();
    if (told.has("dimensions"))
        for (const auto &d : told["dimensions"].items())
            source.dimensions.push_back({d["name"].text(), d["size"].integer(1)});
    if (told.has("fields"))
        for (const auto &f : told["fields"].items())
            source.fields.push_back({f["name"].text(), type_named(f["type"].text()), f["dimensions"].texts(),
                                     read_attributes(io, f["name"].text(), f["attributes"]),
                                     f["per_frame"].truth()});
    source.attributes = read_attributes(io, "", told["attributes"]);
}

} // namespace squall::io::adios
