/// Squall's output runtime: streams of frames, written while somebody else computes.
///
/// A program declares streams once (name, dimensions, fields, attributes, where and how they are
/// kept), then for every frame each rank puts its own boxes and all ranks commit:
///
///     squall::io::Session session(MPI_COMM_WORLD);
///     auto history = session.open(spec);
///     auto frame = history.begin({.seconds = 3600, .epoch = "2000-01-01T00:00:00"});
///     frame.put("T", {{0, y0, x0}, {nz, ny, nx}}, t, {sk, sj, 1});
///     frame.commit();
///
/// How a frame is stored (engine) and who writes it (placement) are words in the declaration and
/// change nothing else.
///
/// Conventions. Dimensions, boxes and strides are listed slowest first, as they lie in the file;
/// indices are global and 0-based; strides count elements, not bytes. Memory may lie in any order.
///
/// Who calls what:
///   collective (every rank of the communicator): Session(), Session::close; Stream::close, in the
///   same order on every rank.
///   local: everything else. open, begin and commit need not happen at the same moment on all
///   ranks, and no rank waits in them for another, with one exception: placement `inline` is the
///   computing ranks writing, so its commit waits until all ranks have committed the frame.
/// Every rank opens the same streams in the same order with equal arguments, and commits the same
/// frames of a stream in the same order; frames of different streams may be open at once. Frames of
/// different streams are committed in the same order on every rank, too, unless none of them is
/// `inline` and the streams' staging limits add up to no more than the session's. A rank may own no
/// points.
///
/// Failure: Error, whose what() says what was wrong, where and what to do. With placement `inline`
/// a commit that fails does so on every rank with the same text. With `thread` and `servers` a frame
/// fails after its commit has returned: the next begin, commit or close of the stream throws, which
/// may be another one on another rank. A mistake in a put (no such field, a box outside the field, a
/// type that does not fit) is kept and fails the frame; only a deadline that passes while a put waits
/// for room throws there. A field with points that nobody put, or that
/// were put twice, fails the frame: a hole never becomes fill values.
///
/// Published frames stay published whatever happens later.
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

/// All the fields of a stream at one model time, in the making.
class Frame {
  public:
    Frame(Frame &&) noexcept;
    Frame &operator=(Frame &&) noexcept;
    ~Frame(); ///< a frame that was not committed is abandoned

    /// Copies this rank's `box` of a per-frame field into the stage. On return the memory is the
    /// caller's again. `data` addresses the first point of the box. Numbers are converted to the
    /// field's type where that loses no more than precision (not: floating to integer, text).
    /// A rank may put no box, one, or several. Local; mistakes are reported by commit.
    template <class T>
    void put(const std::string &field, const Box &box, const T *data, const Strides &strides = {}) {
        put(field, box, data, type_of<T>, strides);
    }
    void put(const std::string &field, const Box &box, const void *data, Type memory, const Strides &strides);
    /// Texts: no longer than the field's letters.
    void put(const std::string &field, const Box &box, const std::string *data);

    /// Copies all of this rank's points of a field in a Decomposition: `data` addresses the first, and
    /// behind each other lie, slowest first, the field's dimensions that are not divided, with the rank's
    /// points in the order of the decomposition fastest. (Of several boxes: one box with all its levels
    /// behind the other.) For one box `strides` may say otherwise.
    template <class T> void put(const std::string &field, const T *data, const Strides &strides = {}) {
        put(field, data, type_of<T>, strides);
    }
    void put(const std::string &field, const void *data, Type memory, const Strides &strides = {});

    /// An attribute of the frame: sets a scalar per-frame field. Every rank may call it; what the first
    /// computing rank says counts.
    void set(const std::string &field, double value);
    void set(const std::string &field, std::int64_t value);
    void set(const std::string &field, const std::string &text);

    /// Where moving Places are in this frame, before the sources are put: as Places::positions. One that is
    /// nowhere (NaN) or outside the domain gets the fill value. Every rank says the same. Local.
    void places(const std::string &name, const std::vector<double> &positions);

    /// How long a varying dimension is in this frame: what all ranks have together. Boxes, which must
    /// make up so many points, count from the first of all. Every rank says the same. Local.
    void length(const std::string &dimension, std::int64_t points);

