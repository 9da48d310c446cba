/// What the streams of a session share.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include "drain.hpp"
#include "log.hpp"
#include "placement.hpp"
#include "process.hpp"

namespace squall::io {

/// The servers that write a file together.
struct Group {
    std::vector<int> ranks; ///< of all ranks; writer n of the group is ranks[n]
};

/// A stream for the report.
struct StreamEntry {
    std::shared_ptr<const Layout> layout;
    std::shared_ptr<StreamLog> log;
    std::shared_ptr<Room> room;
    std::shared_ptr<Placement> placement;
};

namespace servers {
class Switchboard;
}

struct SessionCore {
    SessionCore(MPI_Comm comm, SessionSpec session);
    ~SessionCore();
    SessionCore(const SessionCore &) = delete;
    SessionCore &operator=(const SessionCore &) = delete;

    SessionSpec spec;
    MPI_Comm all = MPI_COMM_NULL;  ///< computing ranks and servers
    MPI_Comm comm = MPI_COMM_NULL; ///< of this rank's kind: the computing ranks, or a group of servers
    int rank = 0;                  ///< of all
    double started = 0;            ///< [s since the epoch of the system's clock]
    Patience patience{0, 0, 0};

    std::vector<Group> groups;
    std::vector<int> clients; ///< computing ranks, of all
    std::vector<char> shared; ///< per rank of all: whether memory is shared with it (client with server)
    std::map<int, Process>
        neighbours; ///< servers (ranks of all) of this node, whose processes can be watched
    bool server = false;
    int group = 0; ///< of a server

    std::unique_ptr<Drain> drain;                      ///< of `comm`
    std::vector<StreamEntry> streams;                  ///< in the order of opening
    std::shared_ptr<servers::Switchboard> switchboard; ///< of placement servers, on a computing rank
    bool servers_lost = false; ///< then communicators with them are not freed: that might wait for them
    bool closed = false;
};

/// Chooses the servers, and with them `comm`, `groups`, `clients`. Collective. Throws Error on all.
void set_servers_aside(SessionCore &core);

/// Finds out which ranks are on this node, and with whom memory can be shared. Collective.
void meet_neighbours(SessionCore &core);

/// What each stream did; on rank 0 of the computing ranks. Writes the report file there. Collective.
std::vector<StreamReport> make_report(const SessionCore &core);

} // namespace squall::io
