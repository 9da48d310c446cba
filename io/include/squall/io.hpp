/// Squall's output runtime: streams of frames, written while the program computes.
///
/// A program declares streams once (name, dimensions, fields, attributes, where and how they are stored),
/// then for every frame each rank puts its own boxes and all ranks commit:
///
///     squall::io::Session session(MPI_COMM_WORLD);
///     auto history = session.open(spec);
///     auto frame = history.begin({.seconds = 3600, .epoch = "2000-01-01T00:00:00"});
///     frame.put("T", {{0, y0, x0}, {nz, ny, nx}}, t, {sk, sj, 1});
///     frame.commit();
///
/// How a frame is stored (engine) and who writes it (placement) are set in the declaration and change nothing
/// else.
///
/// Conventions. Dimensions, boxes and strides are listed slowest first, as they lie in the file;
/// indices are global and 0-based; strides count elements, not bytes. Memory may have any order.
///
/// Who calls what:
///   collective (every rank of the communicator): Session(), Session::close; Stream::close, in the
///   same order on every rank.
///   local: everything else. open, begin and commit need not happen at the same moment on all
///   ranks, and no rank waits in them for another, with one exception: with placement `inline` the computing
///   ranks write, so that commit waits until all ranks have committed the frame.
/// Every rank opens the same streams in the same order with equal arguments, and commits the same
/// frames of a stream in the same order; frames of different streams may be open at once. Frames of different
/// streams are also committed in the same order on every rank, unless no stream is `inline` and the streams'
/// staging limits add up to at most the session's. A rank may own no points.
///
/// Failure throws Error, whose what() says what was wrong, where and what to do. With placement `inline`
/// a commit that fails does so on every rank with the same text. With `thread` and `servers` a frame
/// fails after its commit has returned: the next begin, commit or close of the stream throws, which
/// may be another one on another rank. An error in a put (unknown field, box outside the field, incompatible
/// type) is recorded and fails the frame at its commit; a put itself throws only if it waits for staging
/// memory longer than the deadline. A field with points that no rank put, or that were put twice, fails the
/// frame: missing points never become fill values.
///
/// Published frames stay published, whatever happens later.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

#include "squall/io_declare.hpp"

namespace squall::io {

class Stream;

/// What becomes of a file that has the name of one that the client opens (Stream::open_file).
enum class Existing {
    append, ///< the new frames go behind its own
    replace ///< the new one takes its place as a whole, when that is published
};

/// All fields of a stream at one model time, under construction.
class Frame {
  public:
    Frame(Frame &&) noexcept;
    Frame &operator=(Frame &&) noexcept;
    ~Frame(); ///< abandons a frame that was not committed

    /// Copies this rank's `box` of a per-frame field into staging memory. The caller's memory can be reused
    /// on return. `data` points to the first point of the box. Numbers are converted to the field's type if
    /// only precision is lost (not floating point to integer, nor text). A rank may put no box, one, or
    /// several. Local; commit reports errors.
    template <class T>
    void put(const std::string &field, const Box &box, const T *data, const Strides &strides = {}) {
        put(field, box, data, type_of<T>, strides);
    }
    void put(const std::string &field, const Box &box, const void *data, Type memory, const Strides &strides);
    /// Texts, no longer than the field's letters.
    void put(const std::string &field, const Box &box, const std::string *data);

    /// Copies all of this rank's points of a field in a Decomposition. `data` points to the first; in memory
    /// the field's undivided dimensions come first, slowest first, then the rank's points in the order of the
    /// decomposition, fastest. (Several boxes follow each other, each with all its levels.) For a single box
    /// `strides` may describe another layout.
    template <class T> void put(const std::string &field, const T *data, const Strides &strides = {}) {
        put(field, data, type_of<T>, strides);
    }
    void put(const std::string &field, const void *data, Type memory, const Strides &strides = {});

    /// Sets a scalar per-frame field, an attribute of the frame. Every rank may call it; the value of the
    /// first computing rank counts.
    void set(const std::string &field, double value);
    void set(const std::string &field, std::int64_t value);
    void set(const std::string &field, const std::string &text);

    /// Sets the positions of moving Places in this frame, before the sources are put, in the form of
    /// Places::positions. A place without position (NaN) or outside the domain gets the fill value. Every
    /// rank passes the same positions. Local.
    void places(const std::string &name, const std::vector<double> &positions);

