#include "engines/adios/description.hpp"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace squall::io::adios {
namespace {

using Json = nlohmann::ordered_json;

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

std::vector<Attribute> read_attributes(adios2::IO &io, const std::string &field, const Json &described) {
    std::vector<Attribute> all;
    for (const auto &d : described) {
        const auto name = d.at("name").get<std::string>();
        const auto full = full_name(field, name), type = d.at("type").get<std::string>();
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
        else
            read(std::string());
    }
    return all;
}

Type type_named(const std::string &name) {
    for (const auto type : {Type::f32, Type::f64, Type::i16, Type::i32, Type::character})
        if (name_of(type) == name) return type;
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
    const auto text = Json::parse(attribute.Data().at(0));
    source.record_dimension = text.at("record_dimension");
    for (const auto &d : text.value("dimensions", Json::array()))
        source.dimensions.push_back({d.at("name"), d.at("size")});
    for (const auto &f : text.value("fields", Json::array()))
        source.fields.push_back({f.at("name"), type_named(f.at("type")), f.at("dimensions"),
                                 read_attributes(io, f.at("name"), f.at("attributes")), f.at("per_frame")});
    source.attributes = read_attributes(io, "", text.at("attributes"));
}

} // namespace squall::io::adios
