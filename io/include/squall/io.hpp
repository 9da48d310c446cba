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
/// frames of a stream in the same order; frames of different streams may be open at once and, but
/// for `inline`, be committed in any order. A rank may own no points.
///
/// Failure: Error, whose what() says what was wrong, where and what to do. With placement `inline`
/// a commit that fails does so on every rank with the same text. With `thread` and `servers` a frame
/// fails after its commit has returned: the next begin, commit or close of the stream throws, which
/// may be another one on another rank. A mistake in a put (no such field, a box outside the field, a
/// type that does not fit) is kept and fails the frame. A field with points that nobody put, or that
/// were put twice, fails the frame: a hole never becomes fill values.
///
/// Published frames stay published whatever happens later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <mpi.h>

namespace squall::io {

/// What went wrong, where (stream, file, field, rank) and what to do about it.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The engines and placements of this build, for whoever checks a configuration.
std::vector<std::string> engines();
std::vector<std::string> placements();

/// An engine, as `squall doctor` shows it.
struct EngineInfo {
    std::string name, makes;         ///< and what it makes of frames, in a few words
    std::vector<std::string> codecs; ///< the first is the default
    bool parallel = false;           ///< whether more than one rank writes at the same time
    std::string missing;             ///< why it is not in this build; empty if it is
};
/// All engines that Squall knows, in this build or not.
std::vector<EngineInfo> engine_infos();

/// The type of one element, in memory or in a file.
enum class Type { f32, f64, i16, i32, character };

/// The Type of a C++ type.
template <class T> inline constexpr Type type_of = T::not_an_element_type;
template <> inline constexpr Type type_of<float> = Type::f32;
template <> inline constexpr Type type_of<double> = Type::f64;
template <> inline constexpr Type type_of<std::int16_t> = Type::i16;
template <> inline constexpr Type type_of<std::int32_t> = Type::i32;
template <> inline constexpr Type type_of<char> = Type::character;

/// The value of an attribute: text, or one or more numbers.
using Value = std::variant<std::string, std::vector<std::int32_t>, std::vector<float>, std::vector<double>>;

/// A named value that describes a field or a stream.
struct Attribute {
    std::string name;
    Value value;

    Attribute(std::string n, std::string text) : name(std::move(n)), value(std::move(text)) {}
    Attribute(std::string n, const char *text) : name(std::move(n)), value(std::string(text)) {}
    Attribute(std::string n, std::int32_t x) : name(std::move(n)), value(std::vector{x}) {}
    Attribute(std::string n, float x) : name(std::move(n)), value(std::vector{x}) {}
    Attribute(std::string n, double x) : name(std::move(n)), value(std::vector{x}) {}
    Attribute(std::string n, Value v) : name(std::move(n)), value(std::move(v)) {}
};

/// A named extent that fields share.
struct Dimension {
    std::string name;
    std::int64_t size = 0;
};

/// How exactly the values of a floating-point field are kept. What was done is recorded in the
/// field's attributes.
struct Precision {
    enum class Kind {
        full,   ///< every bit
        packed, ///< int16 with CF's scale_factor and add_offset for values in [low, high]; others are refused
        absolute, ///< bits rounded off so that no value moves by more than `bound`
        relative  ///< the same, by more than `bound` times the value
    };
    Kind kind = Kind::full;
    double bound = 0;         ///< in the field's units, or relative
    double low = 0, high = 0; ///< for packed
};

/// The part of a dimension that a stream keeps: indices start, start + stride, ... below stop.
struct Selection {
    std::string dimension;
    std::int64_t start = 0, stop = -1, stride = 1; ///< stop -1: to the end
};

/// A named distributed array.
struct Field {
    std::string name;
    Type type = Type::f32;               ///< in the file; memory may differ, see Frame::put
    std::vector<std::string> dimensions; ///< names, slowest first, without the record dimension; may be empty
    std::vector<Attribute> attributes;   ///< written in this order
    bool per_frame = true; ///< false: fixed in time, put with Stream::put and stored once a file
    Precision precision = {};
};

/// A start and a count per dimension in global 0-based index space (never with a halo). A count
/// of 0 is an empty box, which may be put and means nothing. Both are empty for a scalar.
struct Box {
    std::vector<std::int64_t> start, count;
    friend bool operator==(const Box &, const Box &) = default;
};

/// Elements from one index to the next, per dimension of a box; empty: the box lies contiguous,
/// last dimension fastest.
using Strides = std::vector<std::ptrdiff_t>;

/// A model time: seconds since an epoch in the proleptic Gregorian calendar (UTC).
struct Time {
    double seconds = 0;
    std::string epoch = "2000-01-01T00:00:00"; ///< ISO 8601; '_' or a blank may stand for the T
};

/// Writes a time through a pattern: %Y %m %d %H %M %S are replaced (seconds are rounded to the
/// millisecond, then cut to whole ones), %% is a percent sign, everything else stays. Throws Error
/// on an epoch or a pattern that it does not understand.
std::string format_time(const Time &time, const std::string &pattern);

/// Everything that is fixed about a stream before its first frame.
struct StreamSpec {
    std::string name; ///< for messages, the manifest and the report
    /// Where files go: a pattern for format_time, filled with the time of the file's first frame.
    /// Missing directories are created.
    std::string path;
    std::string engine = "netcdf";              ///< one of engines()
    std::string placement = "inline";           ///< one of placements()
    std::string codec;                          ///< "name" or "name:level"; empty: the engine's default
    std::map<std::string, std::string> options; ///< of the engine; see its documentation
    /// Frames in a file; 0: all of them in one. A file is published (renamed from <path>.part, after its
    /// bytes are on disk) when it is full or when the stream is closed: its readers see whole frames only. A
    /// frame in a file that is not full yet is in <path>.part. Engine `zarr` publishes every frame.
    int frames_per_file = 1;
    bool replace = false;  ///< whether a file of an earlier run may be replaced
    std::string burst_dir; ///< write here first and copy to `path` in the background; empty: do not
    std::size_t staging_limit = std::size_t(1) << 29; ///< bytes of frames that wait, on each rank and server
    std::string when_full = "wait"; ///< "wait", "spill" (to spill_dir) or "skip" (the frame, counted)
    std::string spill_dir;          ///< a directory on a local disk
    std::string on_error = "abort"; ///< "abort": throw Error; "continue": report, count, go on
    /// Placement `servers`, when a server ends, throws, or is silent for longer than SessionSpec::timeout:
    /// "stop": every rank's next call throws; "take-over": the next group of servers that lives writes on, or
    /// the computing ranks do, beginning with the frames that were on their way.
    std::string on_lost_server = "stop";
    std::string record_dimension = "Time";
    std::vector<Dimension> dimensions; ///< without the record dimension; of the whole domain
    std::vector<Selection> subset;     ///< what of the dimensions is kept; boxes stay those of the domain
    std::vector<Field> fields;
    std::vector<Attribute> attributes; ///< of the whole file
};

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
    std::unique_ptr<Impl> impl_;
};

