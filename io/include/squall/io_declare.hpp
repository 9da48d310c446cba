/// Declarations for Squall's output runtime: types, fields, ownership of points, times, streams. Part of
/// squall/io.hpp, which shows how to use them.
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

/// An error: what was wrong, where (stream, file, field, rank) and what to do.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The engines and placements of this build, for checking a configuration.
std::vector<std::string> engines();
std::vector<std::string> placements();

/// An option of an engine, for StreamSpec::options.
struct OptionInfo {
    /// size: bytes, with an optional k, M or G for powers of 1024.
    enum class Kind { number, size, boolean, word, text };
    std::string name;
    Kind kind = Kind::text;
    std::string preset;                  ///< the default
    std::string unit;                    ///< unit of a number; empty: none
    std::string about;                   ///< description in one line
    std::vector<std::string> words = {}; ///< the allowed values of a word
    double least = 0;                    ///< the smallest number or size
};

/// An engine, as `squall doctor` shows it.
struct EngineInfo {
    std::string name, makes;              ///< name, and a short description of its output
    std::vector<std::string> codecs;      ///< the first is the default
    bool parallel = false;                ///< whether more than one rank writes at the same time
    std::string missing;                  ///< why it is not in this build; empty if it is
    std::vector<OptionInfo> options = {}; ///< options for StreamSpec::options
    bool network = false; ///< whether it sends frames over the network instead of keeping them
};
/// All engines that Squall knows, in this build or not.
std::vector<EngineInfo> engine_infos();
/// The error in an option of an engine of this build, with the closest valid option; "" if the option is
/// valid. For programs that read options from a file and report the line.
std::string option_fault(const std::string &engine, const std::string &option, const std::string &value);

/// The type of one element, in memory or in a file. A text is one element of a declared field, stored as
/// UTF-8; in formats without strings it gets a dimension of characters, as in CF. In memory it is a `const
/// char *`.
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

/// A named dimension that fields share.
struct Dimension {
    std::string name;
    std::int64_t size = 0;
    /// Whether its length varies from frame to frame (Frame::length), as for lists of observations or
    /// particles; `size` is the maximum. The points beyond the length get the fill value (CF's incomplete
    /// multidimensional array), and a field `<name>_count`, an i64 per frame, holds the length.
    bool varying = false;
};

/// The precision with which a floating-point field is stored. The field's attributes record it.
struct Precision {
    enum class Kind {
        full,   ///< full precision
        packed, ///< int16 with CF's scale_factor and add_offset, for values in [low, high]; other values are
                ///< errors
        absolute, ///< rounded so that no value changes by more than `bound`
        relative  ///< the same, by no more than `bound` times the value
    };
    Kind kind = Kind::full;
    double bound = 0;         ///< in the field's units, or relative to the value
    double low = 0, high = 0; ///< for packed
};

/// The part of a dimension that a stream keeps: indices start, start + stride, ... below stop.
struct Selection {
    std::string dimension;
    std::int64_t start = 0, stop = -1, stride = 1; ///< stop -1: to the end
};

/// Places at which fields are sampled: stations, or platforms that move.
struct Places {
    std::string name;                    ///< name of the dimension that they form, which need not be declared
    std::vector<std::string> dimensions; ///< dimensions in which they have positions, slowest first
    std::int64_t count = 0;
    /// For each place, one index per dimension, from 0 and possibly fractional. Empty: the places move, and
    /// each frame sets their positions (Frame::places).
    std::vector<double> positions = {};

    /// A dimension of other fields that is staggered against one of these, such as cell faces against cell
    /// centres: positions along it are greater by `by`.
    struct Stagger {
        std::string dimension, of;
        double by = 0.5;
    };
    std::vector<Stagger> staggers = {};
};

/// Every `factor` points of a dimension become one point of dimension `onto`, which need not be declared; the
/// last point covers the remainder if the size is not a multiple.
struct Coarsening {
    std::string dimension;
    std::int64_t factor = 1;
    std::string onto;
};

