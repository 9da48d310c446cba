#include "placements/servers/point_messages.hpp"

#include <algorithm>
#include <memory>

#include "common/box.hpp"
#include "drain/parcels.hpp"

namespace squall::io::servers {
namespace {

constexpr std::size_t small_bytes = Grain{}.least; ///< from here on parcels travel alone
constexpr std::size_t most_bytes = 1 << 20;        ///< of small ones together

/// A run of a part that travels in one message, alone or with others.
struct Parcel {
    const Region *region = nullptr;
    std::size_t f = 0;
    const Part *part = nullptr;
    Box box;
    Type type = Type::f32;
    std::size_t bytes() const { return static_cast<std::size_t>(volume(box)) * size_of(type); }
};

/// Calls send(parcels) for each message of a plan, in the same order with the same parcels on both ends.
template <class Send> void for_each_message(const ServerPlan &plan, const Layout &layout, Send send) {
    std::vector<Parcel> together;
    std::size_t bytes = 0;
    const auto flush = [&] {
        if (!together.empty()) send(together);
        together.clear();
        bytes = 0;
    };
    for (const auto &region : plan.regions)
        for (std::size_t f = 0; f < region.fields.size(); ++f) {
            const Type type = layout.staged(region.fields[f]).staged;
            for (const auto &part : region.parts)
                for (auto &box : parcels(part.box, type)) {
                    Parcel parcel{&region, f, &part, std::move(box), type};
                    const auto size = parcel.bytes();
                    if (size >= small_bytes) {
                        send(std::vector<Parcel>{std::move(parcel)});
                        continue;
                    }
                    if (bytes + size > most_bytes) flush();
                    bytes += size;
                    together.push_back(std::move(parcel));
                }
        }
    flush();
}

/// Calls start(address, type) for each message.
template <class Start>
void for_each_type(const ServerPlan &plan, const Layout &layout, const FindPlace &place, Start start) {
    for_each_message(plan, layout, [&](const std::vector<Parcel> &parcels) {
        std::vector<PlacedParcel> placed;
        for (const auto &p : parcels) {
            const auto where = place(*p.region, p.f, *p.part);
            placed.push_back({&p.box, where.box, where.points, p.type});
        }
        const MessageMemory memory(placed);
        start(memory.address(), memory.type());
    });
}

} // namespace

int messages_of(const ServerPlan &plan, const Layout &layout) {
    int n = 0;
    for_each_message(plan, layout, [&](const std::vector<Parcel> &) { ++n; });
    return n;
}

void send_points(const ServerPlan &plan, const Layout &layout, const FindPlace &place, int to, int tag,
                 MPI_Comm comm, std::vector<MPI_Request> &requests) {
    for_each_type(plan, layout, place, [&](const void *at, MPI_Datatype type) {
        MPI_Isend(at, 1, type, to, tag, comm, &requests.emplace_back());
    });
}

void receive_points(const ServerPlan &plan, const Layout &layout, const FindPlace &place, int from, int tag,
                    MPI_Comm comm, std::vector<MPI_Request> &requests) {
    for_each_type(plan, layout, place, [&](void *at, MPI_Datatype type) {
        MPI_Irecv(at, 1, type, from, tag, comm, &requests.emplace_back());
    });
}

Refuse::~Refuse() {
    for (auto &pile : piles_)
        if (pile.request != MPI_REQUEST_NULL) { // the memory goes, and with it the message
            MPI_Cancel(&pile.request);
            MPI_Request_free(&pile.request);
        }
    if (!kept_.empty()) new std::deque<Kept>(std::move(kept_)); // MPI may still write there
}

void Refuse::expect(int from, int tag, int messages) {
    if (messages > 0) piles_.push_back({from, tag, messages, {}, MPI_REQUEST_NULL});
}

void Refuse::keep(std::vector<MPI_Request> requests, std::vector<Memory> memory) {
    kept_.push_back({std::move(requests), std::move(memory)});
}

bool Refuse::work() {
    bool any = false;
    for (auto &pile : piles_) any |= work(pile);
    std::erase_if(piles_, [](const Pile &p) { return p.messages == 0; });
    std::erase_if(kept_, [](Kept &k) {
        int done = 0;
        MPI_Testall(static_cast<int>(k.requests.size()), k.requests.data(), &done, MPI_STATUSES_IGNORE);
        return done != 0;
    });
    idle_ = !any && std::ranges::all_of(piles_, [](const Pile &p) { return p.request == MPI_REQUEST_NULL; });
    return any;
}

bool Refuse::work(Pile &pile) const {
    if (pile.request == MPI_REQUEST_NULL) {
        int there = 0, size = 0;
        MPI_Message message;
        MPI_Status status;
        MPI_Improbe(pile.from, pile.tag, comm_, &there, &message, &status);
        if (!there) return false;
        MPI_Get_count(&status, MPI_PACKED, &size); // matches whatever it is of
        pile.points.resize(static_cast<std::size_t>(size));
        MPI_Imrecv(pile.points.data(), size, MPI_PACKED, &message, &pile.request);
    }
    int done = 0;
    MPI_Test(&pile.request, &done, MPI_STATUS_IGNORE);
    if (!done) return false;
    pile.points = {};
    --pile.messages;
    return true;
}

} // namespace squall::io::servers
