/// What computing ranks and servers say to each other, each in one MPI message of a few bytes.
///
///     computing rank -> server   declare    a stream, once, from the first rank to all servers
///                                plan       which boxes this rank's frames have, whenever they change
///                                frame      a frame is on its way: to the servers that receive points of
///                                           it, and to the rank's home, which also hears whom to ask
///                                close      the rank has closed the stream; goodbye: the session
///     server -> server           consensus  see frame_consensus.hpp
///     server -> computing rank   done       a frame: its memory may be used again; a stream is closed
///                                alive      nothing else to say for a while
///     anybody -> anybody         lost       a group of servers cannot go on: see losses.hpp
///     computing ranks            hold, redo what becomes of its frames
///
/// Each computing rank has one home in each group: the server that speaks for it and tells it what
/// became of its frames.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "declare/declaration.hpp"
#include "drain/drain.hpp"
#include "placements/servers/server_plan.hpp"

namespace squall::io::servers {

/// Something that all computing ranks speak of: a frame of a stream by its number, or one of the below.
struct Topic {
    std::int64_t stream = 0, number = 0;
    friend auto operator<=>(const Topic &, const Topic &) = default;
};
inline constexpr std::int64_t fixed_number = -1; ///< the fields fixed in time
inline constexpr std::int64_t close_number = std::numeric_limits<std::int64_t>::max(); ///< the stream's end
/// Numbers of streams that others have taken over begin at a multiple of this, for each lost group another.
inline constexpr std::int64_t generation_step = 1 << 24;
inline constexpr std::int64_t session_stream = -1; ///< the stream whose end is that of the session

/// What a computing rank, or several together, say of a topic.
struct Vote {
    Time time;
    std::uint64_t declaration = 0; ///< hash of the stream's declaration
    int speaker =
        -1; ///< lowest of the computing ranks who say so; -1: none, others speak for one that is silent
    bool skipped = false;                   ///< there was no room, and the stream may skip
    std::string fault;                      ///< what is wrong with it, with the rank
    std::shared_ptr<const ClientFile> file; ///< see Staged
    std::int64_t in_file = 0;
    bool ends_file = false;
    std::vector<std::pair<int, int>>
        messages; ///< server (by number in the group) and how many frame messages it gets
};

struct DeclareMessage {
    std::int64_t stream = 0;
    Bytes declaration;
};

/// Memory of a computing rank that servers of its node can map.
struct SharedMemory {
    std::int64_t process = 0, descriptor = -1, bytes = 0; ///< descriptor -1: there is none
};

struct PlanMessage {
    std::int64_t stream = 0;
    std::uint64_t declaration = 0;
    int plan = 0;          ///< number, from 1
    bool per_frame = true; ///< of frames, or of the fields fixed in time
    SharedMemory points, tables;
    ServerPlan regions; ///< without parts, which the server finds; no fields: all that the map has
};

struct FrameMessage {
    Topic topic;
    Time time;
    std::uint64_t declaration = 0;
    int plan = 0;     ///< what the server gets of it; 0: nothing
    int messages = 0; ///< in which points and chunks travel; 0: they lie in shared memory
    int tag = 0; ///< of these messages, used by no other message of the rank as long as they are under way
    std::int64_t table = 0; ///< in shared memory, bytes from its beginning: where the blocks of the frame are
    std::int64_t encoded = 0; ///< bytes of chunks that the rank has compressed (encoded.hpp); 0: it has not
    bool to_home = false;
    Vote vote; ///< to the home only
};

struct CloseMessage {
    std::int64_t stream = 0; ///< session_stream: the session ends
};

struct Acknowledgement {
    std::int64_t stream = 0, number = 0;
    bool from_home = false; ///< then the outcome is told, else only that memory is free
    Outcome outcome;
    std::uint64_t stored_bytes = 0; ///< with close_number, from the first server of a group
};

struct Heartbeat {};

/// A group of servers cannot go on.
struct LossMessage {
    int group = 0;
    std::string reason;
};

/// Per stream, the number of a frame.
using FrameNumbers = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// To the first computing rank: the last frame of each stream that the group is known to have done.
struct HoldMessage {
    int group = 0;
    FrameNumbers done;
};

/// From the first computing rank: the last frame of each stream that anybody knows to be done. Those
/// after it are done again by others.
struct RedoMessage {
    int group = 0;
    int target = -1;    ///< the group that takes its place; -1: the computing ranks
    int generation = 0; ///< how many groups have been lost
    FrameNumbers done;
};

struct ConsensusMessage {
    enum class Kind { up, down, nudge };
    Kind kind = Kind::up;
    Topic topic;
    Vote vote;
    std::int64_t place = 0; ///< of a verdict, in the order of all
};

using ServerMessage = std::variant<DeclareMessage, PlanMessage, FrameMessage, CloseMessage, Acknowledgement,
                                   Heartbeat, LossMessage, HoldMessage, RedoMessage, ConsensusMessage>;

Bytes pack(const ServerMessage &message);
/// Throws Error on bytes that are no message.
ServerMessage unpack_message(const Bytes &bytes);

/// Whether two times are the same.
bool same(const Time &a, const Time &b);

/// The home of a computing rank in a group of `servers`, by its number in the group.
inline int home_of(int client, int clients, int servers) {
    return static_cast<int>(static_cast<std::int64_t>(client) * servers / clients);
}
/// The first computing rank whose home a server is, or would be.
inline int first_at_home(int server, int clients, int servers) {
    return static_cast<int>((static_cast<std::int64_t>(server) * clients + servers - 1) / servers);
}

/// Hands messages over to whoever carries them.
class MessageSender {
  public:
    virtual ~MessageSender() = default;
    virtual void send(const ServerMessage &message, int to) = 0; ///< by rank of all; local
};

} // namespace squall::io::servers