/// A named sequence of frames.
class Stream {
  public:
    Stream(Stream &&) noexcept;
    Stream &operator=(Stream &&) noexcept;
    /// Without close() the file in the making is left as <path>.part, for `squall recover`; on a
    /// session of one rank it is published, and a failure is written to standard error.
    ~Stream();

    /// Copies this rank's box of a field that is fixed in time; as Frame::put. The copy is kept as
    /// long as the stream, since every file begins with it. Before the first commit.
    template <class T>
    void put(const std::string &field, const Box &box, const T *data, const Strides &strides = {}) {
        put(field, box, data, type_of<T>, strides);
    }
    void put(const std::string &field, const Box &box, const void *data, Type memory, const Strides &strides);

    /// Starts the frame of `time`. One frame of a stream is open at a time. Throws Error if one is
    /// open, if the time cannot be formatted, or if a frame on its way has failed.
    Frame begin(const Time &time);

    /// Waits until every frame is stored and publishes a file that is not full. Collective; throws
    /// Error. The stream is closed in any case.
    void close();

  private:
    friend class Session;
    friend class Frame;
    struct Impl;
    explicit Stream(std::shared_ptr<Impl> impl);
    std::shared_ptr<Impl> impl_;
};

/// What is fixed about a session.
struct SessionSpec {
    int servers = 0;                        ///< ranks set aside to write: this many in all,
    int servers_per_node = 0;               ///< or so many on every node; not both
    int groups = 1;                         ///< the servers form groups, which take files in turn
    std::string assignment = "consecutive"; ///< of slabs to servers; or "round-robin"
    bool shared_memory = true; ///< whether servers read frames in the memory of ranks of their node
    double watchdog = 60;      ///< seconds after which whoever waits says on standard error what for
    double timeout = 0;        ///< seconds after which whoever waits gives up with an Error; 0: never
    std::string report = {};   ///< file for the report (JSON), written by close(); empty: none
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

    /// Ends the session, whose streams must be closed: lets the servers go and writes the report.
    /// Collective over the computing ranks. Returns what each stream did, on rank 0 of comm().
    std::vector<StreamReport> close();

  private:
    friend class Stream;
    std::shared_ptr<struct SessionCore> core_;
};

/// A file that a stream published, or any netCDF file, for reading. Local to the rank: each rank
/// opens the file and reads its own boxes. Every call throws Error on failure.
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

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace squall::io
