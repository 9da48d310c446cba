/// The ranks of a session: who computes, who serves, and what they share.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include <mpi.h>

#include "agree/patience.hpp"
#include "common/process.hpp"
#include "drain/stream_ranks.hpp"
#include "squall/io.hpp"
#include "stage/arena.hpp"

namespace squall::io {

namespace servers {
class MessageDispatcher;
}

/// The servers that write a file together.
struct ServerGroup {
    std::vector<int> ranks; ///< of all ranks; writer n of the group is ranks[n]
};

struct SessionRanks {
    SessionSpec spec;
    MPI_Comm all = MPI_COMM_NULL;  ///< computing ranks and servers
    MPI_Comm comm = MPI_COMM_NULL; ///< of this rank's kind: the computing ranks, or a group of servers
    int rank = 0;                  ///< of all
    Patience patience{0, 0, 0};

    std::vector<ServerGroup> groups;
    std::vector<int> clients; ///< computing ranks, of all
    std::vector<char> shared; ///< per rank of all: whether memory is shared with it (client with server)
    std::map<int, Process>
        neighbours; ///< ranks of all on this node whose processes can be watched: servers; by servers all
    bool server = false;
    int group = 0; ///< of a server

    std::unique_ptr<StreamRanks> everybody; ///< of `comm`
    std::shared_ptr<Arena> arena;
    std::shared_ptr<servers::MessageDispatcher> dispatcher; ///< of placement servers, on a computing rank
    bool servers_lost = false; ///< then communicators with them are not freed: that might wait for them

    /// The memory of all streams of this rank, made when it is first asked for.
    std::shared_ptr<Arena> staging_memory();
};

/// The ranks that serve, of nodes each with its ranks: the last of each node, as many on each as can be.
/// Local; throws Error where nobody were left to compute.
std::vector<int> choose_servers(const SessionSpec &spec, const std::vector<std::vector<int>> &nodes);

/// Chooses the servers, and with them `comm`, `groups`, `clients`. Collective. Throws Error on all.
void set_servers_aside(SessionRanks &session_ranks);

/// Finds out which ranks are on this node, and with whom memory can be shared. Collective.
void meet_neighbours(SessionRanks &session_ranks);

} // namespace squall::io
