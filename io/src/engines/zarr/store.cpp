#include "engines/zarr/store.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "engines/zarr/documents.hpp"

namespace squall::io::zarr {
namespace {

namespace fs = std::filesystem;

Json read_json(const std::string &path) {
    std::ifstream in(path);
    if (!in) throw Error(fmt::format("{} cannot be read; is this a Zarr store of version 3?", path));
    try {
        return Json::parse(in);
    } catch (const Json::exception &e) {
        throw Error(fmt::format("{} is damaged: {}", path, e.what()));
    }
}

std::optional<Type> type_from(const std::string &data_type) {
    static const std::map<std::string, Type> types = {
        {"int8", Type::i16},    {"uint8", Type::i16},   {"int16", Type::i16},       {"uint16", Type::i32},
        {"int32", Type::i32},   {"uint32", Type::f64},  {"int64", Type::f64},       {"uint64", Type::f64},
        {"float32", Type::f32}, {"float64", Type::f64}, {"string", Type::character}};
    const auto t = types.find(data_type);
    return t == types.end() ? std::nullopt : std::optional(t->second);
}

void parse_names(Array &a, const Json &encoding) {
    const auto name = encoding.at("name").get<std::string>();
    if (name != "default" && name != "v2")
        throw Error(fmt::format("chunk key encoding \"{}\" is not one that Squall knows", name));
    a.separator =
        encoding.value("configuration", Json::object()).value("separator", name == "v2" ? "." : "/");
    a.prefix = name == "v2" ? "" : "c";
}

void parse_codecs(Array &a, const Json &codecs) {
    if (codecs.empty() || codecs[0].at("name") != "sharding_indexed") {
        a.codecs.emplace_back(codecs);
        return;
    }
    if (codecs.size() > 1) throw Error("codecs after sharding_indexed, which Squall does not read");
    const auto &c = codecs[0].at("configuration");
    a.chunk = c.at("chunk_shape").get<std::vector<std::int64_t>>();
    a.codecs.emplace_back(c.at("codecs"));
    a.codecs.emplace_back(c.at("index_codecs"));
    a.index_at_end = c.value("index_location", "end") == "end";
}

std::vector<std::string> dimension_names(const Json &document, const std::string &array, std::size_t n) {
    std::vector<std::string> names;
    const auto told = document.value("dimension_names", Json());
    for (std::size_t d = 0; d < n; ++d)
        names.push_back(told.is_array() && told.at(d).is_string() ? told.at(d).get<std::string>()
                                                                  : fmt::format("{}_dim_{}", array, d));
    return names;
}

void check_tiles(const Array &a) {
    const auto fit = [&](const std::vector<std::int64_t> &tile) {
        return tile.size() == a.tile.size() && std::ranges::all_of(tile, [](auto n) { return n > 0; });
    };
    bool good = fit(a.tile) && a.shape.size() == a.tile.size() && (a.chunk.empty() || fit(a.chunk));
    for (std::size_t d = 0; good && d < a.chunk.size(); ++d) good = a.tile[d] % a.chunk[d] == 0;
    if (!good) throw Error("shape, chunks and shards do not fit each other; the metadata is damaged");
}

Array parse_array(const std::string &name, const Json &document, Type type) {
    Array a;
    a.name = name;
    a.data_type = document.at("data_type").get<std::string>();
    a.type = type;
    const auto &grid = document.at("chunk_grid");
    if (grid.at("name") != "regular")
        throw Error("a chunk grid that is not regular, which Squall does not read");
    a.shape = document.at("shape").get<std::vector<std::int64_t>>();
    a.tile = grid.at("configuration").at("chunk_shape").get<std::vector<std::int64_t>>();
    a.dimensions = dimension_names(document, name, a.shape.size());
    parse_names(a, document.at("chunk_key_encoding"));
    parse_codecs(a, document.at("codecs"));
    a.fill_value = document.value("fill_value", Json(0));
    a.attributes = document.value("attributes", Json::object());
    check_tiles(a);
    return a;
}

/// A text's letters become its last dimension.
void add_letters(Array &a, const std::string &dimension, const std::vector<Dimension> &dimensions) {
    const auto d = std::ranges::find(dimensions, dimension, &Dimension::name);
    a.letters = d == dimensions.end() ? 1 : d->size;
    a.letters_dimension = d != dimensions.end();
    if (!a.letters_dimension) return;
    a.dimensions.push_back(dimension);
    a.shape.push_back(*a.letters);
    a.tile.push_back(*a.letters);
}

/// The documents of the arrays in a group: its consolidated metadata, or what its directory holds.
Json array_documents(const std::string &path, const Json &group) {
    const auto consolidated = group.value("consolidated_metadata", Json());
    if (consolidated.is_object()) return consolidated.at("metadata");
    std::vector<std::string> names;
    for (const auto &entry : fs::directory_iterator(path))
        if (fs::exists(entry.path() / "zarr.json")) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    auto all = Json::object();
    for (const auto &name : names) all[name] = read_json(path + "/" + name + "/zarr.json");
    return all;
}

} // namespace

std::string Array::file(const std::vector<std::int64_t> &index) const {
    auto text = prefix;
    const auto n = index.size() - (letters_dimension ? 1 : 0);
    for (std::size_t d = 0; d < n; ++d) text += fmt::format("{}{}", text.empty() ? "" : separator, index[d]);
    return text.empty() ? "0" : text;
}

Store::Store(const std::string &path) {
    const auto group = read_json(path + "/zarr.json");
    if (group.value("zarr_format", 0) != 3 || group.value("node_type", "") != "group")
        throw Error("this is no group of Zarr version 3; give the directory of a store");
    attributes = group.value("attributes", Json::object());
    auto text = Json::object();
    types = Json::object();
    if (const auto ours = attributes.find(own_attribute); ours != attributes.end()) {
        own = true;
        const auto told = Json::parse(ours->get<std::string>());
        attributes.erase(own_attribute);
        record_dimension = told.at("record_dimension");
        for (const auto &d : told.at("dimensions")) dimensions.push_back({d.at("name"), d.at("size")});
        text = told.at("text");
        types = told.at("types");
    }
    const auto documents = array_documents(path, group);
    for (const auto &[name, document] : documents.items()) {
        if (document.value("node_type", "") != "array" || name.find('/') != name.npos) continue;
        const auto data_type = document.value("data_type", Json());
        const auto type = data_type.is_string() ? type_from(data_type) : std::nullopt;
        if (!type || (*type == Type::character && !text.contains(name)))
            continue; // nothing that a Field can hold
        try {
            arrays.push_back(parse_array(name, document, *type));
        } catch (const std::exception &e) {
            throw Error(fmt::format("array {}: {}", name, e.what()));
        }
        if (text.contains(name)) add_letters(arrays.back(), text.at(name), dimensions);
    }
}

} // namespace squall::io::zarr