/// How a field that is not put is computed from another one: on the ranks that hold the points, so that only
/// the result is sent. Its bits do not depend on the decomposition: sums are exact, and rounded once. Values
/// equal to the source's fill value, and masked points, do not count; a result without any value is its own
/// fill value. There are four kinds:
///
///   over dimensions  "mean", "sum", "min", "max", "variance", "standard_deviation", "count", "quantile" over
///                    all points, or blocks of points (`coarsen`): weighted by the area of cells, a coarser
///                    grid has the same integral.
///   over time        `over` is the record dimension alone: "mean", "min", "max", "sum", "variance",
///                    "standard_deviation", "last", "accumulation" (the change since the previous frame) or
///                    "rate" (that change per second) of all samples since the previous frame: those of
///                    Stream::sample, and the frame itself. All samples have equal weight.
///   at places        `at` names them: "linear" between the surrounding points, or "nearest". The result has
///                    the places' dimension first, then the source's dimensions in which places have no
///                    position.
///   onto levels      "interpolate": `over` is one dimension, which `onto` replaces in the result.
///
/// Reductions over time and onto levels are computed where the source is put, box by box, and may be sources
/// of any reduction: the maximum wind at 850 hPa since the last frame at stations takes three steps.
struct Reduction {
    std::string of; ///< the source: a per-frame field of the stream, or one of StreamSpec::sources
    std::string method = "mean";          ///< as above
    std::vector<std::string> over = {};   ///< dimensions of the source that the reduction removes
    std::vector<Coarsening> coarsen = {}; ///< dimensions of the source that become coarser
    /// Weight: a field or source on some of the source's dimensions, such as the area or mass of cells. A
    /// per-frame weight is put before the source. For mean, sum, variance, standard_deviation and quantile.
    std::string weight = {};
    std::string mask = {};              ///< mask, likewise: points where it is 0 do not count
    std::vector<Selection> within = {}; ///< indices that count of dimensions in `over`; stride 1
    /// Which quantile, from values counted (or weights summed) in `bins` bins from `low` to `high`, linear
    /// within a bin; values outside count in the outermost bins. Bins that ranks share take bytes_of_bin().
    double quantile = 0.5, low = 0, high = 0;
    int bins = 256;
    std::string at = {}; ///< the name of Places
    /// Onto levels: the dimension of the levels; the coordinate, a field or source with the same dimensions
    /// (or some of them) that is put before the source; and the coordinate's value on each level. Of several
    /// crossings the first along the dimension counts.
    std::string onto = {}, coordinate = {};
    std::vector<double> levels = {};
    std::string scale = "linear"; ///< or "log": linear in the logarithm of the coordinate, as in pressure
    /// Value on a level that a column does not reach: "missing" (the fill value), "nearest" (the column's
    /// end), or "extrapolate" (from its last two points).
    std::string outside = "missing";
};

/// A named distributed array.
struct Field {
    std::string name;
    Type type = Type::f32;               ///< type in the file; memory may differ, see Frame::put
    std::vector<std::string> dimensions; ///< names, slowest first, without the record dimension; may be empty
    std::vector<Attribute> attributes;   ///< written in this order
    bool per_frame = true; ///< false: fixed in time, put with Stream::put and stored once per file
    Precision precision = {};
    int letters = 0; ///< maximum length of a text in bytes of UTF-8
    /// Fill value, for points that no rank owns and frames that leave the field out, and its attribute
    /// _FillValue; default: netCDF's for the type. It must be exact in the field's type.
    std::optional<double> fill = {};
    /// Whether a frame may leave it out (Frame::leave_out). A field `<name>_status`, an i8 per frame with
    /// CF's flags, records it: 0 left out, 1 present.
    bool optional = false;
    /// Name of the stream's Decomposition for this field; empty: none.
    std::string decomposition = {};
    /// Set if the field is computed from another. Its dimensions may be left empty: they follow from the
    /// source's. It gets CF's attribute cell_methods if it has none.
    std::optional<Reduction> reduction = {};
};

/// A start and a count per dimension in global 0-based index space (never with a halo). A count of 0 is an
/// empty box, which may be put and has no effect. Both are empty for a scalar.
struct Box {
    std::vector<std::int64_t> start, count;
    friend bool operator==(const Box &, const Box &) = default;
};

/// The points of a grid that this rank owns, declared once for all fields that use it. The rank has either
/// boxes, or points by their indices along one dimension (an unstructured grid, or a grid that is written as
/// a line). It differs between ranks; everything else that ranks declare is equal.
struct Decomposition {
    std::string name;
    /// The divided dimensions, slowest first; they are the last dimensions of each field. With indices:
    /// exactly one.
    std::vector<std::string> dimensions;
    std::vector<Box> boxes; ///< one after the other in memory, each contiguous
    /// Indices of the points, in their order in memory, which is arbitrary. A run of consecutive indices is
    /// sent as one block, so that a list of few runs costs less than a scattered one.
    std::vector<std::int64_t> indices = {};
    /// Points that no rank owns, such as suppressed land, which get the fill value: any one rank declares
    /// each point and writes it. A point that is neither owned nor declared here fails the frame.
    std::vector<Box> unowned = {};
};

/// Elements from one index to the next, per dimension of a box; empty: the box is contiguous, last dimension
/// fastest.
using Strides = std::vector<std::ptrdiff_t>;

