/// Frames of a network stream (engine `sst`) during a run. Part of Squall's output runtime.
///
///     squall::io::Subscriber live("runs/storm");
///     while (!live.ended())
///         if (const auto frame = live.next(60)) {
///             frame->read("T", 0, {{0, 0, 0}, {1, ny, nx}}, t.data());
///             ...
///         }
///
/// A consumer that joins, is slow or disappears does not slow the run down.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <mpi.h>

#include "squall/io.hpp"

namespace squall::io {

class Subscriber {
  public:
    /// `where`: a run directory with one such stream, the file that has the stream's address (`path` in its
    /// declaration), or that address, the file's second line. Does not wait: the run need not have started.
    /// Throws Error if this build lacks the engine. Needs no MPI.
    explicit Subscriber(const std::string &where);
    /// The same on several ranks, which get the same frames and read a box each. Each counts as a consumer.
    /// Collective, as are next() and release() then; on a duplicate of `comm`.
    Subscriber(const std::string &where, MPI_Comm comm);
    Subscriber(Subscriber &&) noexcept;
    Subscriber &operator=(Subscriber &&) noexcept;
    ~Subscriber(); ///< leaves the stream

    /// The next frame, as a file of one frame, which is number 0 to Reader::read; nothing if none has arrived
    /// within `seconds`, or the stream has ended. Releases the previous frame. Frames can be missing if this
    /// consumer, or another, was slower than the run: see the stream's `when_queue_full`. Throws Error if the
    /// run ended without closing the stream; a later call looks for a run that continues it.
    std::optional<Reader> next(double seconds);

    /// Releases the current frame, which must not be read afterwards, so that the run can free it.
    void release();

    bool ended() const;          ///< whether the run has closed the stream and all frames have been delivered
    std::int64_t number() const; ///< of the current frame in its stream, from 0; -1: none has arrived

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace squall::io
