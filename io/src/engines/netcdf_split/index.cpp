#include "engines/netcdf_split/index.hpp"

#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/box.hpp"
#include "common/confine.hpp"
#include "common/document.hpp"
#include "publish/publish.hpp"
#include "read/source_check.hpp"

namespace squall::io::split {
namespace {

using nlohmann::json;
using Json = nlohmann::json;
using Item = io::Item<Json>;
namespace fs = std::filesystem;

/// JSON has no word for what is not finite.
template <class T> json number(T x) {
    if (std::isfinite(static_cast<double>(x))) return x;
    return std::isnan(static_cast<double>(x)) ? "nan" : x > 0 ? "inf" : "-inf";
}

template <class T> T number_in(const Item &item) {
    if constexpr (std::is_integral_v<T>) {
        using Limits = std::numeric_limits<T>;
        return static_cast<T>(item.integer(Limits::min(), Limits::max()));
    } else {
        if (item.json().is_number()) return item.json().template get<T>();
        const auto text = item.text();
        if (text == "nan") return std::numeric_limits<T>::quiet_NaN();
        if (text != "inf" && text != "-inf") item.fail("it must be a number");
        return text == "inf" ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
    }
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

template <class T> Attribute numbers_in(const Item &item) {
    std::vector<T> values;
    for (const auto &x : item["value"].items()) values.push_back(number_in<T>(x));
    return {item["name"].text(), Value(std::move(values))};
}

std::vector<Attribute> attributes_in(const Item &list) {
    std::vector<Attribute> all;
    for (const auto &item : list.items()) {
        const auto type = item["type"].text();
        if (type == "char")
            all.emplace_back(item["name"].text(), item["value"].text());
        else if (type == "i32")
            all.push_back(numbers_in<std::int32_t>(item));
        else if (type == "i64")
            all.push_back(numbers_in<std::int64_t>(item));
        else
            all.push_back(type == "f32" ? numbers_in<float>(item) : numbers_in<double>(item));
    }
    return all;
}

Type type_named(const std::string &name) {
    if (const auto type = stored_type_named(name)) return *type;
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

/// What fields there are, for what the files say that they hold of them.
class Declared {
  public:
    explicit Declared(const Source &whole) : frames_(whole.frames) {
        for (const auto &f : whole.fields) fields_[f.name] = {shape_of(whole, f), f.per_frame};
    }

    Stretch stretch_in(const Item &item) const {
        Stretch stretch{item["field"].text(), item["variable"].text(), {}, 0, 0};
        const auto field = fields_.find(stretch.field);
        if (field == fields_.end()) item.fail(fmt::format("no field {}", stretch.field));
        const auto &[shape, per_frame] = field->second;
        stretch.box = {item["start"].integers(), item["count"].integers()};
        if (const auto fault = misfit(stretch.box, shape); !fault.empty())
            item.fail(fmt::format("field {}: {}", stretch.field, fault));
        const auto frames = item["frames"].integers();
        const auto most = per_frame ? frames_ : 1;
        if (frames.size() != 2 || frames[0] > frames[1] || frames[1] > most)
            item.fail(fmt::format("field {}: it names frames that do not exist", stretch.field));
        stretch.first = frames[0];
        stretch.end = frames[1];
        return stretch;
    }

  private:
    std::int64_t frames_;
    std::map<std::string, std::pair<std::vector<std::int64_t>, bool>> fields_; ///< shape; per frame
};

PartFile file_in(const Item &item, const Declared &declared) {
    PartFile file{item["name"].text(), static_cast<std::uint64_t>(item["bytes"].integer()), {}};
    if (const auto fault = name_fault(file.name); !fault.empty()) item.fail(fault);
    for (const auto &h : item["holds"].items()) file.stretches.push_back(declared.stretch_in(h));
    return file;
}

} // namespace

std::string to_text(const std::vector<PartFile> &files) {
    json all = json::array();
    for (const auto &f : files) {
        json holds = json::array();
        for (const auto &h : f.stretches)
            holds.push_back({{"field", h.field},
                             {"variable", h.variable},
                             {"start", h.box.start},
                             {"count", h.box.count},
                             {"frames", {h.first, h.end}}});
        all.push_back({{"name", f.name}, {"bytes", f.bytes}, {"holds", std::move(holds)}});
    }
    return all.dump();
}

KeptOpen write_index(const std::string &directory, const Layout &layout, std::int64_t frames,
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
    auto kept = write_new(part_name(name), index.dump(1) + "\n");
    fs::rename(part_name(name), name);
    return kept;
}

std::string read_text(const std::string &directory) { return text_of(confined(directory, index_name)); }

std::vector<PartFile> parse_index(std::string_view text, Source &whole) {
    const auto document = parse_document<Json>(text, index_name);
    const Item index(document, index_name);
    if (index["squall_split"].integer() != 1)
        throw Error("a later version of Squall wrote index.json; read it with that version");
    whole.frames = index["frames"].integer();
    whole.record_dimension = index["record_dimension"].text();
    for (const auto &d : index["dimensions"].items())
        whole.dimensions.push_back({d["name"].text(), d["size"].integer(1)});
    whole.attributes = attributes_in(index["attributes"]);
    for (const auto &f : index["fields"].items())
        whole.fields.push_back({f["name"].text(), type_named(f["type"].text()), f["dimensions"].texts(),
                                attributes_in(f["attributes"]), f["per_frame"].truth()});
    check_source(whole);
    const Declared declared(whole);
    std::vector<PartFile> files;
    for (const auto &f : index["files"].items()) files.push_back(file_in(f, declared));
    return files;
}

} // namespace squall::io::split
