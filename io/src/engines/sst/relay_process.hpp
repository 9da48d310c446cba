/// A relay, seen from the stream's first writer. Nothing here waits for it but ended().
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include <sys/types.h>

#include "engines/sst/wire.hpp"

namespace squall::io::sst {

class RelayProcess {
  public:
    /// Starts the program. Throws Error.
    RelayProcess();
    /// A relay that still runs ends at once.
    ~RelayProcess();
    RelayProcess(const RelayProcess &) = delete;
    RelayProcess &operator=(const RelayProcess &) = delete;

    void send(const WireMessage &message);
    /// Takes in what it has said.
    void listen();

    bool opened() const { return opened_; } ///< can be joined, or has its first consumer
    bool lost() const { return lost_; }     ///< ended by itself
    const std::string &why() const { return why_; }
    bool took_any() const { return took_any_; }
    /// Frames that it has not taken yet.
    const std::deque<std::int64_t> &under_way() const { return under_way_; }
    /// Seconds since which it has been busy with the first of them; 0: there is none.
    double busy() const;

    /// No frame comes any more; consumers have so many seconds to take what there is.
    void say_goodbye(double seconds);
    bool knows() const { return said_goodbye_; }
    /// Waits so long for its end. Whether it has ended.
    bool ended(double seconds);

  private:
    pid_t process_ = -1;
    int socket_ = -1;
    bool opened_ = false, lost_ = false, said_goodbye_ = false, took_any_ = false, reaped_ = false;
    double since_ = 0; ///< when it took the last frame, got the first, or opened, whichever is latest
    std::string why_;
    std::deque<std::int64_t> under_way_;
};

} // namespace squall::io::sst