    /// The frame has no such field, which is declared optional: it gets the fill value, and is marked so.
    /// Called by every rank that could put it. Local.
    void leave_out(const std::string &field);

    /// Hands the frame over. Placement `inline`: on return the frame is stored, and published if
    /// it filled its file. `thread`, `servers`: the frame is on its way. Throws Error for a frame that
    /// failed: it is not stored and nothing of it is visible, frames stored before are kept, the
    /// stream may be used on.
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
    /// Without close() the file in the making is left as `<path>.part`, for `squall recover`; on a
    /// session of one rank it is published, and a failure is written to standard error.
    ~Stream();

    /// Copies this rank's box of a field that is fixed in time; as Frame::put. The copy is kept as
    /// long as the stream, since every file begins with it. Before the first commit.
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

    /// Starts the frame of `time`. One frame of a stream is open at a time. Throws Error if one is
    /// open, if the time cannot be formatted, or if a frame on its way has failed.
    Frame begin(const Time &time);
    /// The same with what the frame stands for, where the time axis has bounds.
    Frame begin(const Time &time, const TimeBounds &bounds);

    /// A sample between frames, for fields that are made over time: as a frame, but nothing of it is kept
    /// besides. It needs these fields' sources, all of them each time, and nothing else. A frame counts as a
    /// sample, too, also one that is abandoned. Local; a mistake fails the next frame.
    Frame sample(const Time &time);

    /// Puts what fields made over time have come to since the last frame into a frame of another stream,
    /// which declares accumulators() of this one, so that a program can go on exactly after a restart. Local.
    void save(Frame &frame) const;
    /// Goes on with what `save` put into a frame of a file, whoever put which part. Before the first put.
    /// Throws Error if it is not all there.
    void restore(const std::string &file, std::int64_t frame);

    /// Waits until every frame is stored and publishes a file that is not full. Collective; throws
    /// Error. The stream is closed in any case: nothing is kept of it but what the report needs, and its
    /// name and path may be opened again.
    void close();

  private:
    friend class Session;
    friend class Frame;
    struct Impl;
    explicit Stream(std::shared_ptr<Impl> impl);
    Frame begin_frame(const Time &time, const TimeBounds *bounds);
    std::shared_ptr<Impl> impl_;
};

/// What fields that a stream makes over time come to between frames, as a stream has to declare it that keeps
/// it for a restart (Stream::save); empty: there are none. Throws Error on a declaration that cannot work.
std::vector<Field> accumulators(const StreamSpec &spec);

/// What is fixed about a session.
struct SessionSpec {
    int servers = 0;                        ///< ranks set aside to write: this many in all,
    int servers_per_node = 0;               ///< or so many on every node; not both
    int groups = 1;                         ///< the servers form groups, which take files in turn
    std::string assignment = "consecutive"; ///< of slabs to servers; or "round-robin"
    bool shared_memory = true; ///< whether servers read frames in the memory of ranks of their node
    /// Bytes of frames on their way and of fields fixed in time, of all streams, on each rank and server.
    std::size_t staging_limit = std::size_t(1) << 29;
    double watchdog = 60; ///< seconds after which whoever waits says on standard error what for
    /// Seconds after which whoever waits gives up with an Error; 0: never. Counts from the opening of the
    /// session on: ranks that come to it later than that after each other end the job.
    double timeout = 0;
    std::string report = {}; ///< file for the report (JSON), written by close(); empty: none
};

/// What a stream did, over the whole session. Times in seconds.
struct StreamReport {
    std::string name, engine, placement, codec;
    std::int64_t frames = 0;                   ///< stored
    std::int64_t failed = 0, skipped = 0;      ///< frames that are lost, by on_error and when_full
    std::uint64_t bytes = 0, stored_bytes = 0; ///< as put, and on disk
    double perceived_median = 0, perceived_largest = 0,
           perceived_total = 0;                 ///< of the slowest rank per frame
    double drain_median = 0, drain_largest = 0; ///< from begin to stored
    std::int64_t waits = 0;                     ///< times that a rank found the staging memory full
    double waited = 0;                          ///< the most that a rank waited for it
    std::uint64_t spilled = 0;                  ///< bytes, of all ranks
    std::uint64_t staging_peak = 0;             ///< bytes, of the rank that needed most
};

