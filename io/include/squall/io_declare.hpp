/// What a program declares to Squall's output runtime: types, fields, who owns which points, times, streams.
/// Part of squall/io.hpp, which says how it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace squall::io {

/// What went wrong, where (stream, file, field, rank) and what to do about it.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The engines and placements of this build, for whoever checks a configuration.
std::vector<std::string> engines();
std::vector<std::string> placements();

/// What a word in StreamSpec::options may be.
struct OptionInfo {
    /// size: bytes, with an optional k, M or G for powers of 1024.
    enum class Kind { number, size, boolean, word, text };
    std::string name;
    Kind kind = Kind::text;
    std::string preset;                  ///< what holds without the option
    std::string unit;                    ///< of a number; empty: none
    std::string about;                   ///< one line
    std::vector<std::string> words = {}; ///< of a word: the choice
    double least = 0;                    ///< of a number or size: the smallest
};

/// An engine, as `squall doctor` shows it.
struct EngineInfo {
    std::string name, makes;              ///< and what it makes of frames, in a few words
    std::vector<std::string> codecs;      ///< the first is the default
    bool parallel = false;                ///< whether more than one rank writes at the same time
    std::string missing;                  ///< why it is not in this build; empty if it is
    std::vector<OptionInfo> options = {}; ///< what StreamSpec::options may hold
    bool network = false; ///< whether it sends frames over the network instead of keeping them
};
/// All engines that Squall knows, in this build or not.
std::vector<EngineInfo> engine_infos();
/// What is wrong with an option of an engine of this build, with the nearest that is right; "" if nothing
/// is. For whoever reads options from a file and knows the line.
std::string option_fault(const std::string &engine, const std::string &option, const std::string &value);

/// The type of one element, in memory or in a file. A text is one element of a declared field, whose
/// letters are bytes of UTF-8 in the file: a dimension of characters of its own, as CF has it, where the
/// format has no texts. In memory it is a `const char *`.
enum class Type { f32, f64, i16, i32, character, i8, u8, i64, text };

/// The Type of a C++ type.
template <class T> inline constexpr Type type_of = T::not_an_element_type;
template <> inline constexpr Type type_of<float> = Type::f32;
template <> inline constexpr Type type_of<double> = Type::f64;
template <> inline constexpr Type type_of<std::int16_t> = Type::i16;
template <> inline constexpr Type type_of<std::int32_t> = Type::i32;
template <> inline constexpr Type type_of<char> = Type::character;
template <> inline constexpr Type type_of<std::int8_t> = Type::i8;
template <> inline constexpr Type type_of<std::uint8_t> = Type::u8;
template <> inline constexpr Type type_of<std::int64_t> = Type::i64;
template <> inline constexpr Type type_of<const char *> = Type::text;

/// The value of an attribute: text, or one or more numbers.
using Value = std::variant<std::string, std::vector<std::int32_t>, std::vector<float>, std::vector<double>,
                           std::vector<std::int64_t>>;

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
    /// Whether its length differs from frame to frame (Frame::length), as of lists of observations or
    /// particles; `size` is the most. The points behind it get the fill value, which is CF's incomplete
    /// multidimensional array, and a field of its own, `<name>_count`, an i64 per frame, says how many count.
    bool varying = false;
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

/// Places at which fields are sampled: stations, or platforms that move.
struct Places {
    std::string name;                    ///< of the dimension that they make, which need not be declared
    std::vector<std::string> dimensions; ///< in which they lie, slowest first
    std::int64_t count = 0;
    /// Place by place a number for each dimension: indices from 0, between points too. Empty: they move, and
    /// each frame says where they are (Frame::places).
    std::vector<double> positions = {};

    /// A dimension of other fields that stands for one of these, as that of the faces of cells does for that
    /// of their middles: a place lies so much further on along it.
    struct Stagger {
        std::string dimension, of;
        double by = 0.5;
    };
    std::vector<Stagger> staggers = {};
};

/// So many points of a dimension become one of another, which need not be declared; the last is made of what
/// is left where the size is no multiple.
struct Coarsening {
    std::string dimension;
    std::int64_t factor = 1;
    std::string onto;
};

