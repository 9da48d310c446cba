/// What a server knows of frames that are on their way to it: who has spoken, what it has to expect of
/// whom, and who waits for its answer. It touches no point and sends no MPI message itself.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "placements/servers/frame_consensus.hpp"

namespace squall::io::servers {

/// A plan of a computing rank, as its server keeps it.
struct KnownPlan {
    ServerPlan plan;
    SharedMemory points, tables;
};

/// A frame message, with the plan it goes by.
struct Arrival {
    int client = 0;                         ///< computing rank
    std::shared_ptr<const KnownPlan> known; ///< null: nothing of the frame comes to this server
    FrameMessage message;
    double heard = 0; ///< when [s]
};

/// A topic of which all has been heard that there is to hear.
struct Heard {
    Topic topic;
    Vote verdict;
    std::vector<Arrival> arrivals; ///< those who have points for this server, and those at home here
    std::string missing;           ///< what of it has not come to this server, and from whom; "": nothing
};

/// Of one server.
class ServerQueue {
  public:
    /// `servers`: ranks (of all) of the group; this is number `me`. `clients`: ranks of the computing ranks.
    ServerQueue(MessageSender &messages, std::vector<int> servers, int me, std::vector<int> clients,
                double deadline);

    /// A stream, before anything else is heard of it: streams are declared in the order of their numbers,
    /// those that take the place of others (see client.cpp) in their own.
    void add(std::int64_t stream, std::uint64_t declaration, std::shared_ptr<const ShareMaps> maps);
    /// Whether a stream's messages can be heard: it was declared, though it may be gone.
    bool knows(std::int64_t stream) const;

    void hear(const PlanMessage &message, int client);
    void hear(const FrameMessage &message, int client, double now);
    void hear(const CloseMessage &message, int client, double now);
    void hear(const ConsensusMessage &message, int server, double now) {
        consensus_.hear(server, message, now);
    }

    /// The next topic, the same on all servers of the group, once everything is here. What is wrong
    /// with it stands in the verdict's fault, or in `missing` where messages have not come in time; then
    /// messages may be missing, and come late.
    std::optional<Heard> next();

    /// A message that came too late, or for a stream that is gone: its messages must be received, and go.
    std::optional<Arrival> late();

    /// Tells those who wait for it, and those at home here, what became of a topic that next() gave.
    void done(const Topic &topic, const Outcome &outcome, std::uint64_t stored_bytes);

    /// Speaks for the silent, and to those who have waited for long.
    void tick(double now);
    /// Tells all who are at home here or wait that this group cannot go on.
    void lost(int group, const std::string &reason);

    bool over() const { return over_; } ///< all computing ranks have closed the session
    std::size_t streams() const { return streams_.size(); }

  private:
    struct Stream {
        std::uint64_t declaration = 0;
        std::shared_ptr<const ShareMaps> maps;
        std::map<int, std::map<int, std::shared_ptr<const KnownPlan>>> plans; ///< by computing rank, number
        std::map<std::int64_t, Outcome> lost; ///< frames that failed, for messages that come late
    };
    struct Gathering {
        std::vector<Arrival> arrivals;
        std::vector<int> waiting; ///< computing ranks who wait for an answer
        std::vector<double> since;
        std::size_t with_points = 0;
        bool passed = false; ///< next() has given it
    };
    bool at_home(int client) const {
        return client >= consensus_.first() && client < consensus_.first() + consensus_.count();
    }
    void answer(int client, const Topic &topic, const Outcome &outcome, std::uint64_t stored_bytes);
    int index_of(int rank) const;
    void look_for_missing(double now);
    std::string without_message(const Topic &topic, const Gathering &gathering, std::size_t expected) const;

    /// A topic of which all have spoken.
    struct Ruled {
        Topic topic;
        Vote verdict;
        double first = 0; ///< when it was found to be the next one; 0: not yet
        std::string missing;
    };

    MessageSender &messages_;
    std::vector<int> clients_;
    FrameConsensus consensus_;
    double deadline_, looked_ = 0;
    std::map<std::int64_t, std::int64_t> last_declared_; ///< by generation
    std::map<std::int64_t, Stream> streams_;
    std::map<Topic, Gathering> gatherings_;
    std::deque<Ruled> verdicts_; ///< not given by next() yet
    std::deque<Arrival> late_;
    std::map<int, double> told_; ///< computing ranks: when this server last told them anything
    bool over_ = false;
};

} // namespace squall::io::servers
