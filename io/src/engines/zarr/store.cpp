#include "engines/zarr/store.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "common/confine.hpp"
#include "common/document.hpp"
#include "common/sizes.hpp"
#include "engines/zarr/documents.hpp"

namespace squall::io::zarr {
namespace {

namespace fs = std::filesystem;
using Item = io::Item<Json>;

/// No grid reaches this far along a dimension; sums of two such extents can be counted.
constexpr std::int64_t largest_extent = std::int64_t(1) << 48;
constexpr std::size_t most_dimensions = 32;

Json read_json(const std::string &path) {
    try {
        return parse_document<Json>(text_of(path), path);
    } catch (const Error &e) {
        if (fs::exists(path)) throw;
        throw Error(fmt::format("{}; is this a Zarr store of version 3?", e.what()));
    }
}

std::optional<Type> type_from(const std::string &data_type) {
    static const std::map<std::string, Type> types = {
        {"int8", Type::i8},     {"uint8", Type::u8},    {"int16", Type::i16},       {"uint16", Type::i32},
        {"int32", Type::i32},   {"uint32", Type::i64},  {"int64", Type::i64},       {"uint64", Type::f64},
        {"float32", Type::f32}, {"float64", Type::f64}, {"string", Type::character}};
    const auto t = types.find(data_type);
    return t == types.end() ? std::nullopt : std::optional(t->second);
}

void parse_names(Array &a, const Item &encoding) {
    const auto name = encoding["name"].text();
    if (name != "default" && name != "v2")
        throw Error(fmt::format("Squall does not know the chunk key encoding \"{}\"", name));
    a.separator = name == "v2" ? "." : "/";
    if (encoding.has("configuration") && encoding["configuration"].has("separator"))
        a.separator = encoding["configuration"]["separator"].text();
    if (a.separator != "." && a.separator != "/")
        encoding.fail(fmt::format("the separator \"{}\" is neither \".\" nor \"/\"", a.separator));
    a.prefix = name == "v2" ? "" : "c";
}

std::vector<std::int64_t> extents(const Item &list, std::int64_t least) {
    auto all = list.integers(least);
    if (all.size() > most_dimensions) list.fail(fmt::format("{} dimensions", all.size()));
    if (std::ranges::any_of(all, [](auto n) { return n > largest_extent; }))
        list.fail("an extent is invalid");
    return all;
}

void parse_codecs(Array &a, const Item &codecs) {
    const auto all = codecs.items();
    if (all.empty() || all[0]["name"].text() != "sharding_indexed") {
        a.codecs.emplace_back(codecs.json());
        return;
    }
    if (all.size() > 1) throw Error("there are codecs after sharding_indexed, which Squall cannot read");
    const auto c = all[0]["configuration"];
    a.chunk = extents(c["chunk_shape"], 1);
    a.codecs.emplace_back(c["codecs"].json());
    a.codecs.emplace_back(c["index_codecs"].json());
    a.index_at_end = !c.has("index_location") || c["index_location"].text() == "end";
    if (a.chunk.size() != a.tile.size())
        codecs.fail("inner chunks have another number of dimensions than shards");
}

std::vector<std::string> dimension_names(const Item &document, const std::string &array, std::size_t n) {
    std::vector<std::string> names;
    const bool told = document.has("dimension_names") && document["dimension_names"].json().is_array();
    const auto list = told ? document["dimension_names"].items() : std::vector<Item>();
    if (told && list.size() != n)
        document.fail("the number of dimension names differs from the number of dimensions");
    for (std::size_t d = 0; d < n; ++d)
        names.push_back(told && list[d].json().is_string() ? list[d].text()
                                                           : fmt::format("{}_dim_{}", array, d));
    return names;
}

/// That tiles fit the shape, chunks the tiles, and that nothing about them is more than can be counted.
void check_tiles(const Array &a) {
    bool good = a.shape.size() == a.tile.size();
    for (std::size_t d = 0; good && d < a.chunk.size(); ++d) good = a.tile[d] % a.chunk[d] == 0;
    if (!good) throw Error("shape, chunks and shards do not match; the metadata is damaged");
    points_in(a.shape, sizeof(double));
    points_in(a.tile, sizeof(double));
    points_in(Tiling{a.shape, a.tile}.counts(), 1);
    if (!a.chunk.empty()) points_in(Tiling{a.tile, a.chunk}.counts(), shard_index_entry);
}

Array parse_array(const std::string &name, const Item &document, Type type) {
    Array a;
    a.name = name;
    a.data_type = document["data_type"].text();
    a.type = type;
    const auto grid = document["chunk_grid"];
    if (grid["name"].text() != "regular")
        throw Error("the chunk grid is not regular, which Squall cannot read");
    a.shape = extents(document["shape"], 0);
    a.tile = extents(grid["configuration"]["chunk_shape"], 1);
    a.dimensions = dimension_names(document, name, a.shape.size());
    parse_names(a, document["chunk_key_encoding"]);
    parse_codecs(a, document["codecs"]);
    a.fill_value = document.has("fill_value") ? document["fill_value"].json() : Json(0);
    a.attributes = Json::object();
    if (document.has("attributes") && document["attributes"].json().is_object())
        a.attributes = document["attributes"].json();
    return a;
}

/// A text's letters become its last dimension.
void add_letters(Array &a, const std::string &dimension, const std::vector<Dimension> &dimensions) {
    const auto d = std::ranges::find(dimensions, dimension, &Dimension::name);
    a.letters = d == dimensions.end() ? 1 : d->size;
    a.letters_dimension = d != dimensions.end();
    if (!a.letters_dimension) return;
    if (!a.chunk.empty()) throw Error("a text is sharded, which Squall cannot read");
    a.dimensions.push_back(dimension);
    a.shape.push_back(*a.letters);
    a.tile.push_back(*a.letters);
}

/// The documents of the arrays in a group: what its directory holds.
Json array_documents(const std::string &path) {
    std::vector<std::string> names;
    for (const auto &entry : fs::directory_iterator(path))
        if (fs::exists(entry.path() / "zarr.json")) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    auto all = Json::object();
    for (const auto &name : names) all[name] = read_json(confined(path, name + "/zarr.json"));
    return all;
}

Json object_in(const Item &document, const char *name) {
    if (!document.has(name)) return Json::object();
    if (!document[name].json().is_object()) document[name].fail("it must be an object");
    return document[name].json();
}

} // namespace

std::string Array::file(const std::vector<std::int64_t> &index) const {
    auto text = prefix;
    const auto n = index.size() - (letters_dimension ? 1 : 0);
    for (std::size_t d = 0; d < n; ++d) text += fmt::format("{}{}", text.empty() ? "" : separator, index[d]);
    return text.empty() ? "0" : text;
}

void Store::take_own(const Json &text_attribute) {
    own = true;
    const auto what = fmt::format("the attribute {}", own_attribute);
    const auto json = parse_document<Json>(Item(text_attribute, what).text(), what);
    const Item told(json, what);
    record_dimension = told["record_dimension"].text();
    for (const auto &d : told["dimensions"].items())
        dimensions.push_back({d["name"].text(), d["size"].integer(1, largest_extent)});
    for (const auto &[name, dimension] : told["text"].members()) texts_[name] = dimension.text();
    types = object_in(told, "types");
    encodings = object_in(told, "encodings");
}

void Store::add(const std::string &name, const Json &json) {
    const Item document(json, "its metadata");
    if (name.find('/') != name.npos) return; // of a group within
    if (!document.has("node_type") || document["node_type"].text() != "array") {
        unheld.push_back({"", "the group " + name});
        return;
    }
    if (const auto fault = name_fault(name); !fault.empty()) throw Error(fault);
    const bool known = document.has("data_type") && document["data_type"].json().is_string();
    const auto type = known ? type_from(document["data_type"].text()) : std::nullopt;
    const auto letters = texts_.find(name);
    if (!type || (*type == Type::character) != (letters != texts_.end())) {
        unheld.push_back({name, fmt::format("field {}, of type {}", name,
                                            known ? document["data_type"].text() : "with parameters")});
        return;
    }
    arrays.push_back(parse_array(name, document, *type));
    if (letters != texts_.end()) add_letters(arrays.back(), letters->second, dimensions);
    check_tiles(arrays.back());
}

Store::Store(const Json &group_json, const std::function<Json()> &documents) {
    const Item group(group_json, "zarr.json");
    const auto is_text = [&](const char *name, const char *text) {
        return group.has(name) && group.json()[name] == text;
    };
    if (!group.has("zarr_format") || group.json()["zarr_format"] != 3 || !is_text("node_type", "group"))
        throw Error("this is not a group of Zarr version 3; give the directory of a store");
    attributes = object_in(group, "attributes");
    types = Json::object();
    if (const auto ours = attributes.find(own_attribute); ours != attributes.end()) {
        const Json text = *ours;
        attributes.erase(own_attribute);
        take_own(text);
    }
    const auto all = documents();
    for (const auto &[name, document] : Item(all, "the metadata of the arrays").members()) {
        try {
            add(name, document.json());
        } catch (const std::exception &e) {
            throw Error(fmt::format("array {}: {}", name, e.what()));
        }
    }
}

std::optional<Json> consolidated(const Json &group) {
    const Item item(group, "zarr.json");
    if (!item.has("consolidated_metadata") || !item["consolidated_metadata"].json().is_object())
        return std::nullopt;
    return item["consolidated_metadata"]["metadata"].json();
}

Store read_store(const std::string &path) {
    const auto group = read_json(confined(path, "zarr.json"));
    return Store(group, [&] {
        auto all = consolidated(group);
        return all ? std::move(*all) : array_documents(path);
    });
}

} // namespace squall::io::zarr
