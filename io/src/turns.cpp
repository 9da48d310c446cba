#include "turns.hpp"

namespace squall::io {
namespace {
constexpr int ready_tag = 1, go_tag = 2;
}

Turns::~Turns() {
    for (auto &s : sent_) crew_.wait(s.request);
}

void Turns::ready(const Ticket &ticket) {
    if (crew_.leads())
        count(ticket);
    else
        send(ticket, 0, ready_tag);
}

std::optional<Ticket> Turns::next() {
    if (crew_.size() > 1) receive();
    if (agreed_.empty()) return std::nullopt;
    const auto ticket = agreed_.front();
    agreed_.pop_front();
    return ticket;
}

void Turns::count(const Ticket &ticket) {
    if (++counts_[ticket] < crew_.size()) return;
    counts_.erase(ticket);
    agreed_.push_back(ticket);
    for (int r = 1; r < crew_.size(); ++r) send(ticket, r, go_tag);
}

void Turns::send(const Ticket &ticket, int to, int tag) {
    drop_sent();
    auto &s = sent_.emplace_back();
    s.code = {ticket.stream, ticket.number};
    MPI_Isend(s.code.data(), 2, MPI_INT64_T, to, tag, crew_.comm(), &s.request);
}

void Turns::drop_sent() {
    std::erase_if(sent_, [](Sent &s) {
        int done = 0;
        MPI_Test(&s.request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
}

void Turns::receive() {
    for (;;) {
        int waiting = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, crew_.leads() ? ready_tag : go_tag, crew_.comm(), &waiting, &status);
        if (!waiting) return;
        std::array<std::int64_t, 2> code{};
        MPI_Recv(code.data(), 2, MPI_INT64_T, status.MPI_SOURCE, status.MPI_TAG, crew_.comm(),
                 MPI_STATUS_IGNORE);
        const Ticket ticket{code[0], code[1]};
        if (crew_.leads())
            count(ticket);
        else
            agreed_.push_back(ticket);
    }
}

} // namespace squall::io
