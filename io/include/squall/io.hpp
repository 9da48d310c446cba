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
///   collective (every rank of the session, in the same order): Session(), open, begin, commit,
///   close, abandon. Arguments must agree on all ranks.
///   local: put, and everything of Reader.
///
/// Failure: Error, whose what() says what was wrong, where and what to do. A collective call that
/// fails does so on every rank with the same text, so nobody is left waiting. A mistake in a put
/// (no such field, a box outside the field, a type that does not fit) is kept and reported by
/// commit, for the same reason. A field with points that nobody put, or that were put twice, is
/// refused by commit: a hole never becomes fill values.
///
/// Published frames stay published whatever happens later.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// The type of one element, in memory or in a file.
enum class Type { f32, f64, i32, character };

/// The Type of a C++ type.
template <class T> inline constexpr Type type_of = T::not_an_element_type;
template <> inline constexpr Type type_of<float> = Type::f32;
template <> inline constexpr Type type_of<double> = Type::f64;
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

/// A named distributed array.
struct Field {
    std::string name;
    Type type = Type::f32;               ///< in the file; memory may differ, see Frame::put
    std::vector<std::string> dimensions; ///< names, slowest first, without the record dimension; may be empty
    std::vector<Attribute> attributes;   ///< written in this order
    bool per_frame = true; ///< false: fixed in time, put with Stream::put and stored once a file
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
    std::string name; ///< for messages
    /// Where files go: a pattern for format_time, filled with the time of the file's first frame.
    /// Missing directories are created.
    std::string path;
    std::string engine = "netcdf";    ///< one of engines()
    std::string placement = "inline"; ///< one of placements()
    /// Frames in a file. A file is published (renamed from <path>.part, after its bytes are on
    /// disk) when it is full or when the stream is closed: its readers see whole frames only. A
    /// frame in a file that is not full yet is in <path>.part, which is a readable file too.
    int frames_per_file = 1;
    bool replace = false; ///< whether a file of an earlier run may be replaced
    std::string record_dimension = "Time";
    std::vector<Dimension> dimensions; ///< without the record dimension
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
    /// it filled its file. Collective. Throws Error on all ranks, then this frame is not stored
    /// and nothing of it is visible, frames stored before are kept, the stream may be used on.
    void commit();

    /// Drops the frame. Collective in that every rank must do it.
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
    /// Publishes what is complete, without agreement among ranks: a failure is written to
    /// standard error. Prefer close().
    ~Stream();

    /// Copies this rank's box of a field that is fixed in time; as Frame::put. The copy is kept as
    /// long as the stream, since every file begins with it. Before the first commit.
    template <class T>
    void put(const std::string &field, const Box &box, const T *data, const Strides &strides = {}) {
        put(field, box, data, type_of<T>, strides);
    }
    void put(const std::string &field, const Box &box, const void *data, Type memory, const Strides &strides);

    /// Starts the frame of `time`. One frame of a stream is open at a time. Collective. Throws
    /// Error if one is open, or if the time cannot be formatted.
    Frame begin(const Time &time);

    /// Publishes a file that is not full. Collective; throws Error on all ranks. The stream is
    /// closed in any case.
    void close();

  private:
    friend class Session;
    friend class Frame;
    struct Impl;
    explicit Stream(std::shared_ptr<Impl> impl);
    std::shared_ptr<Impl> impl_;
};

/// The ranks that write together.
class Session {
  public:
    /// On a duplicate of `comm`. Collective. MPI must be initialised, and must not be finalised
    /// before the session and its streams are gone.
    explicit Session(MPI_Comm comm);
    Session(Session &&) noexcept;
    Session &operator=(Session &&) noexcept;
    ~Session();

    /// Declares a stream. Touches no file. Collective; throws Error on a declaration that cannot
    /// work: unknown engine or placement, duplicate or missing names, sizes out of range, a path
    /// that another stream of this session writes.
    Stream open(StreamSpec spec);

  private:
    friend class Stream;
    struct Impl;
    std::shared_ptr<Impl> impl_;
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
