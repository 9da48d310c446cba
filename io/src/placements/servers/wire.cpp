#include "placements/servers/wire.hpp"

#include <nlohmann/json.hpp>

namespace squall::io {
namespace {

using Json = nlohmann::json;

Json to_json(const std::vector<Offer> &offers) {
    Json list = Json::array();
    for (const auto &o : offers) list.push_back({o.field, o.box.start, o.box.count, o.offset});
    return list;
}

std::vector<Offer> offers_from(const Json &list) {
    std::vector<Offer> offers;
    for (const auto &o : list) offers.push_back({o[0], {o[1], o[2]}, o[3]});
    return offers;
}

Json to_json(const Attribute &a) {
    // The kind of value is told apart by its index: numbers alone would not say float or double.
    return {a.name, a.value.index(), std::visit([](const auto &v) { return Json(v); }, a.value)};
}

Attribute attribute_from(const Json &j) {
    const auto name = j[0].get<std::string>();
    switch (j[1].get<int>()) {
    case 0:
        return {name, Value(j[2].get<std::string>())};
    case 1:
        return {name, Value(j[2].get<std::vector<std::int32_t>>())};
    case 2:
        return {name, Value(j[2].get<std::vector<float>>())};
    default:
        return {name, Value(j[2].get<std::vector<double>>())};
    }
}

Json to_json(const std::vector<Attribute> &attributes) {
    Json list = Json::array();
    for (const auto &a : attributes) list.push_back(to_json(a));
    return list;
}

std::vector<Attribute> attributes_from(const Json &list) {
    std::vector<Attribute> attributes;
    for (const auto &j : list) attributes.push_back(attribute_from(j));
    return attributes;
}

Json to_json(const Field &f) {
    const auto &p = f.precision;
    return {f.name,      static_cast<int>(f.type), f.dimensions, to_json(f.attributes),
            f.per_frame, static_cast<int>(p.kind), p.bound,      p.low,
            p.high};
}

Field field_from(const Json &j) {
    return {j[0], static_cast<Type>(j[1].get<int>()),
            j[2], attributes_from(j[3]),
            j[4], {static_cast<Precision::Kind>(j[5].get<int>()), j[6], j[7], j[8]}};
}

Bytes bytes_of(const Json &j) { return Json::to_msgpack(j); }

} // namespace

Bytes pack(const Header &h) {
    return bytes_of({static_cast<int>(h.kind), h.stream, h.declaration, h.number, h.time.seconds,
                     h.time.epoch, h.fault, h.skipped, h.process, h.descriptor, h.memory, to_json(h.offers),
                     h.with_fixed, to_json(h.fixed)});
}

Header unpack_header(const Bytes &bytes) {
    const auto j = Json::from_msgpack(bytes);
    return {static_cast<Header::Kind>(j[0].get<int>()),
            j[1],
            j[2],
            j[3],
            {j[4], j[5]},
            j[6],
            j[7],
            j[8],
            j[9],
            j[10],
            offers_from(j[11]),
            j[12],
            offers_from(j[13])};
}

Bytes pack(const Done &d) {
    const auto &o = d.outcome;
    return bytes_of({d.stream, d.closed, d.leads, d.stored_bytes, o.number, o.time.seconds, o.time.epoch,
                     o.fault, o.skipped, o.committed, o.begun, o.ended, o.bytes});
}

Done unpack_done(const Bytes &bytes) {
    const auto j = Json::from_msgpack(bytes);
    Done d;
    d.stream = j[0];
    d.closed = j[1];
    d.leads = j[2];
    d.stored_bytes = j[3];
    d.outcome = {j[4], {j[5], j[6]}, j[7], j[8], j[9], j[10], j[11], j[12]};
    return d;
}

Bytes pack(const StreamSpec &s) {
    Json dimensions = Json::array(), subset = Json::array(), fields = Json::array();
    for (const auto &d : s.dimensions) dimensions.push_back({d.name, d.size});
    for (const auto &c : s.subset) subset.push_back({c.dimension, c.start, c.stop, c.stride});
    for (const auto &f : s.fields) fields.push_back(to_json(f));
    return bytes_of({s.name, s.path, s.engine, s.placement, s.codec, s.options, s.frames_per_file, s.replace,
                     s.burst_dir, s.staging_limit, s.when_full, s.spill_dir, s.on_error, s.record_dimension,
                     dimensions, subset, fields, to_json(s.attributes)});
}

StreamSpec unpack_spec(const Bytes &bytes) {
    const auto j = Json::from_msgpack(bytes);
    StreamSpec s;
    s.name = j[0];
    s.path = j[1];
    s.engine = j[2];
    s.placement = j[3];
    s.codec = j[4];
    s.options = j[5].get<std::map<std::string, std::string>>();
    s.frames_per_file = j[6];
    s.replace = j[7];
    s.burst_dir = j[8];
    s.staging_limit = j[9];
    s.when_full = j[10];
    s.spill_dir = j[11];
    s.on_error = j[12];
    s.record_dimension = j[13];
    for (const auto &d : j[14]) s.dimensions.push_back({d[0], d[1]});
    for (const auto &c : j[15]) s.subset.push_back({c[0], c[1], c[2], c[3]});
    for (const auto &f : j[16]) s.fields.push_back(field_from(f));
    s.attributes = attributes_from(j[17]);
    return s;
}

std::uint64_t hash(const Bytes &bytes) { // FNV-1a
    std::uint64_t h = 14695981039346656037ULL;
    for (const auto b : bytes) h = (h ^ b) * 1099511628211ULL;
    return h;
}

void Outbox::send(Bytes bytes, int to, int tag) {
    tidy();
    auto &letter = letters_.emplace_back();
    letter.bytes = std::move(bytes); // a vector's bytes stay where they are when letters_ grows
    MPI_Isend(letter.bytes.data(), static_cast<int>(letter.bytes.size()), MPI_BYTE, to, tag, comm_,
              &letter.request);
}

void Outbox::tidy() {
    std::erase_if(letters_, [](Letter &l) {
        int done = 0;
        MPI_Test(&l.request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
}

bool receive(MPI_Comm comm, int tag, Bytes &bytes, int &from) {
    int waiting = 0, size = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &waiting, &status);
    if (!waiting) return false;
    MPI_Get_count(&status, MPI_BYTE, &size);
    bytes.resize(static_cast<std::size_t>(size));
    from = status.MPI_SOURCE;
    MPI_Recv(bytes.data(), size, MPI_BYTE, from, tag, comm, MPI_STATUS_IGNORE);
    return true;
}

} // namespace squall::io
