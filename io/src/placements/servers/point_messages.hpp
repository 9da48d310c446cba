/// How points travel from a computing rank to a server where they share no memory.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include <mpi.h>

#include "declare/layout.hpp"
#include "placements/servers/server_plan.hpp"
#include "stage/memory.hpp"

namespace squall::io::servers {

/// Memory of a box: where a part lies in, on one end.
struct Place {
    const Box *box = nullptr;
    std::byte *points = nullptr;
};
/// The place of a part of a region's field, which is number `f` in it.
using FindPlace = std::function<Place(const Region &region, std::size_t f, const Part &part)>;

/// The number of messages in which what a plan says travels. Large parts travel in several, small ones
/// together, so that there are as many as the bytes ask for, not as the fields do.
int messages_of(const ServerPlan &plan, const Layout &layout);

/// Starts these messages, on one end and the other.
void send_points(const ServerPlan &plan, const Layout &layout, const FindPlace &place, int to, int tag,
                 MPI_Comm comm, std::vector<MPI_Request> &requests);
void receive_points(const ServerPlan &plan, const Layout &layout, const FindPlace &place, int from, int tag,
                    MPI_Comm comm, std::vector<MPI_Request> &requests);

/// Receives messages that nobody wants, so that whoever sent them can go on.
class Refuse {
  public:
    explicit Refuse(MPI_Comm comm) : comm_(comm) {}
    ~Refuse();
    Refuse(const Refuse &) = delete;
    Refuse &operator=(const Refuse &) = delete;

    void expect(int from, int tag, int messages);
    /// Receives that cannot be given up any more: their memory is kept until they are through.
    void keep(std::vector<MPI_Request> requests, std::vector<Memory> memory);
    bool work(); ///< whether anything came; local
    /// Whether nothing is there to be received. What was expected may never come.
    bool idle() const { return idle_; }

  private:
    struct Kept {
        std::vector<MPI_Request> requests;
        std::vector<Memory> memory;
    };
    struct Pile {
        int from = 0, tag = 0, messages = 0; ///< still to come
        std::vector<std::byte> points;       ///< of the one under way
        MPI_Request request = MPI_REQUEST_NULL;
    };
    bool work(Pile &pile) const;

    MPI_Comm comm_;
    std::deque<Pile> piles_;
    std::deque<Kept> kept_;
    bool idle_ = true;
};

} // namespace squall::io::servers
