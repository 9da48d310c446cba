/// What computing ranks and servers say to each other as MPI messages. Nothing here waits: a message is under
/// way while its sender goes on, and is taken in while its receiver does.
#pragma once

#include <deque>
#include <list>

#include <mpi.h>

#include "placements/servers/messages.hpp"

namespace squall::io::servers {

/// Of one rank. Messages of one sender arrive in the order in which they were sent.
class MpiMessages final : public MessageSender {
  public:
    explicit MpiMessages(MPI_Comm comm) : comm_(comm) {}
    /// Messages that are still under way are forgotten, with the memory that they lie in.
    ~MpiMessages() override;
    MpiMessages(const MpiMessages &) = delete;
    MpiMessages &operator=(const MpiMessages &) = delete;

    void send(const ServerMessage &message, int to) override;

    /// The next message that has arrived; false if there is none.
    bool receive(ServerMessage &message, int &from);

    /// Whether all messages have been taken in, but for those to ranks that `gone` names.
    bool delivered(const std::vector<int> &gone = {});

  private:
    struct Envelope {
        Bytes bytes;
        int rank = 0; ///< to or from
        MPI_Request request = MPI_REQUEST_NULL;
        bool arrived = false;
    };
    void tidy();

    MPI_Comm comm_;
    std::list<Envelope> out_;
    std::deque<Envelope> in_; ///< in the order of their coming
};

inline constexpr int message_tag = 10;
inline constexpr int return_tag = 11; ///< of a lost server that comes to the end of the program
inline constexpr int first_points_tag = 100, last_points_tag = 32767; ///< every MPI library has so many

} // namespace squall::io::servers
