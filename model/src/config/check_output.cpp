#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "config/checks.hpp"
#include "config/nest_places.hpp"
#include "settings/nests.hpp"
#include "settings/network.hpp"
#include "squall/io.hpp"
#include "squall/io_words.hpp"

namespace squall {
namespace {

bool sets_servers_aside(const OutputConfig &o) { return o.servers > 0 || o.servers_per_node > 0; }

void check_servers(Reading &r) {
    const OutputConfig &o = r.config.output;
    if (o.servers > 0 && o.servers_per_node > 0)
        r.problems.add(r.place("output.servers_per_node"),
                       "output.servers and output.servers_per_node exclude each other; leave one out");
    if (o.servers > 0 && o.groups > o.servers)
        r.problems.add(r.place("output.groups"),
                       fmt::format("output.groups = {} of output.servers = {}: every group needs a server; "
                                   "at most {} groups are possible",
                                   o.groups, o.servers, o.servers));
    for (const std::string path : {"output.groups", "output.assignment"})
        if (r.has(path) && !sets_servers_aside(o))
            r.problems.add(r.place(path), path + " has no effect without output.servers or "
                                                 "output.servers_per_node, such as servers = 1");
}

void check_placement(Reading &r, const std::string &table, const StreamConfig &stream) {
    const OutputConfig &o = r.config.output;
    if (stream.placement == "servers" && !sets_servers_aside(o))
        r.problems.add(r.place(table + ".placement"),
                       table + ".placement = \"servers\", but no ranks are set aside as servers: set "
                               "output.servers, such as servers = 1 below [output], or use \"thread\"");
    if (stream.when_full == "spill" && stream.spill_dir.empty())
        r.problems.add(r.place(table + ".when_full"),
                       table + ".when_full = \"spill\" needs spill_dir, a directory on a local disk");
    if (stream.when_full != "spill" && r.has(table + ".spill_dir"))
        r.problems.add(r.place(table + ".spill_dir"),
                       table + ".spill_dir has no effect without when_full = \"spill\"");
}

void check_engine(Reading &r, const std::string &table, const StreamConfig &stream) {
    const auto infos = io::engine_infos();
    const auto engine = std::ranges::find(infos, stream.engine, &io::EngineInfo::name);
    if (!engine->missing.empty()) {
        r.problems.add(r.place(table + ".engine"),
                       fmt::format("{}.engine: engine \"{}\" is not in this build: {}; this build has {}",
                                   table, stream.engine, engine->missing, fmt::join(io::engines(), ", ")));
        return;
    }
    const std::string codec = stream.codec.substr(0, stream.codec.find(':'));
    if (!codec.empty() && std::ranges::find(engine->codecs, codec) == engine->codecs.end())
        r.problems.add(r.place(table + ".codec"),
                       fmt::format("{}.codec: engine \"{}\" has no codec \"{}\"; {}", table, stream.engine,
                                   codec, io::near_and_all(codec, engine->codecs)));
    for (const auto &[option, value] : stream.options)
        if (const auto fault = io::option_fault(stream.engine, option, value); !fault.empty())
            r.problems.add(r.place(table + ".options"), fmt::format("{}.options: {}", table, fault));
}

/// Of a dimension of `size` points: first and last that a key asks for, by `stride`.
void check_range(Reading &r, const std::string &path, int first, int last, int stride, int size,
                 const char *what) {
    if (first > last || last >= size)
        r.problems.add(r.place(path), fmt::format("{}: {} {} to {} are out of range; indices go from 0 to {}",
                                                  path, what, first, last, size - 1));
    else if (stride < 1 || stride > last - first + 1)
        r.problems.add(r.place(path), fmt::format("{}: a stride of {} is out of range for {} {}; use 1 to {}",
                                                  path, stride, last - first + 1, what, last - first + 1));
}

/// Cells of the domain that a stream is of.
std::array<int, 2> cells_of(const Config &config, const StreamConfig &stream) {
    const NestConfig *nest = nest_of(config, stream);
    if (!nest) return {config.domain.nx, config.domain.ny};
    return {nest->nx, nest->ny};
}

void check_subset(Reading &r, const std::string &table, const StreamConfig &s) {
    const auto [cells_x, cells_y] = cells_of(r.config, s);
    const std::string levels = table + ".levels", region = table + ".region", stride = table + ".stride";
    if (r.has(levels) && s.levels.size() != 2 && s.levels.size() != 3)
        r.problems.add(r.place(levels), fmt::format("{} has {} numbers; expected first and last layer, "
                                                    "optionally a stride, such as [0, 9] or [0, 39, 4]",
                                                    levels, s.levels.size()));
    else if (r.has(levels))
        check_range(r, levels, s.levels[0], s.levels[1], s.levels.size() == 3 ? s.levels[2] : 1,
                    layers_of(r.config, nest_of(r.config, s)), "layers");
    if (r.has(region) && s.region.size() != 4) {
        r.problems.add(r.place(region), fmt::format("{} has {} numbers; expected first and last cell in x, "
                                                    "first and last in y, such as [100, 199, 50, 149]",
                                                    region, s.region.size()));
        return;
    }
    if (r.has(region)) {
        check_range(r, region, s.region[0], s.region[1], 1, cells_x, "cells from west to east");
        check_range(r, region, s.region[2], s.region[3], 1, cells_y, "cells from south to north");
    }
    const int nx = r.has(region) ? s.region[1] - s.region[0] + 1 : cells_x;
    const int ny = r.has(region) ? s.region[3] - s.region[2] + 1 : cells_y;
    const int narrower = ny == 1 ? nx : std::min(nx, ny);
    if (r.has(stride) && narrower > 0 && s.stride > narrower)
        r.problems.add(r.place(stride),
                       fmt::format("{} = {} is more than the {} cells of the grid; use a smaller one", stride,
                                   s.stride, narrower));
}

void check_restart(Reading &r, const std::string &table) {
    for (const char *key : {"fields",         "levels",          "region",        "stride",
                            "precision",      "stations",        "trajectories",  "interpolation",
                            "places_outside", "pressure_levels", "height_levels", "ground_levels",
                            "theta_levels",   "outside_levels",  "over_time",     "sample",
                            "average",        "statistic",       "weight",        "lonlatbox",
                            "coarsen",        "reduce",          "quantiles",     "mask"})
        if (r.has(table + "." + key))
            r.problems.add(r.place(table + "." + key),
                           fmt::format("{}.{}: a restart needs all fields on the whole grid in full "
                                       "precision; remove the key, or set it for another stream",
                                       table, key));
}

/// What of a stream's keys makes no sense where there are no files.
void check_network(Reading &r, const std::string &table, const StreamConfig &stream) {
    if (!goes_over_network(stream.engine)) return;
    for (const char *key : {"frames_per_file", "burst_dir"})
        if (r.has(table + "." + key))
            r.problems.add(r.place(table + "." + key),
                           fmt::format("{}.{} has no effect: engine \"{}\" makes no files; remove the key",
                                       table, key, stream.engine));
    if (stream.path.find('%') != std::string::npos || !stream.path.ends_with(".sst"))
        r.problems.add(r.place(table + ".path"),
                       fmt::format("{}.path = \"{}\": a network stream has one file, which tells consumers "
                                   "its address; the path must end in .sst and have no %, such as \"{}.sst\"",
                                   table, stream.path, stream.name));
    if (stream.name == "restart")
        r.problems.add(
            r.place(table + ".engine"),
            fmt::format("{}.engine = \"{}\" keeps no files to continue from; use \"netcdf\" or \"zarr\"",
                        table, stream.engine));
}

bool stays_below(const std::string &path) {
    const std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
    return !path.empty() && !normal.is_absolute() && *normal.begin() != ".." && normal.has_filename() &&
           normal != ".";
}

/// Notes a path that two files of the stream share; looks at the first thousand files.
void check_file_names(Reading &r, const StreamConfig &stream) {
    const std::string path = fmt::format("output.{}.path", stream.name);
    const double seconds_per_file = stream.interval * stream.frames_per_file;
    std::set<std::string> names;
    for (int n = 0; n < 1000 && n * seconds_per_file <= r.config.run.duration; ++n) {
        const std::string name = io::format_time({n * seconds_per_file, r.config.run.start}, stream.path);
        if (names.insert(name).second) continue;
        r.problems.add(r.place(path),
                       fmt::format("{} = \"{}\" gives several files the name \"{}\" (a file holds {} frames, "
                                   "one every {} s); add smaller units of time, down to %S",
                                   path, stream.path, name, stream.frames_per_file, stream.interval));
        return;
    }
}

void check_path(Reading &r, const StreamConfig &stream) {
    const std::string table = "output." + stream.name;
    if (!stays_below(stream.path)) {
        r.problems.add(
            r.place(table + ".path"),
            fmt::format("{}.path = \"{}\" must be a file below run.directory", table, stream.path));
        return;
    }
    try {
        if (stream.interval > 0 && !goes_over_network(stream.engine)) check_file_names(r, stream);
    } catch (const io::Error &error) {
        r.problems.add(r.place(table + ".path"), fmt::format("{}.path: {}", table, error.what()));
    }
}

void check_stream(Reading &r, const StreamConfig &stream) {
    const std::string table = "output." + stream.name;
    if (stream.interval > 0) check_multiple(r, table + ".interval", stream.interval);
    check_path(r, stream);
    check_engine(r, table, stream);
    check_network(r, table, stream);
    check_placement(r, table, stream);
    if (stream.name == "restart")
        check_restart(r, table);
    else {
        check_subset(r, table, stream);
        check_made(r, stream);
    }
}

void check_streams(Reading &r) {
    std::map<std::string, std::string> owners;
    std::vector<StreamConfig> all = r.config.streams;
    all.insert(all.end(), r.config.nest_streams.begin(), r.config.nest_streams.end());
    for (const StreamConfig &stream : all) {
        check_stream(r, stream);
        if (domain_of_stream(stream.name) > 1 && !r.has("output." + stream.name + ".path"))
            continue; // its path follows from the parent's
        const auto [owner, first] = owners.emplace(stream.path, stream.name);
        if (!first)
            r.problems.add(r.place("output." + stream.name + ".path"),
                           fmt::format("output.{0}.path = \"{1}\" is also the path of output.{2}; use "
                                       "another, such as \"{0}_%Y-%m-%d_%H:%M:%S.nc\"",
                                       stream.name, stream.path, owner->second));
    }
}

} // namespace

void check_output(Reading &r) {
    check_servers(r);
    check_streams(r);
}

} // namespace squall
