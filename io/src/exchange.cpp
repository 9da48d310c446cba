#include "exchange.hpp"

#include <algorithm>

#include "box.hpp"
#include "copy.hpp"
#include "parcels.hpp"

namespace squall::io {
namespace {

constexpr int exchange_tag = 3; ///< turns.cpp has 1 and 2, crew.cpp 4 and 5

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

} // namespace

void copy_part(const Box &part, const Box &from_box, const void *from, const Box &to_box, void *to,
               Type type) {
    const auto size = static_cast<std::ptrdiff_t>(size_of(type));
    copy_points(part.count, static_cast<const std::byte *>(from) + size * offset_in(from_box, part.start),
                type, contiguous(from_box.count),
                static_cast<std::byte *>(to) + size * offset_in(to_box, part.start), type,
                contiguous(to_box.count));
}

Exchanged exchange(const Crew &crew, const FieldLayout &f, const Plan &plan,
                   const std::vector<const void *> &mine, std::shared_ptr<void> owner, bool views,
                   Scratch &scratch) {
    const Type type = f.field.type;
    const auto result = std::make_shared<Exchanged>(scratch);
    make_places(f, plan, mine, views, *result);
    const auto memory = [&](const Leg &leg) { return const_cast<void *>(result->pieces[leg.to].points); };

    // Parts travel from where they lie to where they belong: MPI types say how, and nothing is packed.
    std::vector<MPI_Request> requests;
    for (const auto &leg : plan.receives)
        for (const auto &parcel : parcels(leg.part, type)) {
            const MessageType message(parcel, plan.to[leg.to], type);
            MPI_Irecv(message.in(memory(leg)), 1, message, leg.writer, exchange_tag, crew.comm(),
                      &requests.emplace_back());
        }
    for (const auto &leg : plan.sends)
        for (const auto &parcel : parcels(leg.part, type)) {
            const MessageType message(parcel, plan.from[leg.from], type);
            MPI_Isend(message.in(mine[leg.from]), 1, message, leg.writer, exchange_tag, crew.comm(),
                      &requests.emplace_back());
        }
    for (const auto &leg : plan.stays)
        if (result->pieces[leg.to].around.start.empty())
            copy_part(leg.part, plan.from[leg.from], mine[leg.from], plan.to[leg.to], memory(leg), type);
    crew.wait_all(requests, std::make_shared<std::pair<std::shared_ptr<void>, std::shared_ptr<void>>>(
                                std::move(owner), result));
    return std::move(*result);
}

} // namespace squall::io
