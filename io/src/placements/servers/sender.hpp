/// What a computing rank says to a group of servers of the frames of one stream. It touches no point
/// and sends no MPI message itself.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "placements/servers/messages.hpp"

namespace squall::io::servers {

/// Who speaks to whom: the same for all streams of a session.
struct ServerRanks {
    int client = 0;                       ///< number of this computing rank among them
    int clients = 1;                      ///< how many there are
    std::vector<std::vector<int>> groups; ///< of servers: their ranks

    int home(int group) const {
        return home_of(client, clients, static_cast<int>(groups[static_cast<std::size_t>(group)].size()));
    }
};

/// How the points of a frame reach a server.
struct Passage {
    int messages = 0;         ///< 0: the server finds them in shared memory
    std::int64_t table = 0;   ///< there
    std::int64_t encoded = 0; ///< bytes of chunks in these messages
};

class Sender {
  public:
    Sender(MessageSender &messages, const ServerRanks &server_ranks, std::int64_t stream,
           std::uint64_t declaration, int group, std::shared_ptr<const ShareMaps> maps);

    /// To all servers of the group; on the first computing rank, before anything else.
    void declare(const Bytes &declaration);

    /// The plan for the boxes of a frame (per field). Those whom a new one concerns hear of it;
    /// `memory` says which memory is shared with a server (by rank): of the points, and of tables.
    /// Valid until the fourth new plan after it.
    using Memory = std::function<std::pair<SharedMemory, SharedMemory>(int server)>;
    const FramePlan &plan(bool per_frame, const std::vector<std::pair<int, Box>> &boxes,
                          const Memory &memory);

    /// Announces a frame to the servers that receive points of it (none without a plan), by `passage`
    /// (by rank), and to this rank's home. Returns their ranks: all of them will answer.
    std::vector<int> announce(const FramePlan *plan, std::int64_t number, Vote vote, int tag,
                              const std::function<Passage(int server, const ServerPlan &plan)> &passage);

    /// The stream ends. The home answers.
    void close();

  private:
    struct Route {
        int number = 0;
        bool per_frame = true;
        std::vector<std::pair<int, Box>> boxes;
        FramePlan plan;
    };
    const std::vector<int> &servers() const { return server_ranks_.groups[static_cast<std::size_t>(group_)]; }

    MessageSender &messages_;
    const ServerRanks &server_ranks_;
    std::int64_t stream_;
    std::uint64_t declaration_;
    int group_;
    std::shared_ptr<const ShareMaps> maps_;
    std::deque<Route> routes_; ///< the newest last
    int plans_ = 0;            ///< numbers given
};

} // namespace squall::io::servers
