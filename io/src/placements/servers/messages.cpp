#include "placements/servers/messages.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace squall::io::servers {
namespace {

using Json = nlohmann::json;

// A message is a list: the number of its kind in `ServerMessage`, then what it says.

Json code(const Time &t) { return {t.seconds, t.epoch}; }
Time time_from(const Json &j) { return {j.at(0), j.at(1)}; }

Json code(const Topic &t) { return {t.stream, t.number}; }
Topic topic_from(const Json &j) { return {j.at(0), j.at(1)}; }

Json code(const Vote &w) {
    Json list{code(w.time), w.declaration, w.speaker, w.skipped, w.fault, w.messages};
    if (w.file)
        for (const Json &more : {Json(w.in_file), Json(w.ends_file), Json::binary(pack(*w.file))})
            list.push_back(more);
    return list;
}
Vote word_from(const Json &j) {
    Vote w;
    w.time = time_from(j.at(0));
    w.declaration = j.at(1);
    w.speaker = j.at(2);
    w.skipped = j.at(3);
    w.fault = j.at(4);
    w.messages = j.at(5);
    if (j.size() == 6) return w;
    w.in_file = j.at(6);
    w.ends_file = j.at(7);
    w.file = std::make_shared<const ClientFile>(unpack_file(j.at(8).get_binary()));
    return w;
}

Json code(const SharedMemory &m) { return {m.process, m.descriptor, m.bytes}; }
SharedMemory memory_from(const Json &j) { return {j.at(0), j.at(1), j.at(2)}; }

Json code(const Region &r) { return {r.map, r.box.start, r.box.count, r.fields, r.first}; }
Region region_from(const Json &j) { return {j.at(0), {j.at(1), j.at(2)}, j.at(3), j.at(4), {}}; }

Json code(const Outcome &o) {
    return {o.number, code(o.time), o.fault, o.skipped,   o.committed,
            o.begun,  o.ended,      o.bytes, o.published, o.ends_file};
}
Outcome outcome_from(const Json &j) {
    Outcome o;
    o.number = j.at(0);
    o.time = time_from(j.at(1));
    o.fault = j.at(2);
    o.skipped = j.at(3);
    o.committed = j.at(4);
    o.begun = j.at(5);
    o.ended = j.at(6);
    o.bytes = j.at(7);
    o.published = j.at(8);
    o.ends_file = j.at(9);
    return o;
}

Json say(const DeclareMessage &l) { return {l.stream, Json::binary(l.declaration)}; }
void hear(const Json &j, DeclareMessage &l) { l = {j.at(1), j.at(2).get_binary()}; }

Json say(const PlanMessage &l) {
    Json regions = Json::array();
    for (const auto &r : l.regions.regions) regions.push_back(code(r));
    return {l.stream, l.declaration, l.plan, l.per_frame, code(l.points), code(l.tables), regions};
}
void hear(const Json &j, PlanMessage &l) {
    l = {j.at(1), j.at(2), j.at(3), j.at(4), memory_from(j.at(5)), memory_from(j.at(6)), {}};
    for (const auto &r : j.at(7)) l.regions.regions.push_back(region_from(r));
}

Json say(const FrameMessage &l) {
    Json list{code(l.topic), code(l.time), l.declaration, l.plan, l.messages, l.tag, l.table, l.encoded};
    if (l.to_home) list.push_back(code(l.vote));
    return list;
}
void hear(const Json &j, FrameMessage &l) {
    l = {topic_from(j.at(1)),
         time_from(j.at(2)),
         j.at(3),
         j.at(4),
         j.at(5),
         j.at(6),
         j.at(7),
         j.at(8),
         false,
         {}};
    l.to_home = j.size() > 9;
    if (l.to_home) l.vote = word_from(j.at(9));
}

Json say(const CloseMessage &l) { return Json::array({l.stream}); }
void hear(const Json &j, CloseMessage &l) { l.stream = j.at(1); }

Json say(const Acknowledgement &l) {
    Json list{l.stream, l.number};
    if (l.from_home) {
        list.push_back(code(l.outcome));
        list.push_back(l.stored_bytes);
    }
    return list;
}
void hear(const Json &j, Acknowledgement &l) {
    l.stream = j.at(1);
    l.number = j.at(2);
    l.from_home = j.size() > 3;
    if (!l.from_home) return;
    l.outcome = outcome_from(j.at(3));
    l.stored_bytes = j.at(4);
}

Json say(const Heartbeat &) { return Json::array(); }
void hear(const Json &, Heartbeat &) {}

Json say(const LossMessage &l) { return {l.group, l.reason}; }
void hear(const Json &j, LossMessage &l) { l = {j.at(1), j.at(2)}; }

Json say(const HoldMessage &l) { return {l.group, l.done}; }
void hear(const Json &j, HoldMessage &l) { l = {j.at(1), j.at(2)}; }

Json say(const RedoMessage &l) { return {l.group, l.target, l.generation, l.done}; }
void hear(const Json &j, RedoMessage &l) { l = {j.at(1), j.at(2), j.at(3), j.at(4)}; }

Json say(const ConsensusMessage &l) {
    return {static_cast<int>(l.kind), code(l.topic), code(l.vote), l.place};
}
void hear(const Json &j, ConsensusMessage &l) {
    l = {static_cast<ConsensusMessage::Kind>(j.at(1).get<int>()), topic_from(j.at(2)), word_from(j.at(3)),
         j.at(4).get<std::int64_t>()};
}

template <std::size_t kind = 0> ServerMessage message_of(std::size_t wanted, const Json &j) {
    if constexpr (kind < std::variant_size_v<ServerMessage>) {
        if (kind != wanted) return message_of<kind + 1>(wanted, j);
        std::variant_alternative_t<kind, ServerMessage> message;
        hear(j, message);
        return message;
    } else {
        throw Error(fmt::format("there is no message of kind {}", wanted));
    }
}

} // namespace

Bytes pack(const ServerMessage &message) {
    Json list = std::visit([](const auto &l) { return say(l); }, message);
    list.insert(list.begin(), message.index());
    return Json::to_msgpack(list);
}

ServerMessage unpack_message(const Bytes &bytes) {
    try {
        const auto j = Json::from_msgpack(bytes);
        return message_of(j.at(0).get<std::size_t>(), j);
    } catch (const Json::exception &e) {
        throw Error(fmt::format("a message between computing ranks and servers cannot be read: {}; do all "
                                "ranks run the same build?",
                                e.what()));
    }
}

bool same(const Time &a, const Time &b) { return code(a) == code(b); }

} // namespace squall::io::servers
