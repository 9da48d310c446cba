#include "drain/exchange.hpp"

#include <algorithm>
#include <map>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "drain/parcels.hpp"

namespace squall::io {
namespace {

constexpr int exchange_tag = 3; ///< turns.cpp has 1 and 2, rank_group.cpp 4 and 5, presence.cpp 6

/// Where this writer's boxes come to lie: in a box of before that holds all of one, if views are wanted,
/// or in memory that is made for it.
void make_places(const FieldLayout &f, const Plan &plan, const std::vector<const void *> &mine, bool views,
                 Exchanged &result) {
    const bool may_stay = views && f.field.type != Type::character;
    for (const auto &box : plan.to) {
        const auto holder = std::ranges::find_if(
            plan.from, [&](const Box &from) { return may_stay && intersection(from, box) == box; });
        if (!box.start.empty() && holder != plan.from.end())
            result.pieces.push_back(
                {box, mine[static_cast<std::size_t>(holder - plan.from.begin())], *holder});
        else
            result.pieces.push_back(
                {box, result.make(static_cast<std::size_t>(volume(box)) * size_of(f.field.type))});
    }
}

/// Contiguous points of a box.
struct Place {
    const Box *box;
    void *points;
};

/// Where the parts of a message lie. `place`: of a field's leg.
template <class F>
std::vector<PlacedParcel> placed(const Message &message, const std::vector<Transfer> &fields,
                                 const F &place) {
    std::vector<PlacedParcel> parcels;
    for (const auto &part : message.parts) {
        const Place at = place(part.field, *part.leg);
        parcels.push_back({&part.parcel, at.box, at.points, fields[part.field].field.field.type});
    }
    return parcels;
}

/// Both ends of this writer's messages.
struct ExchangeMemory final : InTransit {
    std::shared_ptr<const InTransit> before;
    std::vector<Exchanged> after;
};

} // namespace

std::vector<Message> messages(const std::vector<Transfer> &fields, std::vector<Leg> Plan::*legs,
                              const Grain &grain) {
    struct Open {
        Message message;
        std::int64_t bytes = 0;
    };
    std::vector<Message> all;
    std::map<int, Open> open;
    for (std::size_t f = 0; f < fields.size(); ++f) {
        const Type type = fields[f].field.field.type;
        for (const auto &leg : (*fields[f].plan).*legs)
            for (auto &parcel : parcels(leg.part, type, grain)) {
                auto &[message, bytes] = open[leg.writer];
                bytes += volume(parcel) * static_cast<std::int64_t>(size_of(type));
                message.writer = leg.writer;
                message.parts.push_back({f, &leg, std::move(parcel)});
                if (bytes < grain.least) continue;
                all.push_back(std::move(message));
                open.erase(leg.writer);
            }
    }
    for (auto &[writer, last] : open) all.push_back(std::move(last.message));
    return all;
}

std::vector<Exchanged> exchange(const RankGroup &group, const std::vector<Transfer> &fields,
                                std::shared_ptr<const InTransit> owner, bool views, Scratch &scratch) {
    const auto kept = std::make_shared<ExchangeMemory>();
    kept->before = std::move(owner);
    auto &result = kept->after;
    for (const auto &[field, plan, mine] : fields)
        make_places(field, *plan, mine, views, result.emplace_back(scratch));
    const auto before = [&](std::size_t field, const Leg &leg) {
        return Place{&fields[field].plan->from[leg.from], const_cast<void *>(fields[field].mine[leg.from])};
    };
    const auto after = [&](std::size_t field, const Leg &leg) {
        return Place{&fields[field].plan->to[leg.to],
                     const_cast<void *>(result[field].pieces[leg.to].points)};
    };

    // Parts travel from where they lie to where they belong: MPI types say how, and nothing is packed.
    std::vector<MPI_Request> requests;
    const auto grain = grain_among(group.size());
    for (const auto &message : messages(fields, &Plan::receives, grain)) {
        const MessageMemory memory(placed(message, fields, after));
        MPI_Irecv(memory.address(), 1, memory.type(), message.writer, exchange_tag, group.comm(),
                  &requests.emplace_back());
    }
    for (const auto &message : messages(fields, &Plan::sends, grain)) {
        const MessageMemory memory(placed(message, fields, before));
        MPI_Isend(memory.address(), 1, memory.type(), message.writer, exchange_tag, group.comm(),
                  &requests.emplace_back());
    }
    for (std::size_t f = 0; f < fields.size(); ++f)
        for (const auto &leg : fields[f].plan->stays) {
            if (!result[f].pieces[leg.to].around.start.empty()) continue; // it is where it was
            const auto from = before(f, leg), to = after(f, leg);
            copy_part(leg.part, *from.box, from.points, *to.box, to.points, fields[f].field.field.type);
        }
    group.wait_all(requests, kept);
    return std::move(result);
}

} // namespace squall::io
