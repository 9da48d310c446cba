#include <algorithm>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/confine.hpp"
#include "common/document.hpp"
#include "engines/zarr/codec.hpp"
#include "engines/zarr/documents.hpp"
#include "engines/zarr/grid.hpp"
#include "engines/zarr/store.hpp"
#include "engines/zarr/zarr.hpp"

namespace squall::io {
namespace zarr {

std::vector<Share> shares(const Layout &layout, int field, int writers) {
    const auto shards = grid_of(layout, field).shards();
    const auto number = shards.size();
    std::vector<std::int64_t> order(number);
    std::iota(order.begin(), order.end(), 0);
    const auto row = row_dimension(shards.shape);
    if (!shards.shape.empty())
        std::ranges::stable_sort(order, {}, [&](std::int64_t n) { return shards.index(n)[row]; });
    // Fields of fewer shards than writers begin at different writers, so that all have something to do. Where
    // messages are many, small ones share a writer: one takes what a rank has of them.
    constexpr int many_writers = 64;
    const auto turn = writers < many_writers ? field : layout.fields[field].before >> 20;
    const auto first = number < writers ? turn % writers : 0;
    std::vector<Share> all;
    for (std::int64_t n = 0; n < number; ++n)
        all.push_back({shards.box(order[n]), static_cast<int>((n * writers / number + first) % writers)});
    return all;
}

namespace {

bool recognises(const std::string &path) { return std::filesystem::exists(path + "/zarr.json"); }

std::string name_fault(const std::string &name) {
    if (name.find('/') == name.npos && !name.starts_with("__") && !name.starts_with('.') &&
        name != "zarr.json" && !name.starts_with("c."))
        return "";
    return fmt::format("field {}: Zarr cannot have an array of this name; choose one without '/' that does "
                       "not begin with '.', '__' or 'c.'",
                       name);
}

/// JSON has no text but UTF-8.
bool is_utf8(const std::string &text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace).find("\xef\xbf\xbd") ==
               text.npos ||
           text.find("\xef\xbf\xbd") != text.npos;
}

std::string attributes_fault(const std::string &owner, const std::vector<Attribute> &attributes) {
    for (const auto &a : attributes) {
        if (owner.empty() && a.name == own_attribute)
            return fmt::format("attribute {}: Squall uses this name itself; choose another", a.name);
        const auto *text = std::get_if<std::string>(&a.value);
        if (!is_utf8(a.name) || (text && !is_utf8(*text)))
            return fmt::format(
                "attribute {}{}: its text is not UTF-8, which Zarr requires; encode it as UTF-8", owner,
                a.name);
    }
    return "";
}

std::string objection(const Layout &layout) {
    if (const auto fault = level_fault(layout.codec); !fault.empty()) return fault;
    if (const auto fault = grid_fault(layout); !fault.empty()) return fault;
    if (const auto fault = attributes_fault("", layout.spec.attributes); !fault.empty()) return fault;
    for (int f = 0; f < static_cast<int>(layout.fields.size()); ++f) {
        const auto &field = layout.fields[f].field;
        if (const auto fault = name_fault(field.name); !fault.empty()) return fault;
        if (const auto fault = attributes_fault(field.name + ":", field.attributes); !fault.empty())
            return fault;
        const auto bytes =
            static_cast<std::size_t>(volume({{}, grid_of(layout, f).chunk})) * size_of(field.type);
        if (bytes > largest_chunk)
            return fmt::format("field {}: a chunk of {} bytes is too large; at most {} can be compressed in "
                               "one piece: set a smaller one with the option chunk",
                               field.name, bytes, largest_chunk);
    }
    return "";
}

std::string append_objection(const Layout &layout, const std::string &path) {
    const auto group = parse_document<Json>(text_of(confined(path, "zarr.json")), "zarr.json");
    const auto all = consolidated(group);
    if (!all) return "cannot append: the store's zarr.json does not hold the metadata of its arrays";
    const io::Item<Json> arrays(*all, "zarr.json");
    const auto frames = open(path)->frames;
    const auto grids = layout.files_of_client() ? grids_in_store(layout, *all) : grids_of(layout);
    for (int f = 0; f < static_cast<int>(layout.fields.size()); ++f) {
        const auto &name = layout.fields[f].field.name;
        if (!arrays.has(name.c_str())) continue; // the store gains it
        const auto now = array_document(layout, f, grids[f], frames);
        const auto then = arrays[name.c_str()];
        for (const char *key : {"shape", "chunk_grid", "codecs"})
            if (now.at(key) != then[key].json())
                return fmt::format("cannot append: field {} has another {} in the store: {}; declare the "
                                   "same codec and options",
                                   name, key, then[key].json().dump());
    }
    return "";
}

} // namespace
} // namespace zarr

extern const Engine zarr_engine;
const Engine zarr_engine = {
    .name = "zarr",
    .makes = "a Zarr 3 group, written in parallel, readable during the run",
    .codecs = {"blosc-zstd", "zstd", "blosc-lz4", "none"},
    .options = {{"chunk", OptionInfo::Kind::text, "", "points",
                 "sizes of chunks, slowest dimension first, separated by commas; 0 is the whole dimension; "
                 "default: chosen by bytes"},
                {"shard", OptionInfo::Kind::text, "", "points", "sizes of shards, in the form of chunk"},
                {"frames_per_shard",
                 OptionInfo::Kind::number,
                 "",
                 "frames",
                 "frames of a small field that share a file; default: chosen by bytes",
                 {},
                 1},
                {"encode",
                 OptionInfo::Kind::word,
                 "auto",
                 "",
                 "who compresses chunks that lie within one computing rank's patch, with placement servers: "
                 "the servers; the ranks, before sending; or auto, the ranks while servers are behind. The "
                 "store is the same",
                 {"auto", "ranks", "servers"}}},
    .distribution = Distribution::by_shares,
    .directory = true,
    .views = true,
    .grows = true,
    .appends = true,
    .create = zarr::create,
    .shares = zarr::shares,
    .encoder = zarr::encoder,
    .recognises = zarr::recognises,
    .open = zarr::open,
    .objection = zarr::objection,
    .append_objection = zarr::append_objection};

} // namespace squall::io