/// How a field is made of another one, where it is not put: by the ranks that hold the points, of which only
/// the result travels. Its bits do not depend on who holds what: sums are exact, and rounded once.
/// Values that are the source's fill value, and points that the mask leaves out, do not count; where none
/// counts the result has its own fill value. Four kinds:
///
///   over dimensions  "mean", "sum", "min", "max", "variance", "standard_deviation", "count", "quantile";
///   over
///                    all of them, or over blocks of their points (`coarsen`): with the area of cells as
///                    weight a coarser grid has the same integral.
///   over time        `over` is the record dimension alone: "mean", "min", "max", "sum", "variance",
///                    "standard_deviation", "last", "accumulation" (what was added since the frame before) or
///                    "rate" (that per second) of all samples since the frame before: Stream::sample, and the
///                    frame's own. Every sample counts the same.
///   at places        `at` names them: "linear" between the points around each, or "nearest". The result has
///                    the places' dimension first, then those of the source in which they do not lie.
///   onto levels      "interpolate": `over` is one dimension, in whose place the result has `onto`.
///
/// Fields made over time or onto levels are made where the source is put, box by box, and may be sources
/// themselves, of all kinds: the largest wind on 850 hPa since the last frame at stations is made in three
/// steps.
struct Reduction {
    std::string of; ///< the source: a per-frame field of the stream, or one of StreamSpec::sources
    std::string method = "mean";          ///< as above
    std::vector<std::string> over = {};   ///< dimensions of the source that the result has not
    std::vector<Coarsening> coarsen = {}; ///< dimensions of the source that the result has coarser
    /// A field or source on some of the source's dimensions, such as the area or mass of cells. One that is
    /// per frame is put before the source. For mean, sum, variance, standard_deviation and quantile.
    std::string weight = {};
    std::string mask = {};              ///< the same: where it is 0 nothing counts
    std::vector<Selection> within = {}; ///< what counts of dimensions in `over`, by index; stride 1
    /// Of a quantile: which, by counting values, or adding weights, in so many bins from `low` to `high`, in
    /// one linearly; the outermost have what lies outside. Bins that ranks share take bytes_of_bin().
    double quantile = 0.5, low = 0, high = 0;
    int bins = 256;
    std::string at = {}; ///< the name of Places
    /// Onto levels: the dimension that has them; what they are values of, a field or source with the same
    /// dimensions (or some of them) that is put before the source; and the values, one for each. Of several
    /// crossings the first along the dimension counts.
    std::string onto = {}, coordinate = {};
    std::vector<double> levels = {};
    std::string scale = "linear"; ///< or "log": linear in the logarithm of the coordinate, as in pressure
    /// Of a level that a column does not reach: "missing" (the fill value), "nearest" (the column's end), or
    /// "extrapolate" (on from its last two points).
    std::string outside = "missing";
};

/// A named distributed array.
struct Field {
    std::string name;
    Type type = Type::f32;               ///< in the file; memory may differ, see Frame::put
    std::vector<std::string> dimensions; ///< names, slowest first, without the record dimension; may be empty
    std::vector<Attribute> attributes;   ///< written in this order
    bool per_frame = true; ///< false: fixed in time, put with Stream::put and stored once a file
    Precision precision = {};
    int letters = 0; ///< of a text: how many bytes of UTF-8 it may have
    /// The value of points that nobody owns and of frames that leave the field out, and its attribute
    /// _FillValue; without it the default of netCDF for the type. Exact in the field's type.
    std::optional<double> fill = {};
    /// Whether a frame may leave it out (Frame::leave_out). Which did not is told by a field of its own,
    /// `<name>_status`, an i8 per frame with CF's flags: 0 left out, 1 present.
    bool optional = false;
    /// Name of the stream's Decomposition in which it is put; empty: none.
    std::string decomposition = {};
    /// Where it is made of another field. Its dimensions may be left empty: they are those of the source
    /// that are left. Its attribute cell_methods, if it has none, is CF's.
    std::optional<Reduction> reduction = {};
};

/// A start and a count per dimension in global 0-based index space (never with a halo). A count
/// of 0 is an empty box, which may be put and means nothing. Both are empty for a scalar.
struct Box {
    std::vector<std::int64_t> start, count;
    friend bool operator==(const Box &, const Box &) = default;
};

/// Which points of a grid are this rank's: declared once, for all the fields that are put in it. The rank
/// has either boxes, or points by their indices along one dimension (an unstructured grid, or the
/// points of a grid that is written as a line). Ranks differ in it; everything else they declare is equal.
struct Decomposition {
    std::string name;
    /// The dimensions that are divided, slowest first; they are the last of each field's. Of a list of
    /// indices: one.
    std::vector<std::string> dimensions;
    std::vector<Box> boxes; ///< in memory one behind the other, each contiguous
    /// Of points, in the order in which they lie in memory; any order. A run of ascending indices travels as
    /// one, so that a list of few runs costs less than a scattered one.
    std::vector<std::int64_t> indices = {};
    /// Points that nobody owns, such as suppressed land, which get the fill value: each is declared by one
    /// rank, whichever, that writes it. A point that is neither owned nor declared still fails the frame.
    std::vector<Box> unowned = {};
};

