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
        {"engine", of_stream(&S::engine), "engine: the format of the frames", {.choices = engine_names()}},
        {"placement",
         of_stream(&S::placement),
         "who writes: the computing ranks, a thread on each of them, or servers",
         {.choices = io::placements()},
         {},
         "`\"servers\"` if `[output]` sets some aside, else `\"thread\"` (`\"inline\"` where MPI does not "
         "let threads communicate)"},
        {"codec",
         of_stream(&S::codec),
         "compression codec: a name, or a name and a level such as `\"zstd:3\"`",
         {},
         {},
         "the engine's default"},
        {"options",
         of_stream(&S::options),
         "options of the engine",
         {.example = "{ chunk = \"auto\" }"},
         {},
         "none"},
        {"frames_per_file", of_stream(&S::frames_per_file), "frames per file", {.min = 1, .max = 1e9}},
        {"staging_limit",
         of_stream(&S::staging_limit),
         "memory for frames in flight, on each rank and server",
         {.unit = "B", .min = 0, .max = 1e15, .above = true},
         {},
         "`\"512 MB\"`"},
        {"when_full",
         of_stream(&S::when_full),
         "what to do when that memory is full: wait, spill to `spill_dir`, or skip the frame and count it",
         {.choices = {"wait", "spill", "skip"}}},
        {"spill_dir",
         of_stream(&S::spill_dir),
         "directory on a local disk for spilled frames",
         {},
         {},
         "none"},
        {"burst_dir",
         of_stream(&S::burst_dir),
         "directory on a fast local disk to write to first; the files are copied to `path` in the background",
         {},
         {},
         "none"},
        {"on_error",
         of_stream(&S::on_error),
         "what to do when a frame cannot be stored: end the run, or report it, count it and continue",
         {.choices = {"abort", "continue"}}},
    };
}

std::vector<Key> stream_content_keys() {
    using S = StreamConfig;
    return {
        {"fields",
         of_stream(&S::fields),
         "fields to write; `\"default\"`: the fields of a history that names none, `\"derived\"`: all that "
         "the run can derive, `\"-W\"`: all but W",
         {.example = "[\"default\", \"cape\"]"},
         {},
         "all fields of the stream"},
        {"constants",
         of_stream(&S::constants),
         "whether fields that never change are in every frame, as wrf-python expects, or once per file, "
         "without the dimension Time",
         {.choices = {"every-frame", "once"}},
         {},
         "`\"every-frame\"` with one frame per file, else `\"once\"`"},
        {"levels",
         of_stream(&S::levels),
         "first and last layer, counted from 0 at the ground, optionally a stride; interfaces follow",
         {.min = 0, .max = 1e6, .example = "[0, 9] or [0, 39, 4]"},
         {},
         "all"},
        {"region",
         of_stream(&S::region),
         "first and last cell from west to east, first and last from south to north, counted from 0; faces "
         "follow; an average counts these cells only",
         {.min = 0, .max = 1e6, .example = "[100, 199, 50, 149]"},
         {},
         "the whole domain"},
        {"lonlatbox",
         of_stream(&S::lonlatbox),
         "western and eastern longitude, southern and northern latitude, in degrees: the smallest region "
         "that holds all cells with centres between them; an average counts these cells only",
         {.min = -360, .max = 360, .example = "[-105, -90, 30, 42.5]"},
         {},
         "the whole domain"},
        {"stride", of_stream(&S::stride), "write every n-th cell in x and y", {.min = 1, .max = 1e6}},
        {"precision",
         of_stream(&S::precision),
         "precision of fields: a bound on the absolute or relative error, or 16-bit packing between two "
         "values",
         {.example = "{ T = \"absolute 0.01\", U = \"relative 1e-3\", QVAPOR = \"packed 0 0.04\" }"},
         {},
         "full precision"},
    };
}