    /// Sets the length of a varying dimension in this frame, the total over all ranks. The boxes of all ranks
    /// must cover these points; their indices are global. Every rank passes the same length. Local.
    void length(const std::string &dimension, std::int64_t points);

    /// Leaves out a field that is declared optional: it gets the fill value, and is marked as left out. Every
    /// rank that could put the field calls it. Local.
    void leave_out(const std::string &field);

    /// Commits the frame. Placement `inline`: on return the frame is stored, and published if it filled its
    /// file. `thread`, `servers`: the frame is in flight. Throws Error for a frame that failed: nothing of it
    /// is stored or visible, frames stored before are kept, and the stream can still be used.
    void commit();

    /// Drops the frame. Every rank must do it.
    void abandon();

  private:
    friend class Stream;
    struct Impl;
    explicit Frame(std::unique_ptr<Impl> impl);
    template <class F> void staging(const char *doing, F f);
    std::unique_ptr<Impl> impl_;
};

/// A named sequence of frames.
class Stream {
  public:
    Stream(Stream &&) noexcept;
    Stream &operator=(Stream &&) noexcept;
    /// Without close() an unfinished file is left as `<path>.part`, for `squall recover`; in a session of one
    /// rank it is published, and a failure is written to standard error.
    ~Stream();

    /// Copies this rank's box of a field that is fixed in time, before the first commit; otherwise as
    /// Frame::put. The stream keeps the copy, since every file begins with it.
    template <class T>
    void put(const std::string &field, const Box &box, const T *data, const Strides &strides = {}) {
        put(field, box, data, type_of<T>, strides);
    }
    void put(const std::string &field, const Box &box, const void *data, Type memory, const Strides &strides);
    void put(const std::string &field, const Box &box, const std::string *data);
    /// All of this rank's points of a field in a Decomposition; as Frame::put.
    template <class T> void put(const std::string &field, const T *data, const Strides &strides = {}) {
        put(field, data, type_of<T>, strides);
    }
    void put(const std::string &field, const void *data, Type memory, const Strides &strides = {});

    /// Begins the frame of `time`. Only one frame of a stream can be open at a time. Throws Error if one is
    /// open, if the time cannot be formatted, or if a frame in flight has failed.
    Frame begin(const Time &time);
    /// The same with the interval that the frame represents, for a time axis with bounds.
    Frame begin(const Time &time, const TimeBounds &bounds);

    /// Begins a sample between frames, for fields that are reduced over time: like a frame, but nothing else
    /// of it is kept. It needs all sources of these fields and nothing else. A frame is a sample too, even
    /// one that is abandoned. Local; an error fails the next frame.
    Frame sample(const Time &time);

    /// Puts the accumulators of fields reduced over time since the last frame into a frame of another stream,
    /// which declares accumulators() of this one, so that a program can continue exactly after a restart.
    /// Local.
    void save(Frame &frame) const;
    /// Restores what `save` put into a frame of a file, independent of which rank put which part. Before the
    /// first put. Throws Error if any of it is missing.
    void restore(const std::string &file, std::int64_t frame);

    /// Opens a file of the client's, for the frames that follow, where the stream's path ends with '/': that
    /// is then the directory of the files, and the program opens and closes them. `name` is relative to it;
    /// `attributes` are the file's beside those of the stream. Local; every rank opens the same files. Throws
    /// Error if one is open, or if it cannot hold `attributes`.
    ///
    /// A name that this session has closed may be opened again. `append`, for engines that can: the frames go
    /// behind those that are there, which have fill values in fields that the declaration has gained since
    /// (of a stream that was opened in place of one that was closed); `attributes` are added to those of the
    /// file. Of a file of an earlier run StreamSpec::append and `replace` say what becomes. `replace`: the
    /// file of that name, of whatever run, stays until the new one is published whole; also if a frame of the
    /// new one fails, unless on_error is "continue". What there is of the new one is then `<path>.part`.
    /// Throws Error if the engine cannot append, or if another stream may still be writing the file: flush
    /// that first.
    void open_file(const std::string &name, const std::vector<Attribute> &attributes = {},
                   Existing existing = Existing::append);
    /// Closes it, after its last frame, without waiting: it is published when its frames are stored. What
    /// goes wrong is thrown by the next begin, commit, flush or close. With placement `inline` it is
    /// published on return. A file without frames is not made. Local; every rank calls it.
    void close_file();

