/// What an engine provides. An engine is a folder in engines/ that defines one `Engine` and asks
/// for its library in its own CMakeLists.txt.
///
/// The writers of a stream are the ranks that hold a frame when it is stored: the computing ranks,
/// or a group of servers. Each makes one Writer. A Writer is local: it knows its own part and tells
/// nobody anything. Who goes on when one of them fails is agreed in one place, series.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include "common/encoded_chunk.hpp"
#include "declare/layout.hpp"

namespace squall::io {

class Crew;
class Feed;
class Sink;

/// Points of a box: contiguous, last dimension fastest, in the field's type. For engines that take
/// views: part of the points of a larger box, which are contiguous and which `points` addresses.
struct Piece {
    Box box;
    const void *points = nullptr;
    Box around = {}; ///< the larger box; empty: none
    /// Chunks of it that Engine::encoder has made already, in the order of their starts: these points are not
    /// there. Only for an engine that has one.
    std::span<const EncodedChunk> encoded = {};

    const Box &lies_in() const { return around.start.empty() ? box : around; }
};

/// A part of a field and the writer that holds it, or must.
struct Share {
    Box box;
    int writer = 0;
};
using Shares = std::vector<Share>;

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
/// describe, make_durable, reveal. If any of it fails on any writer, roll_back follows on all.
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
        throw Error("this engine cannot go on with a file that was published");
    }

    /// The first that happens of a frame: makes sure of room where a disk that fills up in the middle
    /// would damage earlier frames. `frame` counts from 0 in this file.
    virtual void begin(std::int64_t /*frame*/) {}

    /// What the pieces weigh in the library's own steps; the largest of all writers comes to write().
    virtual std::int64_t weight(int /*field*/, const std::vector<Piece> & /*pieces*/) const { return 0; }

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

    /// For engines that grow, on writer 0: makes `frames` frames visible to readers, all at once.
    virtual void reveal(std::int64_t /*frames*/) {}

    /// Forgets what was written beyond the first `frames` frames. For an engine that grows a frame may
    /// be begun again after it; any other is closed next.
    virtual void roll_back(std::int64_t /*frames*/) {}

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

/// What is in a file, and a way to its points; see Reader. Local.
class Source {
  public:
    virtual ~Source() = default;
    /// Reads a box, contiguous, converted to `memory`. Safe to call from one thread at a time.
    virtual void read(int field, std::int64_t frame, const Box &box, void *contiguous, Type memory) const = 0;

    std::int64_t frames = 0;
    std::string record_dimension = "Time";
    std::vector<Dimension> dimensions; ///< without the record dimension
    std::vector<Field> fields;
    std::vector<Attribute> attributes; ///< of the whole file
};

/// Of formats in which frames lie one behind the other, so that a file which was cut off within one still has
/// those before it.
struct Salvage {
    /// Whether a file is in such a format, by a look at its first bytes.
    bool (*recognises)(const std::string &file) = nullptr;
    /// Opens it with as many frames as it is long enough for.
    std::unique_ptr<Source> (*open)(const std::string &file) = nullptr;
    /// Takes back what is behind the first `frames` frames of a file that nobody has open.
    void (*cut)(const std::string &file, std::int64_t frames) = nullptr;
};

/// Who must have what of a field when it is written.
enum class Distribution {
    to_first,   ///< writer 0 everything
    as_it_lies, ///< each writer what it happens to have
    by_shares   ///< what Engine::shares says
};

struct Engine {
    std::string name, makes;         ///< and what it makes of frames, in a few words
    std::vector<std::string> codecs; ///< the first is the default; a level may follow: "zstd:3"
    std::vector<OptionInfo> options; ///< what StreamSpec::options may hold
    Distribution distribution = Distribution::to_first;
    bool together = false;  ///< its library writes together: calls marked (t) may wait for others
    bool accounts = false;  ///< writer 0 needs account() of all to describe a frame
    bool directory = false; ///< makes a directory, not a file
    bool views = false;     ///< takes pieces that are views, but for text
    bool grows = false;     ///< frames are revealed one by one in a file that readers see
    bool appends = false;   ///< a published file can be reopened

    /// What writes a file at `path` (a directory's parent exists). Touches nothing yet. `layout` stays
    /// valid as long as the Writer.
    std::unique_ptr<Writer> (*create)(const Layout &layout, const std::string &path, Seat seat) = nullptr;
    /// For Distribution::by_shares: parts that make up the whole field, whatever the number of writers; a
    /// part goes to one writer. The same on every rank.
    Shares (*shares)(const Layout &layout, int field, int writers) = nullptr;
    /// Who compresses chunks before a writer has them; may be null, and may give null. `layout` stays valid.
    std::unique_ptr<Encoder> (*encoder)(const Layout &layout) = nullptr;
    /// For a target that is no series of files, such as a network stream; else null.
    std::unique_ptr<Sink> (*connect)(const Layout &layout, const Crew &crew) = nullptr;

    /// Whether the engine should read what is at `path`, by a look at its first bytes or names.
    bool (*recognises)(const std::string &path) = nullptr;
    std::unique_ptr<Source> (*open)(const std::string &path) = nullptr;
    Salvage salvage = {}; ///< if its files can be cut

    /// What is wrong with a declaration for this engine (options, sizes), or "". May be null.
    std::string (*objection)(const Layout &layout) = nullptr;

    /// For a target that is a network stream: the frames of the one that `where` means, a run directory, a
    /// file or an address. Waits for nothing.
    std::unique_ptr<Feed> (*subscribe)(const std::string &where) = nullptr;
};

/// Engines of this build, in the order in which they should look at a file.
const std::vector<const Engine *> &built_engines();

/// The engine of a name; throws Error with the reason if this build lacks it.
const Engine &engine_named(const std::string &name);

/// Opens a file of any engine that can be read back.
std::unique_ptr<Source> open_source(const std::string &path);

/// The frames of a network stream; throws Error if this build cannot read any.
std::unique_ptr<Feed> open_feed(const std::string &where);

/// How frames at the end of a file can be cut off; null if they cannot.
const Salvage *salvage_of(const std::string &path);

} // namespace squall::io
