/// What the streams of a session share.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include "common/process.hpp"
#include "drain/drain.hpp"
#include "placements/placement.hpp"
#include "session/open_stream.hpp"
#include "session/tally.hpp"

namespace squall::io {

/// The servers that write a file together.
struct Group {
    std::vector<int> ranks; ///< of all ranks; writer n of the group is ranks[n]
};

/// What is kept of a stream that was closed: what the report needs.
struct StreamRecord {
    int number = 0; ///< in the order of opening
    Members *members = nullptr;
    StreamReport report; ///< of this rank: without what takes all ranks
    std::vector<Perceived> perceived;
    std::vector<Outcome> outcomes; ///< on the first computing rank, which writes the report
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

    /// The memory of all streams of this rank, made when it is first asked for.
    std::shared_ptr<Arena> staging_memory();
    /// What may make room come free for a stream. Throws Error for what is wrong with this one.
    void progress(OpenStream &own);
    /// Forgets a stream but for its record.
    void end(const OpenStream &stream);

    /// The members on `comm`. Collective over it the first time.
    Members &members_of(MPI_Comm comm);

    std::unique_ptr<Members> everybody;         ///< of `comm`
    std::vector<std::unique_ptr<Members>> some; ///< of streams that part of the ranks have opened
    std::shared_ptr<Arena> arena;
    std::vector<std::shared_ptr<OpenStream>> streams; ///< that are open, in the order of opening
    std::vector<StreamRecord> records;                ///< of those that were closed
    int opened = 0;
    std::shared_ptr<servers::Switchboard> switchboard; ///< of placement servers, on a computing rank
    bool servers_lost = false; ///< then communicators with them are not freed: that might wait for them
    bool closed = false;
};

/// Lets staging_use() find the session by its communicator.
void attach(SessionCore &core);

/// The ranks that serve, of nodes each with its ranks: the last of each node, as many on each as can be.
/// Local; throws Error where nobody were left to compute.
std::vector<int> choose_servers(const SessionSpec &spec, const std::vector<std::vector<int>> &nodes);

/// Chooses the servers, and with them `comm`, `groups`, `clients`. Collective. Throws Error on all.
void set_servers_aside(SessionCore &core);

/// Finds out which ranks are on this node, and with whom memory can be shared. Collective.
void meet_neighbours(SessionCore &core);

/// What each stream did; on rank 0 of the computing ranks. Writes the report file there. Collective.
std::vector<StreamReport> make_report(SessionCore &core);

/// What the report needs of a stream, as far as this rank knows it.
StreamRecord record_of(const OpenStream &stream);

} // namespace squall::io
