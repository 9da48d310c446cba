#include "placements/servers/mpi_messages.hpp"

#include <algorithm>

namespace squall::io::servers {

MpiMessages::~MpiMessages() {
    tidy();
    if (!out_.empty()) new std::list<Envelope>(std::move(out_)); // MPI may still read them
    for (auto &e : in_) {
        if (e.arrived) continue;
        MPI_Cancel(&e.request);
        MPI_Request_free(&e.request);
    }
    if (!in_.empty()) new std::deque<Envelope>(std::move(in_));
}

void MpiMessages::send(const ServerMessage &message, int to) {
    tidy();
    auto &envelope = out_.emplace_back();
    envelope.bytes = pack(message);
    envelope.rank = to;
    MPI_Isend(envelope.bytes.data(), static_cast<int>(envelope.bytes.size()), MPI_BYTE, to, message_tag,
              comm_, &envelope.request);
}

void MpiMessages::tidy() {
    std::erase_if(out_, [](Envelope &e) {
        int done = 0;
        MPI_Test(&e.request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
}

bool MpiMessages::delivered(const std::vector<int> &gone) {
    tidy();
    return std::ranges::all_of(
        out_, [&](const Envelope &e) { return std::ranges::find(gone, e.rank) != gone.end(); });
}

bool MpiMessages::receive(ServerMessage &message, int &from) {
    for (;;) {
        int there = 0, size = 0;
        MPI_Message coming;
        MPI_Status status;
        MPI_Improbe(MPI_ANY_SOURCE, message_tag, comm_, &there, &coming, &status);
        if (!there) break;
        MPI_Get_count(&status, MPI_BYTE, &size);
        auto &envelope = in_.emplace_back();
        envelope.bytes.resize(static_cast<std::size_t>(size));
        envelope.rank = status.MPI_SOURCE;
        // A long message needs its sender's help, who may be computing: it is not waited for.
        MPI_Imrecv(envelope.bytes.data(), size, MPI_BYTE, &coming, &envelope.request);
    }
    std::vector<int> behind; // senders whose earlier messages have not arrived
    for (auto at = in_.begin(); at != in_.end(); ++at) {
        int done = 0;
        if (std::ranges::find(behind, at->rank) != behind.end()) continue;
        MPI_Test(&at->request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            behind.push_back(at->rank);
            continue;
        }
        from = at->rank;
        message = unpack_message(at->bytes);
        in_.erase(at);
        return true;
    }
    return false;
}

} // namespace squall::io::servers
