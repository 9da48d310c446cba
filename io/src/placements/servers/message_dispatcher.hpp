/// What the streams of a session share on a computing rank to speak with servers.
#pragma once

#include <deque>
#include <memory>
#include <set>
#include <vector>

#include "placements/servers/losses.hpp"
#include "placements/servers/mpi_messages.hpp"
#include "placements/servers/sender.hpp"
#include "placements/session_ranks.hpp"

namespace squall::io::servers {

/// A stream on its way to servers.
class MessageHandler {
  public:
    virtual ~MessageHandler() = default;
    virtual void hear(const Acknowledgement &message, int server) = 0;
    /// Lets go of frames that nobody needs any more.
    virtual void tidy() = 0;
    /// Adds the servers (by rank) that it waits for.
    virtual void add_awaited(std::set<int> &servers) const = 0;
    /// Adds the last frames that a group is known to have done.
    virtual void add_done(int group, FrameNumbers &done) const = 0;
    /// Adds frames that the lost group has published without having told.
    virtual void add_published(int group, std::map<std::int64_t, std::int64_t> &done) const = 0;
    /// A group is lost: others do its frames again.
    virtual void redo(const RedoMessage &message) = 0;
};

/// Takes in messages and hands them to their streams; looks whether the servers are there.
class MessageDispatcher {
  public:
    explicit MessageDispatcher(const SessionRanks &session_ranks);
    MessageDispatcher(const MessageDispatcher &) = delete;
    MessageDispatcher &operator=(const MessageDispatcher &) = delete;

    void add(MessageHandler *stream) { streams_.push_back(stream); }
    void remove(MessageHandler *stream) { std::erase(streams_, stream); }
    void poll();
    /// A group has closed a stream, by its number on the wire: this rank may be asked.
    void note_closed(int group, std::int64_t wire);

    const ServerRanks &server_ranks() const { return server_ranks_; }
    const Losses &losses() const { return losses_; }
    MpiMessages &messages() { return messages_; }

    /// A tag for messages of points that no other of this rank uses; to be given back when they are gone.
    int take_tag();
    void give_back_tag(int tag) { tags_.erase(tag); }

  private:
    void read_messages();
    void take_in(const ServerMessage &message, int from);
    void take_in_losses();

    ServerRanks server_ranks_;
    MpiMessages messages_;
    Losses losses_;
    Watch watch_;
    std::vector<MessageHandler *> streams_;              ///< in the order of opening
    std::deque<std::pair<int, std::int64_t>> closed_;    ///< group, wire
    std::vector<std::pair<LossMessage, int>> told_lost_; ///< not taken in yet, with who told it; -1: nobody
    std::set<int> tags_;                                 ///< in use
    int last_tag_ = first_points_tag;
};

} // namespace squall::io::servers
