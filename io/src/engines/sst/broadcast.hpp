/// A stream's engine of ADIOS2, in its relay.
#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "engines/sst/declaration.hpp"

namespace squall::io::sst {

class Broadcast {
  public:
    explicit Broadcast(Declaration declaration);
    ~Broadcast();

    /// Makes the address known, and waits for a first consumer if that is declared.
    void open();
    /// Hands a frame to ADIOS2; waits while the queue is full. `frame` and `fixed`: points as declared.
    void send(std::int64_t number, const std::byte *frame, const std::byte *fixed);
    /// Tells consumers that this is the end, and waits until they have what is there.
    void close();
    /// Nobody can join any more. From any thread.
    void withdraw();

  private:
    void announce();
    template <class T> void put(const std::string &name, const T *points);

    Declaration declaration_;
    adios2::ADIOS adios_;
    adios2::IO io_;
    adios2::Engine engine_;
    std::string own_;     ///< the name that ADIOS2 knows the stream by
    std::string contact_; ///< what is in the contact file
    std::string fault_;   ///< why it could not be written
    std::atomic<bool> announced_ = false;
    std::jthread announcer_;
};

} // namespace squall::io::sst