/// Elements from one index to the next, per dimension of a box; empty: the box lies contiguous,
/// last dimension fastest.
using Strides = std::vector<std::ptrdiff_t>;

/// A model time: seconds since an epoch (UTC).
struct Time {
    double seconds = 0;
    std::string epoch = "2000-01-01T00:00:00"; ///< ISO 8601; '_' or a blank may stand for the T
    /// CF's name: standard (or gregorian), proleptic_gregorian, julian, noleap (365_day), all_leap
    /// (366_day), 360_day, or none, which is counted as proleptic_gregorian. Empty: that of the stream, or
    /// proleptic_gregorian.
    std::string calendar = {};
};

/// The interval that a frame stands for, in seconds since the epoch of its time.
struct TimeBounds {
    double begin = 0, end = 0;
};

/// CF's time coordinate, written by the runtime: a field of one f64 per frame.
struct TimeAxis {
    std::string name = {}; ///< of the field; empty: that of the record dimension, as CF wants it
    std::string units = "seconds since 2000-01-01 00:00:00"; ///< also minutes, hours, days
    bool bounds = false; ///< whether each frame has TimeBounds: a field `<name>_bnds`
};

/// Writes a time through a pattern: %Y %m %d %H %M %S are replaced (seconds are rounded to the
/// millisecond, then cut to whole ones), %% is a percent sign, everything else stays. Throws Error
/// on an epoch, a calendar or a pattern that it does not understand.
std::string format_time(const Time &time, const std::string &pattern);

/// Everything that is fixed about a stream before its first frame.
struct StreamSpec {
    std::string name; ///< for messages, the manifest and the report
    /// Where files go: a pattern for format_time, filled with the time of the file's first frame.
    /// Missing directories are created. Of a network stream: the file that tells consumers its address.
    std::string path;
    std::string engine = "netcdf";              ///< one of engines()
    std::string placement = "inline";           ///< one of placements()
    std::string codec;                          ///< "name" or "name:level"; empty: the engine's default
    std::map<std::string, std::string> options; ///< of the engine; see its documentation
    /// Frames in a file; 0: all of them in one. A file is published (renamed from `<path>.part`, after its
    /// bytes are on disk) when it is full or when the stream is closed: its readers see whole frames only. A
    /// frame in a file that is not full yet is in `<path>.part`. Engine `zarr` publishes every frame.
    int frames_per_file = 1;
    bool replace = false;  ///< whether a file of an earlier run may be replaced
    std::string burst_dir; ///< write here first and copy to `path` in the background; empty: do not
    /// Bytes of the session's staging_limit that this stream may take, on each rank and server; 0: all of
    /// it. Streams whose limits add up to no more than the session's never wait for each other's room.
    std::size_t staging_limit = 0;
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
    std::string calendar = {};         ///< of its frames' times; empty: proleptic_gregorian
    std::optional<TimeAxis> time = {}; ///< whether the runtime writes the time coordinate
    std::vector<Decomposition> decompositions = {};
    /// Go on behind the frames of an earlier run's file at the path of the first frame, if there is one; with
    /// `replace` and `time`, behind those before that frame. Its declaration is this one; few engines can.
    bool append = false;
    /// What is put but not written: fields that reductions are made of or weighted with. Steps on the way,
    /// made over time or onto levels, too.
    std::vector<Field> sources = {};
    std::vector<Places> places = {};
    /// Who makes fields over dimensions and at places: "ranks", those that hold the points; "servers", to
    /// which all of their sources is sent for it, weights, masks and where places are; "gather", rank 0 of
    /// whole fields, as programs do that have nothing better, to compare with. Empty: servers of what they
    /// receive to write it, unweighted, since then nothing more moves, or else ranks. See made_fields().
    std::string reduce = {};
};

/// A field of a declaration that is made of others: the dimensions that it has, and who makes it under
/// StreamSpec::reduce, "ranks", "servers" or "rank 0".
struct MadeField {
    std::string name;
    std::vector<std::string> dimensions;
    std::string by;
};
/// All of them. Throws Error: what is wrong with the declaration.
std::vector<MadeField> made_fields(const StreamSpec &spec);

} // namespace squall::io
