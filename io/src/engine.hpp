/// What an engine provides. An engine is a folder in engines/ that defines one `Engine` and asks
/// for its library in its own CMakeLists.txt.
///
/// The writers of a stream are the ranks that hold a frame when it is stored: the computing ranks,
/// or a group of servers. Each makes one Writer; together these write the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include "layout.hpp"

namespace squall::io {

/// Points of a box: contiguous, last dimension fastest, in the field's type. For engines that take
/// views: part of the points of a larger box, which are contiguous and which `points` addresses.
struct Piece {
    Box box;
    const void *points = nullptr;
    Box around = {}; ///< the larger box; empty: none

    const Box &lies_in() const { return around.start.empty() ? box : around; }
};

/// A part of a field and the writer that must hold it; see Engine::shares.
struct Share {
    Box box;
    int writer = 0;
};

/// One file (or directory of files) in the making, on one of its writers. Made, called and
/// destroyed on all writers in the same order; an implementation may communicate among them in
/// every call but the destructor. Every call throws Error with the cause alone (the caller adds
/// stream, file and frame), possibly on some writers only: the others must return all the same.
/// After a failure on any writer close() follows on all, or, if no frame is whole, destruction.
class Writer {
  public:
    virtual ~Writer() = default; ///< lets go of the file as it is, without waiting for anybody

    /// Writes this writer's pieces of a field, none or several. Called for one field after the
    /// other, in the order of the layout. `frame` counts from 0 in this file and is ignored for a
    /// field fixed in time, which is written with frame 0. On return the points may go.
    virtual void write(int field, std::int64_t frame, const std::vector<Piece> &pieces) = 0;

    /// The current frame is complete: hands everything written so far to the operating system.
    virtual void flush() = 0;

    /// For engines that grow: what flush() handed over is brought to disk and `frames` frames are
    /// made visible to readers, all at once.
    virtual void reveal(std::int64_t /*frames*/) {}

    /// For engines that grow: the file was renamed.
    virtual void moved(const std::string & /*path*/) {}

    /// Closes the file with exactly `frames` whole frames, on disk (fsync) as far as this writer
    /// wrote it; what was written beyond is dropped.
    virtual void close(std::int64_t frames) = 0;

    /// What this writer has made so far: paths relative to the file's, "" for the file itself. The
    /// lists of all writers are disjoint and make up everything. Valid after close() too.
    virtual std::vector<std::string> made() const = 0;
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

/// Who must hold what of a field when it is written.
enum class Holding {
    first, ///< writer 0 everything
    any,   ///< whatever a writer happens to hold
    shares ///< what Engine::shares says
};

struct Engine {
    std::string name, makes;          ///< and what it makes of frames, in a few words
    std::vector<std::string> codecs;  ///< the first is the default; a level may follow: "zstd:3"
    std::vector<std::string> options; ///< names of what StreamSpec::options may hold
    Holding holding = Holding::first;
    bool directory = false; ///< makes a directory, not a file
    bool views = false;     ///< takes pieces that are views, but for text
    bool grows = false;     ///< frames are revealed one by one in a file that readers see

    /// Begins a file at `path`, which does not exist (a directory's parent does). Collective over
    /// `writers`, which stays valid as long as the Writer. `layout` too.
    std::unique_ptr<Writer> (*create)(const Layout &layout, const std::string &path,
                                      MPI_Comm writers) = nullptr;
    /// For Holding::shares: parts that make up the whole field, whatever the number of writers; a
    /// part goes to one writer. The same on every rank.
    std::vector<Share> (*shares)(const Layout &layout, int field, int writers) = nullptr;

    /// Whether the engine should read what is at `path`, by a look at its first bytes or names.
    bool (*recognises)(const std::string &path) = nullptr;
    std::unique_ptr<Source> (*open)(const std::string &path) = nullptr;

    /// What is wrong with a declaration for this engine (options, sizes), or "". May be null.
    std::string (*objection)(const Layout &layout) = nullptr;
};

/// Engines of this build, in the order in which they should look at a file.
const std::vector<const Engine *> &built_engines();

/// The engine of a name; throws Error with the reason if this build lacks it.
const Engine &engine_named(const std::string &name);

/// Opens a file of any engine that can be read back.
std::unique_ptr<Source> open_source(const std::string &path);

} // namespace squall::io
