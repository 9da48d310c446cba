/// Where the frames of a stream go: a series of files (series.hpp), or a network stream that an engine
/// connects to. A target has to be no more than this: it may have no path, no size and no name.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "declare/client_file.hpp"
#include "publish/writer.hpp"

namespace squall::io {

/// The frame is there for all to see, and something that should follow could not be done.
class Published : public Error {
  public:
    using Error::Error;
};

/// A file that lies complete in the burst directory and must be copied to where it belongs.
struct Departure {
    std::string held, file;         ///< where it is, where it belongs
    std::vector<std::string> parts; ///< this writer's part of it, relative to both
    std::int64_t first = 0;         ///< number in it of the first frame of `times`
    std::vector<Time> times = {};   ///< of its frames that were not published before
};

/// On each writer. Every function but accepts() and write() is collective over the group and throws the same
/// Error everywhere, with the cause; after that drop() must follow. Throws Timeout where agreement fails.
class Sink {
  public:
    virtual ~Sink() = default;

    /// Told of every frame first, also of one that fails before begin() or is skipped. `file`: the client's,
    /// with the frame's number in it; null: the target finds its own. Local.
    virtual void see(const Time & /*time*/, std::int64_t /*number*/,
                     const std::shared_ptr<const ClientFile> & /*file*/, std::int64_t /*in_file*/) {}
    /// The client's file gets no frame any more: publishes it.
    virtual void end_file() {}
    /// Whether the frame of this number must bring the fields that are fixed in time. The same everywhere.
    virtual bool wants_fixed(std::int64_t number) const = 0;
    /// `boxes`: what write() will bring on this writer, per field of the layout.
    virtual void begin(const Time &time, std::int64_t number, const std::vector<std::vector<Box>> &boxes) = 0;
    /// Keeps what goes wrong for end().
    virtual void write(int field, const std::vector<Piece> &pieces) = 0;
    /// The frame is complete here, unless `fault` says what else went wrong on this writer.
    /// `checksums`: of the whole fields, on writer 0. Throws Published after a frame that is not lost.
    virtual void end(const Time &time, const std::vector<std::uint64_t> &checksums, std::string fault) = 0;
    /// After a failure: forgets the current frame.
    virtual void drop() = 0;
    /// Ends what is open.
    virtual void close() = 0;

    /// Files that have been closed in the burst directory since the last call.
    virtual std::vector<Departure> departures() { return {}; }
    /// All parts have been copied to the file's part name.
    virtual void arrive(const Departure & /*departure*/) {}
    /// On disk, of closed files; where the group leads.
    virtual std::uint64_t stored_bytes() const { return 0; }
    /// The file that it is at, for whoever waits for it; "": none. From any thread.
    virtual std::string at() const { return ""; }
    /// Asked before begin(). Where any writer says no the frame is skipped, on all: for a target that may
    /// lose frames by its declaration. Local; may wait for the target, for less than the session's deadline.
    virtual bool accepts() { return true; }
};

} // namespace squall::io