std::vector<Key> stream_made_keys() {
    using S = StreamConfig;
    const Rule height{.unit = "m", .min = -1000, .max = 1e5, .example = "[\"1 km\", \"3 km\"]"};
    return {
        {"stations",
         of_stream(&S::stations),
         "table of stations at which fields are sampled, in place of the grid; relative to the run file (CSV "
         "with the columns name, and longitude and latitude [degrees], x and y [m] or i and j)",
         {},
         {},
         "none"},
        {"trajectories",
         of_stream(&S::trajectories),
         "table of moving places at which fields are sampled, such as ships, aircraft or balloons; as "
         "`stations`, with a column `time` (a date, or seconds since `run.start`), several lines per name, "
         "and optionally a column `altitude` [m above the sea]; without it whole columns are written",
         {},
         {},
         "none"},
        {"interpolation",
         of_stream(&S::interpolation),
         "interpolation to stations and trajectories: linear between the four surrounding points, nearest "
         "point, or nearest point on land",
         {.choices = {"linear", "nearest", "land"}}},
        {"places_outside",
         of_stream(&S::places_outside),
         "stations or trajectories outside the domain: refuse the run, or leave out such stations and write "
         "missing values while a trajectory is outside",
         {.choices = {"refuse", "leave-out"}}},
        {"pressure_levels",
         of_stream(&S::pressure_levels),
         "pressure levels to interpolate the fields of the air to, linear in log pressure, in place of model "
         "layers",
         {.unit = "Pa", .min = 0, .max = 2e5, .above = true, .example = "[\"850 hPa\", \"500 hPa\"]"},
         {},
         "none"},
        {"height_levels",
         of_stream(&S::height_levels),
         "heights above the sea to interpolate the fields of the air to, in place of model layers",
         height,
         {},
         "none"},
        {"ground_levels",
         of_stream(&S::ground_levels),
         "heights above the ground to interpolate the fields of the air to, in place of model layers",
         height,
         {},
         "none"},
        {"theta_levels",
         of_stream(&S::theta_levels),
         "levels of potential temperature to interpolate the fields of the air to, in place of model layers; "
         "the lowest crossing where there are "
         "several",
         {.unit = "K", .min = 0, .max = 5000, .above = true, .example = "[\"310 K\", \"330 K\"]"},
         {},
         "none"},
        {"outside_levels",
         of_stream(&S::outside_levels),
         "values on levels below the ground or above the top: missing, those of the nearest layer, or "
         "extrapolated",
         {.choices = {"missing", "nearest", "extrapolate"}}},
        {"over_time",
         of_stream(&S::over_time),
         "statistics of fields over the time since the previous frame: mean, min, max, sum, variance, "
         "standard_deviation, last, accumulation or rate; several of one field are separated by blanks",
         {.example = "{ T2 = \"min max\", RAINNC = \"accumulation\" }"},
         {},
         "nothing"},
        {"sample",
         of_stream(&S::sample),
         "model time between the samples for `over_time`, a whole number of time steps that divides "
         "`interval`",
         {.unit = "s", .min = 0, .max = 1e11, .above = true},
         {},
         "the time step"},
        {"average",
         of_stream(&S::average),
         "average (mean or other `statistic`) to write in place of the grid: over west-east rows, over "
         "south-north rows, over the domain layer by layer, over the layers of each column, or over all "
         "layers of the domain",
         {.choices = {"zonal", "meridional", "domain", "column", "volume"}},
         {},
         "none"},
        {"coarsen",
         of_stream(&S::coarsen),
         "write one cell for every n in x and y, the mean over them, in place of the grid; with `weight = "
         "\"area\"` its integral is the same",
         {.min = 1, .max = 1e6}},
        {"statistic",
         of_stream(&S::statistic),
         "statistic of the cells in an average or a coarser grid; the sum with a `weight` is the integral "
         "over area or mass",
         {.choices = {"mean", "sum", "min", "max", "variance", "standard_deviation"}}},
        {"quantiles",
         of_stream(&S::quantiles),
         "quantiles of fields, in place of `statistic`: which ones, from values counted (or their `weight` "
         "summed) in bins between two values in the field's units",
         {.example = "{ wind_speed_10m = \"0.5 0.99 of 600 bins from 0 to 60\" }"},
         {},
         "none"},
        {"weight",
         of_stream(&S::weight),
         "weight of cells in an average or a coarser grid: all equal, by area, or by the mass of their dry "
         "air; for fields on the ground the mass of the column",
         {.choices = {"none", "area", "mass"}}},
        {"mask",
         of_stream(&S::mask),
         "cells that count in an average or a coarser grid: all, `\"land\"` or `\"sea\"` of the initial "
         "file, or those where a field of it, or of a file next to the run file, is non-zero or has a given "
         "value",
         {.example = "\"basin = 3\" or \"basin in basins.nc\""}},
        {"reduce",
         of_stream(&S::reduce),
         "where averages, coarser grids and the like are computed: on the ranks that hold the cells, so that "
         "only results are sent; or on the servers of `placement` servers, which receive all cells",
         {.choices = {"ranks", "servers"}},
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
    return {"output",
            "Who writes, for all streams. Ranks set aside as servers do not compute: of 12 ranks with "
            "`servers = 2`, 10 compute.",
            {
                {"servers", in(&O::servers), "ranks set aside to write, in total", count},
                {"servers_per_node", in(&O::servers_per_node),
                 "ranks set aside to write on each node, in place of `servers`", count},
                {"groups",
                 in(&O::groups),
                 "groups of servers, which take the files of a stream in turn",
                 {.min = 1, .max = 1e6}},
                {"assignment",
                 in(&O::assignment),
                 "assignment of the slabs of a field to the servers of a group",
                 {.choices = {"consecutive", "round-robin"}}},
                {"watchdog",
                 in(&O::watchdog),
                 "time after which a rank waiting for output reports on standard error what it waits for",
                 {.unit = "s", .min = 0, .max = 1e9, .above = true}},
                {"timeout",
                 in(&O::timeout),
                 "time after which it gives up and ends the run; \"0 s\": never",
                 {.unit = "s", .min = 0, .max = 1e9}},
            }};
}

TableSchema stream_table() {
    using S = StreamConfig;
    TableSchema table{
        "output.<stream>",
        "One table for each stream that is written: `history`, `restart`, and any others, which are "
        "histories with settings of their own.",
        {
            {"interval",
             of_stream(&S::interval),
             "model time between frames, a whole number of time steps; \"0 s\" writes no frames",
             {.unit = "s", .min = 0, .max = 1e11},
             Presence::required},
            {"path",
             of_stream(&S::path),
             "path of the files, below `run.directory`; %Y %m %d %H %M %S are replaced by the time of a "
             "file's first frame. For a network stream: the file that tells consumers its address",
             {},
             {},
             "`\"<stream>_%Y-%m-%d_%H:%M:%S.nc\"`; with engine zarr `.zarr`, adios `.bp`; sst "
             "`\"<stream>.sst\"`"},
        }};
    for (const auto &keys : {stream_writing_keys(), stream_content_keys(), stream_made_keys()})
        table.keys.insert(table.keys.end(), keys.begin(), keys.end());
    return table;
}

} // namespace squall
