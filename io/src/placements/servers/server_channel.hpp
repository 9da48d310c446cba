/// The way of a stream's frames from a computing rank to one group of servers.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "placements/placement.hpp"
#include "placements/servers/encoded.hpp"
#include "placements/servers/message_dispatcher.hpp"

namespace squall::io::servers {

/// A frame stays in the stage until the servers have answered. Servers on the same node read it there; to
/// the others it is sent.
class ServerChannel {
  public:
    /// `wire`: the stream's number on this channel, which no other channel has.
    ServerChannel(SessionRanks &session_ranks, const PlacedStream &stream, int group, std::int64_t wire,
                  const std::shared_ptr<const ShareMaps> &maps);
    ~ServerChannel();
    ServerChannel(const ServerChannel &) = delete;
    ServerChannel &operator=(const ServerChannel &) = delete;

    int group() const { return group_; }
    std::int64_t wire() const { return wire_; }

    /// To a group that is lost nothing is sent: the frame waits for redo.
    void commit(std::unique_ptr<StagedHere> frame, double committed);
    void close();      ///< no frame comes any more; may be said again
    bool idle() const; ///< whether it is known of all frames what became of them
    bool over() const { return closed_ && frames_.empty(); }

    void hear(const Acknowledgement &message, int server);
    void tidy();
    void add_awaited(std::set<int> &servers) const;
    /// The last frame that its home said to be done.
    std::int64_t last_done() const { return last_done_; }
    std::uint64_t stored_bytes() const { return stored_bytes_; }
    /// "rank 3 (I/O server) to store frame ..."; "" if nobody is waited for.
    std::string awaiting() const;

    /// The last frame after `done` that readers see: the group may be lost between publishing it and telling.
    std::int64_t last_published(std::int64_t done) const;
    /// The group is lost. Returns the frames after `done`, in their order, with the times of their
    /// commits: others do them.
    std::vector<std::pair<std::unique_ptr<StagedHere>, double>> give_up(std::int64_t done);
    /// The group is lost, if it is, and nobody takes its place. Returns the frames of which it has told
    /// nothing, in their order; they are let go.
    std::vector<Outcome> forsake();

  private:
    /// A frame, or the fields fixed in time, that servers still need.
    struct UnderWay {
        std::unique_ptr<StagedHere> frame; ///< null: the fixed fields, which the stream keeps
        Memory table;                      ///< where its blocks are, for servers that see them
        std::vector<Memory> bundles;       ///< of chunks that were compressed here
        std::vector<int> awaited;          ///< servers that have not answered
        std::vector<MPI_Request> requests;
        int tag = 0; ///< of the messages; 0: none
        double committed = 0;
        double answered = 0;      ///< when all servers had; 0: they have not
        bool told = false;        ///< what became of it
        std::string file;         ///< that it is for
        std::int64_t in_file = 0; ///< number in it
    };
    /// What a server gets of a frame compressed.
    struct Bundle {
        Split split;
        const std::byte *bytes = nullptr;
        std::int64_t size = 0;
    };
    using Bundles = std::map<const ServerPlan *, Bundle>;

    void send(UnderWay &under_way, StagedHere &staged, std::int64_t number);
    Bundles encode(UnderWay &under_way, const StagedHere &staged, const FramePlan &plan, bool in_table);
    bool behind(std::int64_t number) const;
    bool holds_both(int server) const;
    const FramePlan &plan_for(const StagedHere &staged, bool per_frame);
    bool write_table(UnderWay &under_way, const StagedHere &staged, const FramePlan &plan);
    bool sees(int server) const { return session_ranks_.shared[static_cast<std::size_t>(server)] != 0; }
    int rank_of(int server) const;
    void abandon(UnderWay &under_way);
    bool nobody_wants(UnderWay &under_way) const;
    static Outcome outcome_of(const UnderWay &under_way);

    SessionRanks &session_ranks_;
    const PlacedStream &stream_;
    MessageDispatcher &dispatcher_;
    int group_;
    std::int64_t wire_;
    std::shared_ptr<Pool> tables_; ///< of the blocks' places, for servers of this node
    std::vector<std::size_t>
        bytes_at_; ///< per server: of its part of a frame, twice, and of the fixed fields
    Sender sender_;
    std::unique_ptr<Encoder> encoder_; ///< of chunks before they are sent; null: servers do it
    bool encodes_always_ = false;      ///< else while servers are behind
    bool fixed_sent_ = false, close_said_ = false, closed_ = false;
    std::map<std::int64_t, UnderWay> frames_; ///< by number
    std::string file_;                        ///< that the last frame is for
    std::int64_t file_number_ = -1, first_in_file_ = 0;
    std::int64_t last_done_ = fixed_number;
    std::uint64_t stored_bytes_ = 0;
};

} // namespace squall::io::servers
