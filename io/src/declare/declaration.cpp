#include "declare/declaration.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace squall::io {
namespace {

using Json = nlohmann::json; // members in alphabetical order: the bytes do not depend on how they are set

Json to_json(const Attribute &a) {
    // The kind of value is told apart by its index: numbers alone would not say float or double.
    return {a.name, a.value.index(), std::visit([](const auto &v) { return Json(v); }, a.value)};
}

template <std::size_t N = 0> Value value_from(std::size_t kind, const Json &j) {
    if constexpr (N < std::variant_size_v<Value>) {
        if (kind == N) return Value(std::in_place_index<N>, j.get<std::variant_alternative_t<N, Value>>());
        return value_from<N + 1>(kind, j);
    } else {
        throw Error(fmt::format("an attribute of unknown kind {}", kind));
    }
}

Json to_json(const std::vector<Attribute> &attributes) {
    Json list = Json::array();
    for (const auto &a : attributes) list.push_back(to_json(a));
    return list;
}

std::vector<Attribute> attributes_from(const Json &list) {
    std::vector<Attribute> attributes;
    for (const auto &j : list)
        attributes.emplace_back(j.at(0).get<std::string>(), value_from(j.at(1), j.at(2)));
    return attributes;
}

Json to_json(const std::vector<Selection> &list) {
    Json all = Json::array();
    for (const auto &c : list) all.push_back({c.dimension, c.start, c.stop, c.stride});
    return all;
}

std::vector<Selection> selections_from(const Json &list) {
    std::vector<Selection> all;
    for (const auto &c : list) all.push_back({c.at(0), c.at(1), c.at(2), c.at(3)});
    return all;
}

/// One function for both directions, so that no member can be written and not read.
template <class R, class F> void for_members_of_reduction(R &r, F f) {
    f("of", r.of);
    f("method", r.method);
    f("over", r.over);
    f("weight", r.weight);
    f("mask", r.mask);
    f("quantile", r.quantile);
    f("low", r.low);
    f("high", r.high);
    f("bins", r.bins);
    f("at", r.at);
    f("onto", r.onto);
    f("coordinate", r.coordinate);
    f("levels", r.levels);
    f("scale", r.scale);
    f("outside", r.outside);
}

Json to_json(const std::optional<Reduction> &r) {
    if (!r) return {};
    Json j = Json::object();
    for_members_of_reduction(*r, [&](const char *name, const auto &member) { j[name] = member; });
    j["within"] = to_json(r->within);
    j["coarsen"] = Json::array();
    for (const auto &c : r->coarsen) j["coarsen"].push_back({c.dimension, c.factor, c.onto});
    return j;
}

std::optional<Reduction> reduction_from(const Json &j) {
    if (j.is_null()) return std::nullopt;
    Reduction r;
    for_members_of_reduction(r, [&](const char *name, auto &member) { j.at(name).get_to(member); });
    r.within = selections_from(j.at("within"));
    for (const auto &c : j.at("coarsen")) r.coarsen.push_back({c.at(0), c.at(1), c.at(2)});
    return r;
}

Json to_json(const Places &p) {
    Json staggers = Json::array();
    for (const auto &s : p.staggers) staggers.push_back({s.dimension, s.of, s.by});
    return {{"name", p.name},
            {"dimensions", p.dimensions},
            {"count", p.count},
            {"positions", p.positions},
            {"staggers", staggers}};
}

Places places_from(const Json &j) {
    Places p;
    p.name = j.at("name");
    p.dimensions = j.at("dimensions").get<std::vector<std::string>>();
    p.count = j.at("count");
    p.positions = j.at("positions").get<std::vector<double>>();
    for (const auto &s : j.at("staggers")) p.staggers.push_back({s.at(0), s.at(1), s.at(2)});
    return p;
}

Json to_json(const Field &f) {
    const auto &p = f.precision;
    return {{"name", f.name},
            {"type", static_cast<int>(f.type)},
            {"dimensions", f.dimensions},
            {"attributes", to_json(f.attributes)},
            {"per_frame", f.per_frame},
            {"letters", f.letters},
            {"fill", f.fill ? Json(*f.fill) : Json()},
            {"optional", f.optional},
            {"decomposition", f.decomposition},
            {"reduction", to_json(f.reduction)},
            {"precision", {static_cast<int>(p.kind), p.bound, p.low, p.high}}};
}

Field field_from(const Json &j) {
    const auto &p = j.at("precision");
    Field f;
    f.name = j.at("name");
    f.type = static_cast<Type>(j.at("type").get<int>());
    f.dimensions = j.at("dimensions").get<std::vector<std::string>>();
    f.attributes = attributes_from(j.at("attributes"));
    f.per_frame = j.at("per_frame");
    f.letters = j.at("letters");
    if (!j.at("fill").is_null()) f.fill = j.at("fill").get<double>();
    f.optional = j.at("optional");
    f.decomposition = j.at("decomposition");
    f.reduction = reduction_from(j.at("reduction"));
    f.precision = {static_cast<Precision::Kind>(p.at(0).get<int>()), p.at(1), p.at(2), p.at(3)};
    return f;
}

/// One function for both directions, so that no member can be written and not read.
template <class Spec, class F> void for_members(Spec &s, F f) {
    f("name", s.name);
    f("path", s.path);
    f("engine", s.engine);
    f("placement", s.placement);
    f("codec", s.codec);
    f("options", s.options);
    f("frames_per_file", s.frames_per_file);
    f("replace", s.replace);
    f("burst_dir", s.burst_dir);
    f("staging_limit", s.staging_limit);
    f("when_full", s.when_full);
    f("spill_dir", s.spill_dir);
    f("on_error", s.on_error);
    f("on_lost_server", s.on_lost_server);
    f("record_dimension", s.record_dimension);
    f("calendar", s.calendar);
    f("append", s.append);
    f("reduce", s.reduce);
}

} // namespace

