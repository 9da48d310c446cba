/// What all computing ranks say of a frame, known to every server of a group.
///
/// Each server hears the computing ranks whose home it is. When all have spoken of a topic it passes
/// their votes, made one, up a tree of the servers; from its root the verdict comes down, to all
/// servers in the same order. So nobody hears everybody, and per topic a server sends and receives
/// a handful of messages.
///
/// A rank that has closed the stream, or is silent for longer than the deadline, is spoken for: with a
/// fault that names it.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "placements/servers/messages.hpp"

namespace squall::io::servers {

/// On one server of a group. Local; what it says goes by a MessageSender. Times in seconds, of any clock.
class FrameConsensus {
  public:
    /// `servers`: the group's ranks; this is number `me` of them. `deadline` 0: for ever.
    FrameConsensus(MessageSender &messages, std::vector<int> servers, int me, int clients, double deadline);

    int me() const { return me_; }
    int first() const { return first_; }                                ///< computing rank at home here
    int count() const { return static_cast<int>(voices_) - children_; } ///< how many are

    /// A computing rank of this home speaks.
    void speak(int client, const Topic &topic, Vote vote, double now);
    /// A message from server number `from` of the group. Throws Error where the verdict before it is lost:
    /// this server can no longer go with the others.
    void hear(int from, const ConsensusMessage &message, double now);
    /// Speaks for those who are silent for too long. To be called now and then.
    void tick(double now);

    /// The verdicts, in the same order on every server: topics of which all have spoken.
    std::optional<std::pair<Topic, Vote>> next();

  private:
    struct Poll {
        std::vector<std::optional<Vote>> votes; ///< by voice
        std::size_t heard = 0;
        double begun = 0;
        bool nudged = false;
    };
    void take(std::size_t voice, const Topic &topic, Vote vote, double now);
    Poll &poll_of(const Topic &topic, double now);
    void close(std::size_t voice, const Topic &topic);
    std::int64_t last_vote(std::size_t voice, std::int64_t stream) const;
    void fall_silent(std::size_t voice, const Topic &topic);
    bool is_late(const Topic &topic) const;
    void finish_complete();
    void rule(const Topic &topic, Vote verdict);
    void require_in_order(int from, const ConsensusMessage &verdict) const;
    std::string name(std::size_t voice) const;
    int child(int n) const;
    int member_under(int member) const;
    bool has_clients(int member) const;

    MessageSender &messages_;
    std::vector<int> servers_;
    int me_, clients_, first_ = 0, children_ = 0;
    std::size_t voices_ = 0;          ///< computing ranks at home here, then the servers below this one
    std::vector<std::size_t> silent_; ///< voices that are nobody's
    double deadline_, looked_ = 0;
    std::map<Topic, Poll> polls_;
    std::map<std::int64_t, std::int64_t> passed_;      ///< per stream: number of the last topic passed on
    std::map<std::int64_t, std::vector<char>> closed_; ///< per stream: voices that have closed it
    std::map<std::int64_t, std::vector<std::int64_t>> spoken_; ///< per stream and voice: of what last
    std::deque<std::pair<Topic, Vote>> verdicts_;
    std::int64_t ruled_ = 0; ///< verdicts so far
};

/// What several say, made one. In the order of their speakers; of the others each is held against the first.
Vote merge(std::vector<Vote> votes);

} // namespace squall::io::servers