/// The ranks that write together.
class Session {
  public:
    /// On a duplicate of `comm`. Collective. MPI must be initialised, and must not be finalised
    /// before the session and its streams are gone. Throws Error on all ranks: servers that do not
    /// leave a rank to compute, groups that leave a group without server.
    explicit Session(MPI_Comm comm, SessionSpec spec = {});
    Session(Session &&) noexcept;
    Session &operator=(Session &&) noexcept;
    /// Without close(): frames on their way may be lost, published ones are not.
    ~Session();

    /// Whether this rank computes. If not it is a server, which has to call serve() and nothing else.
    bool computes() const;
    /// The ranks that compute: valid as long as the session, and on them only.
    MPI_Comm comm() const;
    /// Writes frames until all computing ranks have closed the session. Throws Error.
    void serve();

    /// Declares a stream. Touches no file. Throws Error on a declaration that cannot work: unknown
    /// engine or placement, duplicate or missing names, sizes out of range, a path that another
    /// stream of this session writes, a placement for which MPI or the session is not prepared.
    Stream open(StreamSpec spec);

    /// The same on part of the computing ranks, for a nest or a component: `members` is a communicator of
    /// them, of which the session keeps a duplicate. Collective over the members, who alone know the stream;
    /// "all ranks" means them. Its name and path must differ from all streams of the session all the
    /// same. Placement inline or thread.
    Stream open(StreamSpec spec, MPI_Comm members);

    /// Puts this rank's box of a per-frame field into every open frame of a stream that declares it, as
    /// Frame::put does, but with one copy for all streams that keep the same of it. Returns how many took
    /// it: 0 is no error. A stream that makes a field of that name itself does not take it. Local.
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

    /// Does what can be done for frames on their way, without waiting: for programs that compute for long
    /// between two calls, once a step. Frames whose reductions other ranks contribute to go on only in
    /// calls of the runtime. Local. Throws Error only if nobody can go on.
    void progress();

    /// Ends the session, whose streams must be closed: lets the servers go and writes the report.
    /// Collective over the computing ranks. Returns what each stream did, on rank 0 of comm().
    std::vector<StreamReport> close();

  private:
    friend class Stream;
    Stream open_among(StreamSpec spec, const std::function<class Members &()> &members);
    std::shared_ptr<struct SessionCore> core_;
};

/// A file that a stream published, or any netCDF file, for reading. (A frame of a network stream is one, too:
/// see squall/io_subscribe.hpp.) Local to the rank: each rank opens the file and reads its own boxes. Every
/// call throws Error on failure.
class Reader {
  public:
    /// Opens and checks that the file is as long as its header says.
    explicit Reader(const std::string &path);
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
    /// When the frames are, from the file's time coordinate: the per-frame field of one number whose
    /// units are of time. Throws Error if there is none, or several of which none is named like the
    /// record dimension or has axis T.
    std::vector<Time> times() const;
    /// Seconds from the first frame to each.
    std::vector<double> steps() const;

    double number(const std::string &attribute) const;    ///< a global attribute that is one number
    std::string text(const std::string &attribute) const; ///< a global attribute that is text

    /// Reads a box of a field at a frame (0-based; ignored for a field that is fixed in time) into
    /// memory of any type that holds it and any order. `data` addresses the first point.
    template <class T>
    void read(const std::string &field, std::int64_t frame, const Box &box, T *data,
              const Strides &strides = {}) const {
        read(field, frame, box, data, type_of<T>, strides);
    }
    void read(const std::string &field, std::int64_t frame, const Box &box, void *data, Type memory,
              const Strides &strides) const;
    /// Texts of a field of characters, whose last dimension are the letters and is not in the box. Blanks
    /// and zeros at the end are left out.
    std::vector<std::string> texts(const std::string &field, std::int64_t frame, const Box &box = {}) const;

  private:
    friend class Subscriber;
    struct Impl;
    explicit Reader(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace squall::io
