#include "engines/netcdf_split/index.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "publish.hpp"

namespace squall::io::split {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// JSON has no word for what is not finite.
template <class T> json number(T x) {
    if (std::isfinite(static_cast<double>(x))) return x;
    return std::isnan(static_cast<double>(x)) ? "nan" : x > 0 ? "inf" : "-inf";
}

template <class T> T number_in(const json &j) {
    if (!j.is_string()) return j.get<T>();
    const auto text = j.get<std::string>();
    if (text == "nan") return std::numeric_limits<T>::quiet_NaN();
    return text == "inf" ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
}

json attributes_to(const std::vector<Attribute> &attributes) {
    json all = json::array();
    for (const auto &a : attributes)
        std::visit(
            [&](const auto &value) {
                using T = std::decay_t<decltype(value[0])>;
                json j{{"name", a.name}, {"type", name_of(type_of<T>)}};
                if constexpr (std::is_same_v<T, char>)
                    j["value"] = value;
                else {
                    j["value"] = json::array();
                    for (const auto x : value) j["value"].push_back(number(x));
                }
                all.push_back(std::move(j));
            },
            a.value);
    return all;
}

template <class T> Attribute numbers_in(const json &j) {
    std::vector<T> values;
    for (const auto &x : j.at("value")) values.push_back(number_in<T>(x));
    return {j.at("name"), Value(std::move(values))};
}

std::vector<Attribute> attributes_in(const json &list) {
    std::vector<Attribute> all;
    for (const auto &j : list) {
        const auto type = j.at("type").get<std::string>();
        if (type == "char")
            all.emplace_back(j.at("name"), j.at("value").get<std::string>());
        else if (type == "i32")
            all.push_back(numbers_in<std::int32_t>(j));
        else
            all.push_back(type == "f32" ? numbers_in<float>(j) : numbers_in<double>(j));
    }
    return all;
}

Type type_named(const std::string &name) {
    for (const auto t : {Type::f32, Type::f64, Type::i16, Type::i32, Type::character})
        if (name_of(t) == name) return t;
    throw Error(fmt::format("{}: there is no type \"{}\"", index_name, name));
}

json fields_to(const Layout &layout) {
    json all = json::array();
    for (const auto &f : layout.fields)
        all.push_back({{"name", f.field.name},
                       {"type", name_of(f.field.type)},
                       {"dimensions", f.field.dimensions},
                       {"per_frame", f.field.per_frame},
                       {"attributes", attributes_to(f.field.attributes)}});
    return all;
}

PartFile file_in(const json &j) {
    PartFile file{j.at("name"), j.at("bytes"), {}};
    for (const auto &h : j.at("holds"))
        file.holds.push_back({h.at("field"),
                              h.at("variable"),
                              {h.at("start"), h.at("count")},
                              h.at("frames").at(0),
                              h.at("frames").at(1)});
    return file;
}

} // namespace

std::string to_text(const std::vector<PartFile> &files) {
    json all = json::array();
    for (const auto &f : files) {
        json holds = json::array();
        for (const auto &h : f.holds)
            holds.push_back({{"field", h.field},
                             {"variable", h.variable},
                             {"start", h.box.start},
                             {"count", h.box.count},
                             {"frames", {h.first, h.end}}});
        all.push_back({{"name", f.name}, {"bytes", f.bytes}, {"holds", std::move(holds)}});
    }
    return all.dump();
}

void write_index(const std::string &directory, const Layout &layout, std::int64_t frames,
                 const std::vector<std::string> &texts) {
    json index{{"squall_split", 1},
               {"frames", frames},
               {"record_dimension", layout.spec.record_dimension},
               {"dimensions", json::array()},
               {"attributes", attributes_to(layout.spec.attributes)},
               {"fields", fields_to(layout)},
               {"files", json::array()}};
    for (const auto &d : layout.spec.dimensions)
        index["dimensions"].push_back({{"name", d.name}, {"size", d.size}});
    for (const auto &text : texts)
        for (auto &file : json::parse(text)) index["files"].push_back(std::move(file));
    const auto name = (fs::path(directory) / index_name).string();
    std::ofstream out(part_name(name), std::ios::binary);
    out << index.dump(1) << '\n';
    out.close();
    if (!out) throw Error("writing index.json: no room, or no right to");
    fs::rename(part_name(name), name);
}

std::vector<PartFile> read_index(const std::string &directory, Source &whole) {
    std::ifstream in(fs::path(directory) / index_name);
    try {
        const auto index = json::parse(in);
        if (index.at("squall_split") != 1)
            throw Error("index.json is of a later version of Squall; read it with that");
        whole.frames = index.at("frames");
        whole.record_dimension = index.at("record_dimension");
        for (const auto &d : index.at("dimensions")) whole.dimensions.push_back({d.at("name"), d.at("size")});
        whole.attributes = attributes_in(index.at("attributes"));
        for (const auto &f : index.at("fields"))
            whole.fields.push_back({f.at("name"), type_named(f.at("type")), f.at("dimensions"),
                                    attributes_in(f.at("attributes")), f.at("per_frame")});
        std::vector<PartFile> files;
        for (const auto &f : index.at("files")) files.push_back(file_in(f));
        return files;
    } catch (const json::exception &e) {
        throw Error(fmt::format("index.json is damaged, restore it: {}", e.what()));
    }
}

} // namespace squall::io::split
