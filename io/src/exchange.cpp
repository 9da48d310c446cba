#include "exchange.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "box.hpp"
#include "copy.hpp"

namespace squall::io {
namespace {

std::ptrdiff_t offset_in(const Box &box, const std::vector<std::int64_t> &at) {
    const auto strides = contiguous(box.count);
    std::ptrdiff_t offset = 0;
    for (std::size_t d = 0; d < at.size(); ++d) offset += strides[d] * (at[d] - box.start[d]);
    return offset;
}

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

/// Messages of an exchange: sends of packed parts, receives unpacked as they come.
class Mail {
  public:
    Mail(const Crew &crew, Type type) : crew_(crew), type_(type) {}

    void send(const Leg &leg, int to, const Box &box, const void *points) {
        auto &bytes = out_.emplace_back(size(leg.part));
        copy_part(leg.part, box, points, leg.part, bytes.data(), type_);
        MPI_Isend(bytes.data(), count(bytes.size()), MPI_BYTE, to, 0, crew_.comm(),
                  &requests_.emplace_back());
    }
    void receive(const Leg &leg, int from, Parcel &into) {
        std::vector<std::byte> bytes(size(leg.part));
        MPI_Request request;
        MPI_Irecv(bytes.data(), count(bytes.size()), MPI_BYTE, from, 0, crew_.comm(), &request);
        crew_.wait(request);
        copy_part(leg.part, leg.part, bytes.data(), into.box, into.points.get(), type_);
    }
    void finish() {
        for (auto &r : requests_) crew_.wait(r);
    }

  private:
    std::size_t size(const Box &box) const { return static_cast<std::size_t>(volume(box)) * size_of(type_); }
    static int count(std::size_t bytes) {
        if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max()))
            throw Error("a part of a field of more than 2 GiB must travel in one message; use more writers");
        return static_cast<int>(bytes);
    }

    const Crew &crew_;
    Type type_;
    std::vector<std::vector<std::byte>> out_;
    std::vector<MPI_Request> requests_;
};

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

std::vector<Parcel> exchange(const Crew &crew, const FieldLayout &f, const Holdings &from, const Holdings &to,
                             const std::vector<Piece> &mine) {
    const Type type = f.field.type;
    const auto legs = plan(from, to, crew.rank());
    std::vector<std::size_t> piece_of(from.size()), parcel_of(to.size());
    std::size_t pieces = 0;
    for (std::size_t a = 0; a < from.size(); ++a)
        if (from[a].writer == crew.rank()) piece_of[a] = pieces++;
    std::vector<Parcel> parcels;
    for (std::size_t b = 0; b < to.size(); ++b) {
        if (to[b].writer != crew.rank()) continue;
        parcel_of[b] = parcels.size();
        parcels.push_back({to[b].box, std::make_unique_for_overwrite<std::byte[]>(
                                          static_cast<std::size_t>(volume(to[b].box)) * size_of(type))});
    }

    Mail mail(crew, type);
    for (const auto &leg : legs) {
        if (from[leg.from].writer != crew.rank()) continue;
        const auto &piece = mine.at(piece_of[leg.from]);
        const int receiver = to[leg.to].writer;
        if (receiver != crew.rank()) {
            mail.send(leg, receiver, piece.box, piece.points);
        } else {
            auto &parcel = parcels[parcel_of[leg.to]];
            copy_part(leg.part, piece.box, piece.points, parcel.box, parcel.points.get(), type);
        }
    }
    for (const auto &leg : legs)
        if (to[leg.to].writer == crew.rank() && from[leg.from].writer != crew.rank())
            mail.receive(leg, from[leg.from].writer, parcels[parcel_of[leg.to]]);
    mail.finish();
    return parcels;
}

} // namespace squall::io
