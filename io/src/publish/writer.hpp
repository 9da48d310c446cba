/// One file in the making, on one of its writers, which engines provide.
///
/// The writers of a stream are the ranks that hold a frame when it is stored: the computing ranks,
/// or a group of servers. Each makes one Writer. A Writer is local: it knows its own part and tells
/// nobody anything. Who goes on when one of them fails is agreed in one place, series.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include "common/encoded_chunk.hpp"

namespace squall::io {

/// Points of a box: contiguous, last dimension fastest, in the field's type. For engines that take
/// views: part of the points of a larger box, which are contiguous and which `points` addresses.
struct Piece {
    Box box;
    const void *points = nullptr;
    Box around = {}; ///< the larger box; empty: none
    /// Chunks of it that Engine::encoder has made already, in the order of their starts: these points are not
    /// there. Only for an engine that has one.
    std::span<const EncodedChunk> encoded = {};
    /// Where an engine that takes views adds the checksum (declare/encode.hpp) of these points when it reads
    /// them, so that they come from memory once; null: nobody asks.
    std::uint64_t *sum = nullptr;

    const Box &lies_in() const { return around.start.empty() ? box : around; }
};

/// Which writer of how many.
struct Seat {
    int writer = 0, writers = 1;
    /// Of all of them, for libraries that write together (Engine::together) and for nothing else.
    MPI_Comm comm = MPI_COMM_SELF;

    bool leads() const { return writer == 0; }
};

/// One file (or directory of files) in the making, on one of its writers. Every call throws Error with
/// the cause alone (the caller adds stream, file and frame), possibly on some writers only; what one
/// throws is then known to all before the next call. A call that is marked (t) is made on all writers
/// in the same order, and the library may wait in it for the others; no other call waits for anybody.
///
/// The life of a frame: begin, write for one field after the other in the order of the layout, flush,
/// describe, make_durable, reveal. If any of it fails on any writer, roll_back follows on all, and then the
/// next frame.
class Writer {
  public:
    virtual ~Writer() = default; ///< lets go of the file as it is

    /// Called first: makes what the library must find before it is called.
    virtual void prepare() {}

    /// (t) Creates the file at the path of Engine::create, which does not exist.
    virtual void open() = 0;

    /// In place of prepare() and open(): goes on behind the `frames` frames of a file that an earlier run has
    /// closed, or of a copy, of the same declaration. Only where Engine::appends.
    virtual void reopen(std::int64_t /*frames*/) {
        throw Error("this engine cannot continue a file that was published");
    }

    /// The first that happens of a frame: makes sure of room where a disk that fills up in the middle
    /// would damage earlier frames. `frame` counts from 0 in this file.
    virtual void begin(std::int64_t /*frame*/) {}

    /// What the boxes that this writer will write of a field weigh in the library's own steps; the largest of
    /// all writers comes to write(). Asked for all fields together, before the first is written.
    virtual std::int64_t weight(int /*field*/, const std::vector<Box> & /*boxes*/) const { return 0; }

    /// Whether writing a field begins with require_room() on all. Every writer answers the same.
    virtual bool requires_room(int /*field*/) const { return false; }
    /// Throws where the library would leave the others waiting as it cannot write: then none does.
    virtual void require_room(int /*field*/) const {}

    /// (t) Writes this writer's pieces of a field, none or several. `frame` is 0 for a field that is fixed
    /// in time. On return the points may go.
    virtual void write(int field, std::int64_t frame, const std::vector<Piece> &pieces,
                       std::int64_t largest_weight) = 0;

    /// (t) The frame is complete: hands everything written so far to the operating system.
    virtual void flush() = 0;

    /// What writer 0 must know of this one to describe the first `frames` frames, beyond what it was told.
    virtual std::string account(std::int64_t /*frames*/) { return {}; }

    /// On writer 0: writes down what is in the first `frames` frames. `accounts`: of all writers, in
    /// their order. `closing`: no frame comes any more.
    virtual void describe(std::int64_t /*frames*/, const std::vector<std::string> & /*accounts*/,
                          bool /*closing*/) {}

    /// Brings to disk (fsync) what this writer has written, and what describe() wrote. The system tells
    /// of lost bytes once, so what failed here is never asked for again: roll_back() removes it, or
    /// the file is given up.
    virtual void make_durable() = 0;

    /// For engines that grow, on writer 0: makes `frames` frames visible to whoever opens the file, all at
    /// once. It comes without make_durable() where no reader does that yet, but `squall recover` may.
    virtual void reveal(std::int64_t /*frames*/) {}

    /// Forgets what was written beyond the first `frames` frames. Returns whether a frame may be begun again;
    /// if not, for any writer, the file is closed next.
    virtual bool roll_back(std::int64_t /*frames*/) { return false; }

    /// Called before close() where writers write together (Engine::together): throws where this one cannot
    /// close the file. Then none does: the others would wait for it in the library.
    virtual void prepare_to_close() {}

    /// (t) Closes the file with exactly `frames` whole frames; what was written beyond is dropped.
    /// describe, make_durable and, for engines that grow, reveal follow.
    virtual void close(std::int64_t frames) = 0;

    /// For engines that grow: the file was renamed.
    virtual void moved(const std::string & /*path*/) {}

    /// What this writer has made so far: paths relative to the file's, "" for the file itself. The
    /// lists of all writers are disjoint and make up everything. Valid after close() too.
    virtual std::vector<std::string> made() const = 0;
};

/// Compresses chunks of a stream's fields wherever somebody holds one whole. What comes of a chunk is the
/// same whoever does it. Not for several threads at a time.
class Encoder {
  public:
    virtual ~Encoder() = default;
    /// The chunks of a field that lie whole in a box, in the order of their starts; they make up a box. None
    /// for fields that are not compressed.
    virtual std::vector<Box> whole_in(int field, const Box &box) const = 0;
    /// Appends what comes of one of them. `points`: contiguous, in the field's type in the file. Throws
    /// Error.
    virtual void encode(int field, const Box &chunk, const void *points, std::vector<std::byte> &to) = 0;
};

} // namespace squall::io
