/// What streams make of fields: keys that exclude each other, or need each other.

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "config/checks.hpp"
#include "config/nearest.hpp"

namespace squall {
namespace {

const std::vector<std::string> methods{"mean", "min",  "max",         "sum", "standard_deviation",
                                       "last", "rate", "accumulation"};

void check_methods(Reading &r, const std::string &path, const StreamConfig &stream) {
    for (const auto &[field, words] : stream.over_time) {
        std::istringstream in(words);
        std::string word;
        bool any = false;
        for (; in >> word; any = true)
            if (std::ranges::find(methods, word) == methods.end())
                r.problems.add(r.place(path),
                               fmt::format("{}: {} = \"{}\": there is no method \"{}\"; did you mean \"{}\"?",
                                           path, field, words, word, nearest(word, methods)));
        if (!any) r.problems.add(r.place(path), fmt::format("{}: {} names no method", path, field));
    }
}

void check_levels(Reading &r, const std::string &table) {
    std::string before;
    for (const char *key : {"pressure_levels", "height_levels", "ground_levels", "theta_levels"}) {
        if (!r.has(table + "." + key)) continue;
        if (!before.empty())
            r.problems.add(r.place(table + "." + key),
                           fmt::format("{0}.{1} and {0}.{2} exclude each other; make a stream for each",
                                       table, before, key));
        before = key;
    }
    if (before.empty() && r.has(table + ".outside_levels"))
        r.problems.add(r.place(table + ".outside_levels"),
                       table + ".outside_levels has no effect without levels, such as pressure_levels");
    if (!before.empty() && r.has(table + ".levels"))
        r.problems.add(
            r.place(table + ".levels"),
            fmt::format("{0}.levels are layers of the model, which {0}.{1} replaces; leave one out", table,
                        before));
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

} // namespace

void check_made(Reading &r, const StreamConfig &stream) {
    const std::string table = "output." + stream.name;
    check_levels(r, table);
    check_methods(r, table + ".over_time", stream);
    check_sample(r, table, stream);
    for (const char *key : {"interpolation", "stations_outside"}) check_needs(r, table, key, "stations");
    check_needs(r, table, "sample", "over_time");
    check_needs(r, table, "weight", "average");
    const bool leaves_the_grid = r.has(table + ".stations") || r.has(table + ".average");
    if (r.has(table + ".stations") && r.has(table + ".average"))
        r.problems.add(
            r.place(table + ".average"),
            fmt::format("{0}.stations and {0}.average exclude each other; make a stream for each", table));
    for (const char *key : {"region", "stride", "levels"})
        if (leaves_the_grid && r.has(table + "." + key))
            r.problems.add(
                r.place(table + "." + key),
                fmt::format("{}.{} cuts the grid, of which stations and averages are made whole; remove "
                            "it",
                            table, key));
    if (!stream.stations.empty() && !std::filesystem::exists(stream.stations))
        r.problems.add(r.place(table + ".stations"),
                       fmt::format("{}.stations: there is no file {}", table, stream.stations));
}

} // namespace squall