/// A model time: seconds since an epoch (UTC).
struct Time {
    double seconds = 0;
    std::string epoch = "2000-01-01T00:00:00"; ///< ISO 8601; '_' or a blank may stand for the T
    /// CF's name of the calendar: standard (or gregorian), proleptic_gregorian, julian, noleap (365_day),
    /// all_leap (366_day), 360_day, or none, which is treated as proleptic_gregorian. Empty: that of the
    /// stream, or proleptic_gregorian.
    std::string calendar = {};
};

/// The interval that a frame represents, in seconds since the epoch of its time.
struct TimeBounds {
    double begin = 0, end = 0;
};

/// CF's time coordinate, written by the runtime: a field of one f64 per frame.
struct TimeAxis {
    std::string name = {}; ///< name of the field; empty: that of the record dimension, as CF requires
    std::string units = "seconds since 2000-01-01 00:00:00"; ///< also minutes, hours, days
    bool bounds = false; ///< whether each frame has TimeBounds: a field `<name>_bnds`
};

/// Formats a time with a pattern: %Y %m %d %H %M %S are replaced (seconds are rounded to the millisecond,
/// then truncated), %% is a percent sign, everything else is copied. Throws Error for an invalid epoch,
/// calendar or pattern.
std::string format_time(const Time &time, const std::string &pattern);

/// The declaration of a stream, which is fixed before its first frame.
struct StreamSpec {
    std::string name; ///< name in messages, the manifest and the report
    /// Path of the files: a pattern for format_time, filled with the time of the file's first frame. Missing
    /// directories are created. A path that ends with '/' is a directory in which the program opens files
    /// itself (Stream::open_file); frames_per_file then means nothing. For a network stream: the file that
    /// tells consumers its address.
    std::string path;
    std::string engine = "netcdf";              ///< one of engines()
    std::string placement = "inline";           ///< one of placements()
    std::string codec;                          ///< "name" or "name:level"; empty: the engine's default
    std::map<std::string, std::string> options; ///< options of the engine; see its documentation
    /// Frames per file; 0: all frames in one file. A file is published (renamed from `<path>.part`, after its
    /// bytes are on disk) when it is full or the stream is closed, so that readers see whole frames only.
    /// Until then its frames are in `<path>.part`. Engine `zarr` publishes every frame.
    int frames_per_file = 1;
    bool replace = false;  ///< whether a file of an earlier run may be replaced
    std::string burst_dir; ///< directory to write to first, copied to `path` in the background; empty: none
    /// Bytes of the session's staging_limit that this stream may use, on each rank and server; 0: all of it.
    /// Streams whose limits add up to at most the session's never wait for each other.
    std::size_t staging_limit = 0;
    std::string when_full = "wait"; ///< "wait", "spill" (to spill_dir) or "skip" (the frame, counted)
    std::string spill_dir;          ///< a directory on a local disk
    std::string on_error = "abort"; ///< "abort": throw Error; "continue": report, count, go on
    /// With placement `servers`, if a server ends, throws, or does not respond for longer than
    /// SessionSpec::timeout: "stop": the next call on every rank throws; "take-over": the next surviving
    /// group of servers takes over, or the computing ranks do, beginning with the frames in flight.
    std::string on_lost_server = "stop";
    std::string record_dimension = "Time";
    std::vector<Dimension> dimensions; ///< dimensions of the whole domain, without the record dimension
    std::vector<Selection> subset;     ///< the indices that are kept; boxes are still those of the domain
    std::vector<Field> fields;
    std::vector<Attribute> attributes; ///< of the whole file
    std::string calendar = {};         ///< calendar of its frames' times; empty: proleptic_gregorian
    std::optional<TimeAxis> time = {}; ///< time coordinate that the runtime writes, if set
    std::vector<Decomposition> decompositions = {};
    /// Append to the file of an earlier run at the path of the first frame, if there is one; with `replace`
    /// and `time`, after its frames that precede that frame. The file must have this declaration; few engines
    /// support it.
    bool append = false;
    /// Sources, which are put but not written: fields that reductions use or are weighted with. Intermediate
    /// reductions over time or onto levels are sources too.
    std::vector<Field> sources = {};
    std::vector<Places> places = {};
    /// Who computes reductions over dimensions and at places: "ranks", which hold the points; "servers",
    /// which receive all sources, weights, masks and positions for it. Empty: servers for unweighted
    /// reductions of fields that they receive anyway, otherwise ranks. See made_fields().
    std::string reduce = {};
};

/// A field that is computed by a reduction: its dimensions, and who computes it under StreamSpec::reduce:
/// "ranks" or "servers".
struct MadeField {
    std::string name;
    std::vector<std::string> dimensions;
    std::string by;
};
/// All such fields of a declaration. Throws Error for an invalid declaration.
std::vector<MadeField> made_fields(const StreamSpec &spec);

} // namespace squall::io
