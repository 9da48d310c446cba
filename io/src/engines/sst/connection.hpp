/// A consumer's connection to a network stream.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "engines/adios/adios.hpp"

namespace squall::io::sst {

/// ADIOS2 answers who joins when the run sends its next frame, and until then does not come back: so it is
/// asked by a thread, which is left to itself if it takes too long.
class Connection : public std::enable_shared_from_this<Connection> {
  public:
    /// Begins to connect to what a contact file says.
    static std::shared_ptr<Connection> begin(const std::string &contact);

    enum class State { opening, open, failed };
    /// Waits so many seconds while it is opening.
    State wait(double seconds);
    const std::string &contact() const { return contact_; }

    // While it is open:
    adios2::StepStatus next(double seconds);
    void end_step();
    adios2::IO &io() { return io_; }
    adios2::Engine &engine() { return engine_; }

    /// Says goodbye, for which the other side gets a moment.
    void leave();

  private:
    explicit Connection(std::string contact) : contact_(std::move(contact)) {}
    void open();

    std::string contact_;
    std::mutex mutex_;
    std::condition_variable changed_;
    State state_ = State::opening;
    bool left_ = false, in_step_ = false, closed_ = false;
    adios2::ADIOS adios_;
    adios2::IO io_;
    adios2::Engine engine_;
};

} // namespace squall::io::sst
