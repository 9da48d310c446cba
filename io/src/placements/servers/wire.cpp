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
