/// Agreement on what comes next, among writers whose work becomes ready in different orders.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>

#include "crew.hpp"

namespace squall::io {

/// A piece of work for all writers together: what a stream's number says.
struct Ticket {
    std::int64_t stream = 0, number = 0;
    friend auto operator<=>(const Ticket &, const Ticket &) = default;
};

/// Hands out, on every writer in the same order, the tickets that are ready on all. Nobody ever
/// waits for a rank's model: what is ready elsewhere goes first. Local calls, one thread; messages
/// are a few bytes to and from writer 0.
class Turns {
  public:
    explicit Turns(const Crew &crew) : crew_(crew) {}
    ~Turns();
    Turns(const Turns &) = delete;
    Turns &operator=(const Turns &) = delete;

    /// This writer is ready for the ticket.
    void ready(const Ticket &ticket);
    /// The next ticket, if one is ready on all as far as is known by now.
    std::optional<Ticket> next();

  private:
    void send(const Ticket &ticket, int to, int tag);
    void count(const Ticket &ticket);
    void receive();
    void drop_sent();

    struct Sent {
        std::array<std::int64_t, 2> code;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    const Crew &crew_;
    std::map<Ticket, int> counts_; ///< on writer 0: who is ready
    std::deque<Ticket> agreed_;
    std::list<Sent> sent_;
};

} // namespace squall::io
