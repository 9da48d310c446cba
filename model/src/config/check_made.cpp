/// What streams make of fields: keys that exclude each other, or need each other.

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "config/checks.hpp"
#include "settings/cell_choice.hpp"
#include "settings/quantiles.hpp"
#include "squall/io_words.hpp"

namespace squall {
namespace {

const std::vector<std::string> methods{
    "mean", "min", "max", "sum", "last", "accumulation", "variance", "standard_deviation", "rate"};

void check_methods(Reading &r, const std::string &path, const StreamConfig &stream) {
    for (const auto &[field, words] : stream.over_time) {
        std::istringstream in(words);
        std::string word;
        bool any = false;
        for (; in >> word; any = true)
            if (std::ranges::find(methods, word) == methods.end())
                r.problems.add(r.place(path),
                               fmt::format("{}: {} = \"{}\": there is no method \"{}\"; {}", path, field,
                                           words, word, io::near_or_all(word, methods)));
        if (!any) r.problems.add(r.place(path), fmt::format("{}: {} names no method", path, field));
    }
}

void check_quantiles(Reading &r, const std::string &table, const StreamConfig &stream) {
    const auto path = table + ".quantiles";
    for (const auto &[field, words] : stream.quantiles)
        if (!quantiles_in(words))
            r.problems.add(r.place(path),
                           fmt::format("{}: {} = \"{}\" is not a list of quantiles from 0 to 1 and bins in "
                                       "the field's units, such as \"0.5 0.99 of 600 bins from 0 to 60\"",
                                       path, field, words));
}

/// Keys that exclude each other. Returns the first that is there, or "".
std::string check_one_of(Reading &r, const std::string &table, const std::vector<std::string> &keys) {
    std::string before;
    for (const auto &key : keys) {
        if (!r.has(table + "." + key)) continue;
        if (!before.empty())
            r.problems.add(r.place(table + "." + key),
                           fmt::format("{0}.{1} and {0}.{2} exclude each other; write a stream for each",
                                       table, before, key));
        before = key;
    }
    return before;
}

void check_levels(Reading &r, const std::string &table) {
    const auto any =
        check_one_of(r, table, {"pressure_levels", "height_levels", "ground_levels", "theta_levels"});
    if (any.empty() && r.has(table + ".outside_levels"))
        r.problems.add(r.place(table + ".outside_levels"),
                       table + ".outside_levels has no effect without levels, such as pressure_levels");
    if (!any.empty() && r.has(table + ".levels"))
        r.problems.add(r.place(table + ".levels"),
                       fmt::format("{0}.levels selects model layers, which {0}.{1} replaces; leave one out",
                                   table, any));
}

void check_lonlatbox(Reading &r, const std::string &path, const StreamConfig &stream) {
    if (!r.has(path)) return;
    const auto &box = stream.lonlatbox;
    if (box.size() != 4 || !(box[2] < box[3]) || box[2] < -90 || box[3] > 90 || box[0] == box[1])
        r.problems.add(r.place(path), path + " must be western and eastern longitude, then southern and "
                                             "northern latitude, such as [-105, -90, 30, 42.5]");
    else if (r.config.initial.file.empty())
        r.problems.add(
            r.place(path),
            path + " needs the latitudes and longitudes of initial.file; in an idealised case use region");
    for (const auto &[key, other] :
         {std::pair("region", !stream.region.empty()), std::pair("stations", !stream.stations.empty()),
          std::pair("trajectories", !stream.trajectories.empty()), std::pair("coarsen", stream.coarsen > 1)})
        if (other)
            r.problems.add(r.place(path),
                           fmt::format("{} has no effect together with {}; remove it", path, key));
}

/// A key that means something beside another only.
void check_needs(Reading &r, const std::string &table, const char *key, const char *other) {
    if (r.has(table + "." + key) && !r.has(table + "." + other))
        r.problems.add(r.place(table + "." + key),
                       fmt::format("{0}.{1} has no effect without {0}.{2}", table, key, other));
}

void check_sample(Reading &r, const std::string &table, const StreamConfig &stream) {
    if (!r.has(table + ".sample")) return;
    check_multiple(r, table + ".sample", stream.sample);
    const double times = stream.interval / stream.sample;
    if (std::abs(times - std::round(times)) > 1e-6)
        r.problems.add(r.place(table + ".sample"),
                       fmt::format("{0}.sample = {1} s does not divide {0}.interval, {2} s", table,
                                   stream.sample, stream.interval));
}

/// What has no meaning for a place that moves.
void check_trajectories(Reading &r, const std::string &table, const StreamConfig &stream) {
    if (stream.trajectories.empty()) return;
    if (stream.interpolation == "land")
        r.problems.add(
            r.place(table + ".interpolation"),
            table +
                ".interpolation = \"land\" is for stations; for trajectories use \"linear\" or \"nearest\"");
    if (!stream.over_time.empty())
        r.problems.add(r.place(table + ".over_time"),
                       table + ".over_time does not work for places that move; use a shorter interval");
}

/// What an average over layers goes without.
void check_layers(Reading &r, const std::string &table, const StreamConfig &stream) {
    if (!stream.averages_layers()) return;
    for (const std::string key : {"pressure_levels", "height_levels", "ground_levels", "theta_levels"})
        if (r.has(table + "." + key))
            r.problems.add(r.place(table + "." + key),
                           fmt::format("{0}.average = \"{1}\" averages over model layers, which {0}.{2} "
                                       "replaces; write a stream for each",
                                       table, stream.average, key));
    if (stream.average != "column") return;
    if (stream.weight == "area")
        r.problems.add(r.place(table + ".weight"),
                       fmt::format("{0}.weight = \"area\" has no effect on {0}.average = \"column\": all "
                                   "cells of a column have the same area; use \"mass\" or \"none\"",
                                   table));
    for (const std::string key : {"region", "stride", "levels", "lonlatbox"})
        if (r.has(table + "." + key))
            r.problems.add(
                r.place(table + "." + key),
                fmt::format(
                    "{0}.{1} cuts the grid, but {0}.average = \"column\" needs whole columns; remove it",
                    table, key));
}

void check_mask(Reading &r, const std::string &table, const StreamConfig &stream) {
    if (stream.mask == "none") return;
    const auto path = table + ".mask";
    const auto refuse = [&](const std::string &why) { r.problems.add(r.place(path), path + " " + why); };
    const auto choice = cell_choice(stream.mask);
    if (!choice)
        return refuse(fmt::format(
            "= \"{}\" is not a mask; expected \"land\", \"sea\", a field, or a field and the value where "
            "cells count, such as \"basin = 3\"; a field of another file is \"basin in basins.nc\"",
            stream.mask));
    const auto file = file_of(*choice, r.config.file, r.config.initial.file);
    if (file.empty() && choice->field == "LANDMASK") return refuse("needs the land mask of initial.file");
    if (file.empty())
        return refuse(fmt::format("needs initial.file to have {0}, or a file of its own: \"{0} in FILE\"",
                                  choice->field));
    if (!choice->file.empty() && !r.inspected.exists(file))
        refuse(fmt::format("= \"{}\": there is no file {}", stream.mask, file));
}

/// What is made of the cells of averages and coarser grids.
void check_statistic(Reading &r, const std::string &table, const StreamConfig &stream) {
    for (const std::string key : {"weight", "statistic", "quantiles", "mask"})
        if (r.has(table + "." + key) && stream.average.empty() && stream.coarsen == 1)
            r.problems.add(
                r.place(table + "." + key),
                fmt::format("{0}.{1} has no effect without {0}.average or {0}.coarsen", table, key));
    check_mask(r, table, stream);
    const bool extreme = stream.statistic == "min" || stream.statistic == "max";
    if (stream.weight != "none" && extreme)
        r.problems.add(r.place(table + ".weight"),
                       fmt::format("{0}.weight = \"{1}\" has no effect on {0}.statistic = \"{2}\"", table,
                                   stream.weight, stream.statistic));
}

} // namespace

void check_made(Reading &r, const StreamConfig &stream) {
    const std::string table = "output." + stream.name;
    check_levels(r, table);
    check_methods(r, table + ".over_time", stream);
    check_sample(r, table, stream);
    for (const char *key : {"interpolation", "places_outside"})
        if (!r.has(table + ".trajectories")) check_needs(r, table, key, "stations");
    check_trajectories(r, table, stream);
    check_needs(r, table, "sample", "over_time");
    check_statistic(r, table, stream);
    check_layers(r, table, stream);
    check_quantiles(r, table, stream);
    check_one_of(r, table, {"stations", "trajectories", "average", "coarsen"});
    check_lonlatbox(r, table + ".lonlatbox", stream);
    const bool leaves_the_grid = stream.leaves_grid();
    for (const std::string key : {"region", "stride", "levels"})
        if (leaves_the_grid && r.has(table + "." + key) && !(key == "region" && !stream.average.empty()))
            r.problems.add(
                r.place(table + "." + key),
                fmt::format(
                    "{}.{} cuts the grid, but places, averages and coarser grids need all of it; remove it",
                    table, key));
    for (const auto &[key, file] :
         {std::pair("stations", stream.stations), std::pair("trajectories", stream.trajectories)})
        if (!file.empty() && !r.inspected.exists(file))
            r.problems.add(r.place(table + "." + key),
                           fmt::format("{}.{}: there is no file {}", table, key, file));
}

} // namespace squall