    /// Waits until the frames committed so far are stored and the files closed so far are published.
    /// Collective; throws Error for what failed.
    void flush();

    /// Waits until every frame is stored and publishes a file that is not full. Collective; throws
    /// Error. The stream is closed in any case: only its statistics are kept for the report, and its name and
    /// path can be opened again.
    void close();

  private:
    friend class Session;
    friend class Frame;
    struct Impl;
    explicit Stream(std::shared_ptr<Impl> impl);
    Frame begin_frame(const Time &time, const TimeBounds *bounds);
    std::shared_ptr<Impl> impl_;
};

/// The accumulators of fields that a stream reduces over time, in the form in which a restart stream declares
/// them (Stream::save); empty if there are none. Throws Error for an invalid declaration.
std::vector<Field> accumulators(const StreamSpec &spec);

/// Settings of a session.
struct SessionSpec {
    int servers = 0;                        ///< ranks set aside to write, in total,
    int servers_per_node = 0;               ///< or on every node; not both
    int groups = 1;                         ///< groups of servers, which take files in turn
    std::string assignment = "consecutive"; ///< assignment of slabs to servers; or "round-robin"
    bool shared_memory = true; ///< whether servers read frames from the memory of ranks on their node
    /// Bytes for frames in flight and fields fixed in time, of all streams, on each rank and server.
    std::size_t staging_limit = std::size_t(1) << 29;
    double watchdog = 60; ///< seconds after which a waiting rank reports on standard error what it waits for
    /// Seconds after which a waiting rank gives up with an Error; 0: never. It also applies to the opening of
    /// the session: ranks that arrive later than this after each other end the job.
    double timeout = 0;
    std::string report = {}; ///< file for the report (JSON), written by close(); empty: none
};

/// Statistics of a stream over the whole session. Times in seconds.
struct StreamReport {
    std::string name, engine, placement, codec;
    std::int64_t frames = 0;                   ///< stored
    std::int64_t failed = 0, skipped = 0;      ///< lost frames, by on_error and when_full
    std::uint64_t bytes = 0, stored_bytes = 0; ///< bytes put, and bytes on disk
    double perceived_median = 0, perceived_largest = 0,
           perceived_total = 0;                 ///< of the slowest rank per frame
    double drain_median = 0, drain_largest = 0; ///< from begin to stored
    std::int64_t waits = 0;                     ///< times that a rank found the staging memory full
    double waited = 0;                          ///< longest total wait of a rank
    std::uint64_t spilled = 0;                  ///< bytes spilled by all ranks
    std::uint64_t staging_peak = 0;             ///< bytes, on the rank that used most
};

/// The ranks that write together.
class Session {
  public:
    /// Opens a session on a duplicate of `comm`. Collective. MPI must be initialised, and must not be
    /// finalised before the session and its streams are destroyed. Throws Error on all ranks if the servers
    /// leave no rank to compute, or a group has no server.
    explicit Session(MPI_Comm comm, SessionSpec spec = {});
    Session(Session &&) noexcept;
    Session &operator=(Session &&) noexcept;
    /// Without close() frames in flight may be lost; published frames are not.
    ~Session();

    /// Whether this rank computes. Otherwise it is a server, which must call serve() and nothing else.
    bool computes() const;
    /// The communicator of the computing ranks: valid as long as the session, and on these ranks only.
    MPI_Comm comm() const;
    /// Writes frames until all computing ranks have closed the session. Throws Error.
    void serve();

    /// Declares a stream. Touches no file. Throws Error for an invalid declaration: unknown engine or
    /// placement, duplicate or missing names, sizes out of range, a path that another stream of this session
    /// writes, a placement that MPI or the session does not support.
    Stream open(StreamSpec spec);

    /// The same on a subset of the computing ranks, for a nest or a component: `members` is their
    /// communicator, of which the session keeps a duplicate. Collective over the members; other ranks do not
    /// know the stream, and "all ranks" means the members. Its name and path must still differ from those of
    /// all streams of the session. Placement inline or thread.
    Stream open(StreamSpec spec, MPI_Comm members);

