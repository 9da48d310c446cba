/// What computing ranks and servers say to each other.
///
///     client -> server   a header per frame: which boxes it has, and where their points are; then,
///                        where memory is not shared, one message per part of a box
///     server -> client   the frame is done: its memory may be used again
///
/// The first computing rank also sends every server the declaration of each stream.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "declaration.hpp"
#include "drain.hpp"
#include "layout.hpp"

namespace squall::io {

enum WireTag : int { header_tag = 10, done_tag, declare_tag, points_tag = 100 };
/// Points of each stream travel under a tag of their own: they are received in the order of their headers.
inline int points_tag_of(int stream) { return points_tag + stream; }

/// A box in a client's staging memory.
struct Offer {
    int field = 0;
    Box box;
    std::int64_t offset = 0; ///< bytes, in shared memory
};

struct Header {
    enum class Kind { frame, close, goodbye };
    Kind kind = Kind::frame;
    int stream = 0;
    std::uint64_t declaration = 0; ///< hash of the stream's declaration
    std::int64_t number = 0;
    Time time;
    std::string fault;
    bool skipped = false;
    std::int64_t process = 0, descriptor = -1, memory = 0; ///< of shared memory, and its length
    std::vector<Offer> offers;
    bool with_fixed = false;
    std::vector<Offer> fixed; ///< with the first frame to each group
};

/// What a server says of a frame, or of a stream's end.
struct Done {
    int stream = 0;
    bool closed = false; ///< the stream is closed; else a frame is done
    Outcome outcome;
    bool leads = false; ///< from the server whose words count: all of a group have the same
    std::uint64_t stored_bytes = 0;
};

Bytes pack(const Header &header);
Bytes pack(const Done &done);
Header unpack_header(const Bytes &bytes);
Done unpack_done(const Bytes &bytes);

/// Messages to others that go on their way while we do other things.
class Outbox {
  public:
    explicit Outbox(MPI_Comm comm) : comm_(comm) {}
    void send(Bytes bytes, int to, int tag);
    /// Lets go of what has arrived.
    void tidy();
    bool empty() const { return letters_.empty(); }

  private:
    struct Letter {
        Bytes bytes;
        MPI_Request request = MPI_REQUEST_NULL;
    };
    MPI_Comm comm_;
    std::vector<Letter> letters_;
};

/// Receives a waiting message of this tag from anybody; false if there is none.
bool receive(MPI_Comm comm, int tag, Bytes &bytes, int &from);

} // namespace squall::io
