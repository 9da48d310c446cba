#include "engines/zarr/documents.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "common/document.hpp"
#include "engines/zarr/attributes.hpp"

namespace squall::io::zarr {
namespace {

const char *data_type(Type type) {
    switch (type) {
    case Type::f32:
        return "float32";
    case Type::f64:
        return "float64";
    case Type::i16:
        return "int16";
    case Type::i32:
        return "int32";
    case Type::i8:
        return "int8";
    case Type::u8:
        return "uint8";
    case Type::i64:
        return "int64";
    case Type::character:
    case Type::text:
        break;
    }
    return "string";
}

Json fill_value(Type type) {
    if (type == Type::character) return "";
    if (type == Type::f32 || type == Type::f64) return "NaN";
    return 0;
}

Json codecs(const Layout &layout, const Field &f, const Grid &grid) {
    const Json crc = {{"name", "crc32c"}};
    if (f.type == Type::character) return Json::array({{{"name", "vlen-utf8"}}, crc});
    auto chunk = grid.chunk;
    if (f.per_frame) chunk.insert(chunk.begin(), 1);
    const Json index = Json::array({{{"name", "bytes"}, {"configuration", {{"endian", "little"}}}}, crc});
    return Json::array({{{"name", "sharding_indexed"},
                         {"configuration",
                          {{"chunk_shape", chunk},
                           {"codecs", Compressor(layout.codec, f.type).description()},
                           {"index_codecs", index},
                           {"index_location", "end"}}}}});
}

Json types_of_attributes(const Layout &layout) {
    auto all = Json::object();
    const auto add = [&](const std::string &name, const std::vector<Attribute> &attributes, Type type) {
        auto hints = Json::object();
        to_json(attributes, type, hints);
        if (!hints.empty()) all[name] = hints;
    };
    add("", layout.spec.attributes, Type::character);
    for (const auto &f : layout.fields) add(f.field.name, f.field.attributes, f.field.type);
    return all;
}

Json own(const Layout &layout) {
    Json all = {{"record_dimension", layout.spec.record_dimension},
                {"dimensions", Json::array()},
                {"text", Json::object()},
                {"types", types_of_attributes(layout)}};
    for (const auto &d : layout.spec.dimensions)
        all["dimensions"].push_back({{"name", d.name}, {"size", d.size}});
    for (const auto &f : layout.fields) {
        if (f.field.type != Type::character) continue;
        all["text"][f.field.name] = f.field.dimensions.empty() ? "" : f.field.dimensions.back();
        for (const auto &a : f.field.attributes)
            if (const auto *text = std::get_if<std::string>(&a.value); text && a.name == encoding_attribute)
                all["encodings"][f.field.name] = *text;
    }
    return all;
}

} // namespace

Json array_document(const Layout &layout, int field, const Grid &grid, std::int64_t frames) {
    const auto &f = layout.fields[field].field;
    auto shape = grid.shape, tile = grid.shard;
    auto names = f.dimensions;
    if (f.type == Type::character && !shape.empty()) { // a text is one element
        shape.pop_back();
        tile.pop_back();
        names.pop_back();
    }
    if (f.per_frame) {
        shape.insert(shape.begin(), frames);
        tile.insert(tile.begin(), grid.frames);
        names.insert(names.begin(), layout.spec.record_dimension);
    }
    Json unused;
    auto attributes = to_json(f.attributes, f.type, unused);
    // Of letters in netCDF files; readers would decode texts once more.
    if (std::string_view(data_type(f.type)) == "string") attributes.erase(encoding_attribute);
    return {{"zarr_format", 3},
            {"node_type", "array"},
            {"shape", shape},
            {"data_type", data_type(f.type)},
            {"chunk_grid", {{"name", "regular"}, {"configuration", {{"chunk_shape", tile}}}}},
            {"chunk_key_encoding", {{"name", "default"}, {"configuration", {{"separator", "."}}}}},
            {"fill_value", fill_value(f.type)},
            {"codecs", codecs(layout, f, grid)},
            {"dimension_names", names},
            {"storage_transformers", Json::array()},
            {"attributes", attributes}};
}

std::vector<Grid> grids_in_store(const Layout &layout, const Json &arrays) {
    const io::Item<Json> all(arrays, "the metadata of the arrays");
    auto grids = grids_of(layout);
    for (std::size_t f = 0; f < grids.size(); ++f) {
        const auto &field = layout.fields[f].field;
        if (!field.per_frame || !all.has(field.name.c_str())) continue;
        const auto tile = all[field.name.c_str()]["chunk_grid"]["configuration"]["chunk_shape"].integers(1);
        if (!tile.empty()) grids[f].frames = tile[0];
    }
    return grids;
}

namespace {

constexpr std::int64_t any_frames =
    987654321987654321;                   ///< in place of a number of frames: no such is declared
constexpr int indent = 2, of_members = 6; ///< spaces of JSON's levels, and where members begin

Json group_document(const Layout &layout, const Json &arrays) {
    Json unused;
    auto attributes = to_json(layout.spec.attributes, Type::character, unused);
    attributes[own_attribute] = own(layout).dump();
    return {
        {"zarr_format", 3},
        {"node_type", "group"},
        {"attributes", attributes},
        {"consolidated_metadata", {{"kind", "inline"}, {"must_understand", false}, {"metadata", arrays}}}};
}

/// Further to the right, but for its first line.
std::string shifted(const std::string &text, int spaces) {
    std::string out;
    for (const char c : text) {
        out += c;
        if (c == '\n') out.append(static_cast<std::size_t>(spaces), ' ');
    }
    return out;
}

} // namespace

/// The number comes before all that was declared, but for names, in which there is no such.
Documents::Text::Text(std::string text) {
    const auto number = std::to_string(any_frames);
    const auto at = text.find(number);
    tells = at != text.npos;
    if (tells) after = text.substr(at + number.size());
    text.resize(std::min(at, text.size()));
    before = std::move(text);
}

std::string Documents::Text::with(std::int64_t frames) const {
    return tells ? before + std::to_string(frames) + after : before;
}

Documents::Documents(const Layout &layout, const std::vector<Grid> &grids) {
    for (int f = 0; f < static_cast<int>(layout.fields.size()); ++f) {
        const auto text = array_document(layout, f, grids[f], any_frames).dump(indent);
        arrays_.emplace_back(text);
        members_.emplace_back("\n" + std::string(of_members, ' ') + Json(layout.fields[f].field.name).dump() +
                              ": " + shifted(text, of_members));
    }
    // The members' place is the last of the document.
    const std::string none = "{}";
    const auto text = group_document(layout, Json::object()).dump(indent);
    const auto at = text.rfind(none);
    before_ = text.substr(0, at + 1);
    after_ = "\n" + std::string(of_members - indent, ' ') + text.substr(at + 1);
}

std::string Documents::group(std::int64_t frames) const {
    if (members_.empty()) return before_ + after_;
    std::string text = before_;
    for (const auto &member : members_)
        text += (&member == &members_.front() ? "" : ",") + member.with(frames);
    return text + after_;
}

std::string chunk_name(bool per_frame, std::int64_t shard, const std::vector<std::int64_t> &index) {
    std::string name = "c";
    if (per_frame) name += fmt::format(".{}", shard);
    for (const auto i : index) name += fmt::format(".{}", i);
    return name;
}

} // namespace squall::io::zarr