Bytes pack(const StreamSpec &s) {
    Json j = Json::object(), dimensions = Json::array();
    for_members(s, [&](const char *name, const auto &member) { j[name] = member; });
    for (const auto &d : s.dimensions) dimensions.push_back({d.name, d.size, d.varying});
    j["dimensions"] = std::move(dimensions);
    j["subset"] = to_json(s.subset);
    for (const auto &[name, fields] : {std::pair("fields", &s.fields), std::pair("sources", &s.sources)}) {
        j[name] = Json::array();
        for (const auto &f : *fields) j[name].push_back(to_json(f));
    }
    j["places"] = Json::array();
    for (const auto &p : s.places) j["places"].push_back(to_json(p));
    j["attributes"] = to_json(s.attributes);
    if (s.time) j["time"] = {s.time->name, s.time->units, s.time->bounds};
    j["decompositions"] = Json::array(); // who owns what differs from rank to rank
    for (const auto &d : s.decompositions) j["decompositions"].push_back({d.name, Json(d.dimensions)});
    return Json::to_msgpack(j);
}

StreamSpec unpack_spec(const Bytes &bytes) {
    try {
        const auto j = Json::from_msgpack(bytes);
        StreamSpec s;
        for_members(s, [&](const char *name, auto &member) { j.at(name).get_to(member); });
        for (const auto &d : j.at("dimensions")) s.dimensions.push_back({d.at(0), d.at(1), d.at(2)});
        s.subset = selections_from(j.at("subset"));
        for (const auto &f : j.at("fields")) s.fields.push_back(field_from(f));
        for (const auto &f : j.at("sources")) s.sources.push_back(field_from(f));
        for (const auto &p : j.at("places")) s.places.push_back(places_from(p));
        s.attributes = attributes_from(j.at("attributes"));
        if (const auto t = j.find("time"); t != j.end()) s.time = {t->at(0), t->at(1), t->at(2)};
        for (const auto &d : j.at("decompositions"))
            s.decompositions.push_back(
                {.name = d.at(0), .dimensions = d.at(1).get<std::vector<std::string>>(), .boxes = {}});
        return s;
    } catch (const Json::exception &e) {
        throw Error(fmt::format("{} bytes that should hold a stream's declaration do not: {}", bytes.size(),
                                e.what()));
    }
}

Bytes pack(const ClientFile &file) {
    return Json::to_msgpack(
        {file.number, file.first, static_cast<int>(file.opening), file.path, to_json(file.attributes)});
}

ClientFile unpack_file(const Bytes &bytes) {
    try {
        const auto j = Json::from_msgpack(bytes);
        return {j.at(0), j.at(1), static_cast<ClientFile::Opening>(j.at(2).get<int>()), j.at(3),
                attributes_from(j.at(4))};
    } catch (const Json::exception &e) {
        throw Error(fmt::format("a file cannot be told from what was sent of it: {}", e.what()));
    }
}

std::uint64_t hash(const Bytes &bytes) {
    std::uint64_t h = 14695981039346656037ULL;
    for (const auto b : bytes) h = (h ^ b) * 1099511628211ULL;
    return h;
}

std::uint64_t hash(const StreamSpec &spec) { return hash(pack(spec)); }

} // namespace squall::io
