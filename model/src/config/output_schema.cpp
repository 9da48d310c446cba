#include "config/output_schema.hpp"

#include <algorithm>

#include "squall/io.hpp"

namespace squall {
namespace {

/// The slot of a member of the stream that is being read.
template <class T> std::function<Slot(Config &)> of_stream(T StreamConfig::*member) {
    return [=](Config &config) -> Slot { return &(config.streams.back().*member); };
}

std::vector<std::string> engine_names() {
    std::vector<std::string> names;
    for (const auto &engine : io::engine_infos()) names.push_back(engine.name);
    std::ranges::sort(names);
    return names;
}

std::vector<Key> stream_writing_keys() {
    using S = StreamConfig;
    return {
        {"engine", of_stream(&S::engine), "what a frame becomes", {.choices = engine_names()}},
        {"placement",
         of_stream(&S::placement),
         "who writes: the computing ranks, a thread beside each, or servers",
         {.choices = io::placements()},
         {},
         "`\"servers\"` if `[output]` sets some aside, else `\"thread\"` (`\"inline\"` where MPI does not "
         "let "
         "threads communicate)"},
        {"codec",
         of_stream(&S::codec),
         "how bytes shrink: a name, or a name and a level such as `\"zstd:3\"`",
         {},
         {},
         "the engine's"},
        {"options", of_stream(&S::options), "of the engine", {.example = "{ chunk = \"auto\" }"}, {}, "none"},
        {"frames_per_file", of_stream(&S::frames_per_file), "frames in a file", {.min = 1, .max = 1e9}},
        {"staging_limit",
         of_stream(&S::staging_limit),
         "memory for frames on their way, on each rank and server",
         {.unit = "B", .min = 0, .max = 1e15, .above = true},
         {},
         "`\"512 MB\"`"},
        {"when_full",
         of_stream(&S::when_full),
         "when that memory is full: wait, spill to `spill_dir`, or skip the frame and count it",
         {.choices = {"wait", "spill", "skip"}}},
        {"spill_dir", of_stream(&S::spill_dir), "a directory on a local disk", {}, {}, "none"},
        {"burst_dir",
         of_stream(&S::burst_dir),
         "write here first, on a fast local disk, and copy to `path` in the background",
         {},
         {},
         "none"},
        {"on_error",
         of_stream(&S::on_error),
         "when a frame cannot be stored: end the run, or report and count it and go on",
         {.choices = {"abort", "continue"}}},
    };
}

std::vector<Key> stream_content_keys() {
    using S = StreamConfig;
    return {
        {"fields",
         of_stream(&S::fields),
         "the fields to write; `\"default\"`: those of a history that names none, `\"derived\"`: all that "
         "the run can derive, `\"-W\"`: these without W",
         {.example = "[\"default\", \"cape\"]"},
         {},
         "all of the stream's"},
        {"constants",
         of_stream(&S::constants),
         "fields that never change: in every frame, as wrf-python wants them, or once a file, without the "
         "dimension Time",
         {.choices = {"every-frame", "once"}},
         {},
         "`\"every-frame\"` with one frame a file, else `\"once\"`"},
        {"levels",
         of_stream(&S::levels),
         "first and last layer, counted from 0 at the ground, and perhaps a stride; interfaces follow",
         {.min = 0, .max = 1e6, .example = "[0, 9] or [0, 39, 4]"},
         {},
         "all"},
        {"region",
         of_stream(&S::region),
         "first and last cell from west to east, first and last from south to north, counted from 0; faces "
         "follow; of an average only these cells count",
         {.min = 0, .max = 1e6, .example = "[100, 199, 50, 149]"},
         {},
         "the whole domain"},
        {"lonlatbox",
         of_stream(&S::lonlatbox),
         "western and eastern longitude, southern and northern latitude, of degrees: the smallest region "
         "that "
         "has all cells whose middles lie between them; of an average only these cells count",
         {.min = -360, .max = 360, .example = "[-105, -90, 30, 42.5]"},
         {},
         "the whole domain"},
        {"stride", of_stream(&S::stride), "keep every so many cells in x and y", {.min = 1, .max = 1e6}},
        {"precision",
         of_stream(&S::precision),
         "how exactly fields are kept: within an absolute or a relative error, or packed into 16 bits "
         "between "
         "two values",
         {.example = "{ T = \"absolute 0.01\", U = \"relative 1e-3\", QVAPOR = \"packed 0 0.04\" }"},
         {},
         "every bit"},
    };
}

std::vector<Key> stream_made_keys() {
    using S = StreamConfig;
    const Rule height{.unit = "m", .min = -1000, .max = 1e5, .example = "[\"1 km\", \"3 km\"]"};
    return {
        {"stations",
         of_stream(&S::stations),
         "a table of places beside the run file (CSV with the columns name, and longitude and latitude "
         "[degrees], x and y [m] or "
         "i and "
         "j), at which fields are sampled instead",
         {},
         {},
         "none"},
        {"trajectories",
         of_stream(&S::trajectories),
         "the same of places that move, such as ships, aircraft or balloons: with a column `time` (a date, "
         "or "
         "seconds since `run.start`), several lines for each name, and perhaps a column `altitude` [m above "
         "the "
         "sea], without which whole columns are taken",
         {},
         {},
         "none"},
        {"interpolation",
         of_stream(&S::interpolation),
         "at stations and trajectories: between the four points around, at the nearest, or at the nearest on "
         "land",
         {.choices = {"linear", "nearest", "land"}}},
        {"places_outside",
         of_stream(&S::places_outside),
         "stations or trajectories outside of the domain: refuse the run, or leave out such stations and "
         "give missing values where a trajectory is outside",
         {.choices = {"refuse", "leave-out"}}},
        {"pressure_levels",
         of_stream(&S::pressure_levels),
         "fields of the air on levels of pressure, linear in its logarithm, instead of on the model's",
         {.unit = "Pa", .min = 0, .max = 2e5, .above = true, .example = "[\"850 hPa\", \"500 hPa\"]"},
         {},
         "none"},
        {"height_levels",
         of_stream(&S::height_levels),
         "the same, of height above the sea",
         height,
         {},
         "none"},
        {"ground_levels",
         of_stream(&S::ground_levels),
         "the same, of height above the ground",
         height,
         {},
         "none"},
        {"theta_levels",
         of_stream(&S::theta_levels),
         "the same, of potential temperature: the lowest where there are several",
         {.unit = "K", .min = 0, .max = 5000, .above = true, .example = "[\"310 K\", \"330 K\"]"},
         {},
         "none"},
        {"outside_levels",
         of_stream(&S::outside_levels),
         "a level below the ground or above the top: missing, as at the nearest layer, or extrapolated",
         {.choices = {"missing", "nearest", "extrapolate"}}},
        {"over_time",
         of_stream(&S::over_time),
         "what is made of fields over the time since the frame before: mean, min, max, sum, variance, "
         "standard_deviation, last, accumulation or rate; of one field several, with blanks",
         {.example = "{ T2 = \"min max\", RAINNC = \"accumulation\" }"},
         {},
         "nothing"},
        {"sample",
         of_stream(&S::sample),
         "model time between samples for it, a whole number of time steps that divides `interval`",
         {.unit = "s", .min = 0, .max = 1e11, .above = true},
         {},
         "the time step"},
        {"average",
         of_stream(&S::average),
         "the mean, or another `statistic`, instead: over rows from west to east, over those from south to "
         "north, over the domain layer by layer, over the layers of each column, or over all layers of the "
         "domain",
         {.choices = {"zonal", "meridional", "domain", "column", "volume"}},
         {},
         "none"},
        {"coarsen",
         of_stream(&S::coarsen),
         "make one cell of so many in x and y, by the mean over them, instead; with `weight = \"area\"` it "
         "has "
         "the same integral",
         {.min = 1, .max = 1e6}},
        {"statistic",
         of_stream(&S::statistic),
         "what an average or a coarser grid has of its cells; the sum with a `weight` is the integral over "
         "area or mass",
         {.choices = {"mean", "sum", "min", "max", "variance", "standard_deviation"}}},
        {"quantiles",
         of_stream(&S::quantiles),
         "the same of fields, instead of the `statistic`: which quantiles, from values counted in bins "
         "between two values in the field's units, or from their `weight` added up in these",
         {.example = "{ wind_speed_10m = \"0.5 0.99 of 600 bins from 0 to 60\" }"},
         {},
         "none"},
        {"weight",
         of_stream(&S::weight),
         "of cells in an average or a coarser grid: all alike, by area, or by the mass of their dry air; of "
         "fields on the ground that of the column",
         {.choices = {"none", "area", "mass"}}},
        {"mask",
         of_stream(&S::mask),
         "which cells count in an average or a coarser grid: all, `\"land\"` or `\"sea\"` of the initial "
         "file, "
         "or those where a field of it, or of a file beside the run file, is not 0, or has a value",
         {.example = "\"basin = 3\" or \"basin in basins.nc\""}},
        {"reduce",
         of_stream(&S::reduce),
         "who makes this: the ranks that hold the cells, so that only results travel, the servers of "
         "`placement` servers, to which all cells are sent for it, or rank 0 after all was gathered to it, "
         "as "
         "models do that have nothing better, to compare with",
         {.choices = {"ranks", "servers", "gather"}},
         {},
         "ranks"},
    };
}

} // namespace

TableSchema output_table() {
    using O = OutputConfig;
    const auto in = [](auto member) {
        return [member](Config &config) -> Slot { return &(config.output.*member); };
    };
    const Rule count{.min = 0, .max = 1e6};
    return {
        "output",
        "Who writes, for all streams. Ranks set aside as servers compute nothing: of 12 ranks with `servers "
        "= 2`, 10 compute.",
        {
            {"servers", in(&O::servers), "ranks set aside to write, over all nodes", count},
            {"servers_per_node", in(&O::servers_per_node), "ranks set aside on each node, instead", count},
            {"groups",
             in(&O::groups),
             "groups of servers that take the files of a stream in turn",
             {.min = 1, .max = 1e6}},
            {"assignment",
             in(&O::assignment),
             "of the slabs of a field to the servers of a group",
             {.choices = {"consecutive", "round-robin"}}},
            {"watchdog",
             in(&O::watchdog),
             "after which a rank that waits in output says on standard error what for",
             {.unit = "s", .min = 0, .max = 1e9, .above = true}},
            {"timeout",
             in(&O::timeout),
             "after which it gives up and ends the run; \"0 s\": never",
             {.unit = "s", .min = 0, .max = 1e9}},
        }};
}

TableSchema stream_table() {
    using S = StreamConfig;
    TableSchema table{
        "output.<stream>",
        "One table for each stream that is written: `history`, `restart`, and any others, which are "
        "histories "
        "with settings of their own.",
        {
            {"interval",
             of_stream(&S::interval),
             "model time between frames, a whole number of time steps; \"0 s\" writes none",
             {.unit = "s", .min = 0, .max = 1e11},
             Presence::required},
            {"path",
             of_stream(&S::path),
             "file below `run.directory`; %Y %m %d %H %M %S stand for the time of its first frame. Of a "
             "network "
             "stream: the file that tells consumers its address",
             {},
             {},
             "`\"<stream>_%Y-%m-%d_%H:%M:%S.nc\"`, with engine zarr `.zarr`, adios `.bp`; sst "
             "`\"<stream>.sst\"`"},
        }};
    for (const auto &keys : {stream_writing_keys(), stream_content_keys(), stream_made_keys()})
        table.keys.insert(table.keys.end(), keys.begin(), keys.end());
    return table;
}

} // namespace squall
