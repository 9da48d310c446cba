#include "exchange.hpp"

#include <algorithm>

#include "box.hpp"
#include "copy.hpp"
#include "parcels.hpp"

namespace squall::io {
namespace {

constexpr int exchange_tag = 3; ///< turns.cpp has 1 and 2

/// Part of one box of `from` that belongs to one box of `to`; indices count in the lists.
struct Leg {
    std::size_t from, to;
    Box part;
};

/// All legs in which this writer takes part, in the same order on both ends.
std::vector<Leg> plan(const Holdings &from, const Holdings &to, int rank) {
    std::vector<Leg> legs;
    for (std::size_t a = 0; a < from.size(); ++a)
        for (std::size_t b = 0; b < to.size(); ++b) {
            if (from[a].writer != rank && to[b].writer != rank) continue;
            auto part = intersection(from[a].box, to[b].box);
            if (volume(part) > 0) legs.push_back({a, b, std::move(part)});
        }
    return legs;
}

} // namespace

Box intersection(const Box &a, const Box &b) {
    Box common = a;
    for (std::size_t d = 0; d < a.start.size(); ++d) {
        common.start[d] = std::max(a.start[d], b.start[d]);
        const auto end = std::min(a.start[d] + a.count[d], b.start[d] + b.count[d]);
        common.count[d] = std::max(end - common.start[d], std::int64_t(0));
    }
    return common;
}

void copy_part(const Box &part, const Box &from_box, const void *from, const Box &to_box, void *to,
               Type type) {
    const auto size = static_cast<std::ptrdiff_t>(size_of(type));
    copy_points(part.count, static_cast<const std::byte *>(from) + size * offset_in(from_box, part.start),
                type, contiguous(from_box.count),
                static_cast<std::byte *>(to) + size * offset_in(to_box, part.start), type,
                contiguous(to_box.count));
}

std::pair<Scratch::Buffer, std::size_t> Scratch::take(std::size_t bytes) {
    const auto found = free_.lower_bound(bytes);
    if (found == free_.end() || found->first > bytes + bytes / 4) {
        free_.clear(); // fields of this size come in a row: what was left by others is not kept beside them
        return {std::make_unique_for_overwrite<std::byte[]>(bytes), bytes};
    }
    auto buffer = std::move(found->second);
    const auto size = found->first;
    free_.erase(found);
    return {std::move(buffer), size};
}

namespace {

/// Where this writer's boxes of `to` come to lie: in a box of its own that holds all of one, if
/// views are wanted, or in memory that is made for it.
Exchanged make_places(const FieldLayout &f, const Holdings &to, int rank, const std::vector<Piece> &mine,
                      bool views, Scratch &scratch) {
    Exchanged result(scratch);
    for (const auto &share : to) {
        if (share.writer != rank) continue;
        const auto holder = std::ranges::find_if(
            mine, [&](const Piece &p) { return intersection(p.box, share.box) == share.box; });
        if (views && !share.box.start.empty() && f.field.type != Type::character && holder != mine.end())
            result.pieces.push_back({share.box, holder->points, holder->box});
        else
            result.pieces.push_back({share.box, result.make(static_cast<std::size_t>(volume(share.box)) *
                                                            size_of(f.field.type))});
    }
    return result;
}

/// Numbers of the boxes of a writer, counted among its own.
std::vector<std::size_t> number(const Holdings &holdings, int rank) {
    std::vector<std::size_t> numbers(holdings.size());
    std::size_t n = 0;
    for (std::size_t i = 0; i < holdings.size(); ++i)
        if (holdings[i].writer == rank) numbers[i] = n++;
    return numbers;
}

} // namespace

Exchanged exchange(const Crew &crew, const FieldLayout &f, const Holdings &from, const Holdings &to,
                   const std::vector<Piece> &mine, bool views, Scratch &scratch) {
    const Type type = f.field.type;
    const auto legs = plan(from, to, crew.rank());
    const auto piece_of = number(from, crew.rank()), place_of = number(to, crew.rank());
    auto result = make_places(f, to, crew.rank(), mine, views, scratch);
    const auto place = [&](const Leg &leg) -> const Piece & { return result.pieces[place_of[leg.to]]; };
    const auto memory = [&](const Leg &leg) { return const_cast<void *>(place(leg).points); }; // made above

    // Parts travel from where they lie to where they belong: MPI types say how, and nothing is packed.
    std::vector<MPI_Request> requests;
    for (const auto &leg : legs) {
        const int sender = from[leg.from].writer, receiver = to[leg.to].writer;
        if (receiver != crew.rank() || sender == crew.rank()) continue;
        for (const auto &parcel : parcels(leg.part, type)) {
            const MessageType message(parcel, place(leg).box, type);
            MPI_Irecv(message.in(memory(leg)), 1, message, sender, exchange_tag, crew.comm(),
                      &requests.emplace_back());
        }
    }
    for (const auto &leg : legs) {
        if (from[leg.from].writer != crew.rank()) continue;
        const auto &piece = mine.at(piece_of[leg.from]);
        const int receiver = to[leg.to].writer;
        if (receiver != crew.rank()) {
            for (const auto &parcel : parcels(leg.part, type)) {
                const MessageType message(parcel, piece.box, type);
                MPI_Isend(message.in(piece.points), 1, message, receiver, exchange_tag, crew.comm(),
                          &requests.emplace_back());
            }
        } else if (place(leg).around.start.empty()) {
            copy_part(leg.part, piece.box, piece.points, place(leg).box, memory(leg), type);
        }
    }
    for (auto &request : requests) crew.wait(request);
    return result;
}

} // namespace squall::io