    /// Puts this rank's box of a per-frame field into every open frame of a stream that declares it, as
    /// Frame::put does, but with one copy for all streams that keep the same points in the same form. Returns
    /// the number of streams that took it; 0 is not an error. A stream that computes a field of that name by
    /// a reduction does not take it. Local.
    template <class T>
    int put(const std::string &field, const Box &box, const T *data, const Strides &strides = {}) {
        return put(field, box, data, type_of<T>, strides);
    }
    int put(const std::string &field, const Box &box, const void *data, Type memory, const Strides &strides);

    /// The same with all of this rank's points in a Decomposition; as Frame::put.
    template <class T> int put(const std::string &field, const T *data, const Strides &strides = {}) {
        return put(field, data, type_of<T>, strides);
    }
    int put(const std::string &field, const void *data, Type memory, const Strides &strides = {});

    /// Advances frames in flight, without waiting. Programs that compute for long between two calls should
    /// call it once per step: frames with reductions to which other ranks contribute advance only in calls of
    /// the runtime. Local. Throws Error only if no rank can continue.
    void progress();

    /// Ends the session, whose streams must be closed: releases the servers and writes the report. Collective
    /// over the computing ranks. Returns the statistics of each stream on rank 0 of comm().
    std::vector<StreamReport> close();

  private:
    friend class Stream;
    Stream open_among(StreamSpec spec, const std::function<class StreamRanks &()> &members);
    std::shared_ptr<struct SessionCore> core_;
};

/// A file that a stream published, or any netCDF file, for reading. (A frame of a network stream is read in
/// the same way: see squall/io_subscribe.hpp.) Local to the rank, which opens the file and reads its own
/// boxes, unless many open it together. Every call throws Error on failure.
class Reader {
  public:
    /// Opens the file and checks that it is as long as its header says.
    explicit Reader(const std::string &path);
    /// The same for all ranks of `comm`, of which only `readers` open the file (0: one on every node) and
    /// hand on what the others want: so that thousands of ranks do not open one file. Collective; throws on
    /// all. Then read, texts, times and steps are collective too, and called in the same order on all ranks,
    /// each for a box of its own, which may be empty. They throw on the ranks that do not get their points.
    Reader(const std::string &path, MPI_Comm comm, int readers = 0);
    Reader(Reader &&) noexcept;
    Reader &operator=(Reader &&) noexcept;
    ~Reader();

    const std::string &path() const;
    std::int64_t frames() const;                      ///< 0 for a file without a record dimension
    const std::vector<Dimension> &dimensions() const; ///< without the record dimension
    const std::vector<Field> &fields() const;
    const std::vector<Attribute> &attributes() const; ///< of the whole file

    std::int64_t size(const std::string &dimension) const;
    bool has(const std::string &field) const;
    const Field &field(const std::string &name) const;
    /// Extents of a field in the order of its dimensions, without the record dimension.
    std::vector<std::int64_t> shape(const std::string &field) const;
    std::optional<Value> attribute(const std::string &name) const;
    /// The times of the frames, from the file's time coordinate: the per-frame field of one number with units
    /// of time. Throws Error if there is none, or if there are several and none of them has the record
    /// dimension's name or axis T.
    std::vector<Time> times() const;
    /// Seconds from the first frame to each.
    std::vector<double> steps() const;

    double number(const std::string &attribute) const;    ///< a global attribute that is one number
    std::string text(const std::string &attribute) const; ///< a global attribute that is text

    /// Reads a box of a field at a frame (0-based; ignored for a field that is fixed in time) into memory of
    /// any type that can hold it and in any order. `data` points to the first point.
    template <class T>
    void read(const std::string &field, std::int64_t frame, const Box &box, T *data,
              const Strides &strides = {}) const {
        read(field, frame, box, data, type_of<T>, strides);
    }
    void read(const std::string &field, std::int64_t frame, const Box &box, void *data, Type memory,
              const Strides &strides) const;
    /// Texts of a field of characters, whose last dimension holds the letters and is not part of the box.
    /// Trailing blanks and zeros are removed.
    std::vector<std::string> texts(const std::string &field, std::int64_t frame, const Box &box = {}) const;

  private:
    friend class Subscriber;
    struct Impl;
    explicit Reader(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace squall::io
