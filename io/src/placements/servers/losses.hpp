/// A group of servers that is lost, and what the computing ranks agree on then.
///
/// Whoever finds a server gone tells the servers of its group, which may wait for the goodbye of this rank,
/// and the first computing rank, which tells everybody unless it has closed the session. Each rank answers
/// which frames it knows to be done; the first one takes the last of these for each stream, since a frame
/// that any rank has heard to be done is done, and those after it are still held by all ranks that have
/// committed them: they may be done again. So a loss costs some messages per rank, and nothing else does.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/process.hpp"
#include "placements/servers/messages.hpp"

namespace squall::io::servers {

/// Finds out that a server is gone: at once if it is a process of this node that has ended, else when it
/// has been silent for longer than the deadline while this rank waited for it.
class Watch {
  public:
    Watch(const std::map<int, Process> &neighbours, double deadline)
        : neighbours_(neighbours), deadline_(deadline) {}

    void heard(int server) { silence_.erase(server); }
    /// Looks at servers (by rank) whose answer is awaited, now and then. Why one of them is taken for lost,
    /// with its rank; nothing if none is.
    std::optional<std::pair<int, std::string>> look(const std::function<std::set<int>()> &awaited,
                                                    double now);

  private:
    const std::map<int, Process> &neighbours_;
    double deadline_, looked_ = 0;
    /// Seconds of silence. Only time that this rank has spent listening counts.
    std::map<int, double> silence_;
};

/// Of one computing rank.
class Losses {
  public:
    /// `clients`: ranks of the computing ranks; this is number `me`. `groups`: of servers.
    Losses(MessageSender &messages, int me, std::vector<int> clients, std::vector<std::vector<int>> groups)
        : messages_(messages), me_(me), clients_(std::move(clients)), groups_(std::move(groups)) {}

    /// What this rank knows to be done by a group: the last frame of each stream.
    std::function<FrameNumbers(int group)> done_by;
    /// On the first computing rank, if it is set: what of a group's frames can be seen to be done, though the
    /// group could not tell any more. Adds to what all know to be done.
    std::function<void(int group, std::map<std::int64_t, std::int64_t> &done)> look;
    /// The frames after these are done again. Called once per lost group, on every rank, in the same order.
    std::function<void(const RedoMessage &)> redo;

    /// This rank finds out, or is told by a rank (-1: none).
    void lose(int group, const std::string &reason, int told_by = -1);
    void hear(const HoldMessage &message);
    void hear(const RedoMessage &message) { redo(message); }

    bool any() const { return !reasons_.empty(); }
    bool lost(int group) const { return reasons_.contains(group); }
    /// The group of a server.
    int group_of(int server) const;
    /// What happened, all of it.
    std::string what() const;

  private:
    int next_living(int group) const;

    MessageSender &messages_;
    int me_;
    std::vector<int> clients_;
    std::vector<std::vector<int>> groups_;
    std::map<int, std::string> reasons_; ///< by group
    struct Tally {
        std::size_t heard = 0;
        std::map<std::int64_t, std::int64_t> done;
    };
    std::map<int, Tally> tallies_; ///< on the first computing rank
    int generation_ = 0;
};

} // namespace squall::io::servers
