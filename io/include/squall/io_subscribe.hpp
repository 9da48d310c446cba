/// Frames of a network stream (engine `sst`), while a run makes them. Part of Squall's output runtime.
///
///     squall::io::Subscriber live("runs/storm");
///     while (!live.ended())
///         if (const auto frame = live.next(60)) {
///             frame->read("T", 0, {{0, 0, 0}, {1, ny, nx}}, t.data());
///             ...
///         }
///
/// Joining costs the run nothing, and neither does being slow, or going without a word.
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
    /// declaration), or that address, the file's second line. Waits for nothing: the run need not have
    /// begun. Throws Error if this build lacks the engine. Needs no MPI.
    explicit Subscriber(const std::string &where);
    /// The same on several ranks, which get the same frames and read a box each. They are consumers of their
    /// own. Collective, as next() and release() are then; on a duplicate of `comm`.
    Subscriber(const std::string &where, MPI_Comm comm);
    Subscriber(Subscriber &&) noexcept;
    Subscriber &operator=(Subscriber &&) noexcept;
    ~Subscriber(); ///< leaves the stream

    /// The next frame, as a file of one frame, which is number 0 to Reader::read; nothing if none has come
    /// within so many seconds, or the stream has ended. Releases the frame before. A frame may be left out:
    /// when this consumer, or another, was slower than the run, as the stream's `when_queue_full` says.
    /// Throws Error if the run is gone without an end; a later call looks for one that goes on.
    std::optional<Reader> next(double seconds);

    /// Lets go of the current frame, which nobody may read any more, so that the run can forget it.
    void release();

    bool ended() const;          ///< whether the run has closed the stream, and all frames have been here
    std::int64_t number() const; ///< of the current frame in its stream, from 0; -1: none has come

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace squall::io
