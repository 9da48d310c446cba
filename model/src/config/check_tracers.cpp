/// Tracers: what they may be called, and where their sources are.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "config/checks.hpp"
#include "config/units.hpp"
#include "initial/initial.hpp"
#include "output/history_fields.hpp"
#include "output/location.hpp"

namespace squall {
namespace {

/// Names that files of this run have already, or that stand for something else in files of others.
std::set<std::string> taken_names(const Config &config) {
    std::set<std::string> names{"Times",   "XTIME", "STEP",   "SECONDS", "QVAPOR", "QCLOUD",
                                "QRAIN",   "QICE",  "TKE",    "QSNOW",   "QGRAUP", "THM",
                                "RAINNC",  "RAINC", "QNRAIN", "QNICE",   "QNSNOW", "QNGRAUPEL",
                                "QNCLOUD", "QNCCN", "QNWFA",  "QNIFA"};
    Config others = config;
    others.tracers.clear();
    for (const HistoryField &field : history_fields(others)) names.insert(field.name);
    const DomainConfig &d = config.domain;
    for (const auto &dimension : domain_dimensions(d.nx, d.ny, d.nz)) names.insert(dimension.name);
    return names;
}

void check_name(Reading &r, const std::string &table, const std::string &name,
                const std::set<std::string> &taken) {
    const bool plain = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) &&
                       std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!plain)
        r.problems.add(r.place(table),
                       fmt::format("\"{}\" is not a valid tracer name: it becomes the name of a variable in "
                                   "files, which takes a letter, then letters, digits and _",
                                   name));
    else if (taken.contains(name))
        r.problems.add(r.place(table), fmt::format("\"{0}\" is not a valid tracer name: files have another "
                                                   "variable of that name; use \"tracer_{0}\", for example",
                                                   name));
}

/// What `text` says in metres or degrees. Throws std::invalid_argument.
double coordinate(const std::string &text, bool geographic) {
    return parse_quantity(text, geographic ? "degrees" : "m");
}

bool is_angle(const std::string &text) {
    try {
        parse_quantity(text, "degrees");
        return true;
    } catch (const std::invalid_argument &) {
        return false;
    }
}

/// Throws std::invalid_argument: what is wrong with the list.
SourcePoint read_point(const std::vector<std::string> &source) {
    if (source.size() != 3)
        throw std::invalid_argument(fmt::format("{} values are not a point; expected two coordinates and a "
                                                "height, such as [\"41 km\", \"41 km\", \"100 m\"]",
                                                source.size()));
    SourcePoint point;
    point.geographic = is_angle(source[0]);
    point.first = coordinate(source[0], point.geographic);
    point.second = coordinate(source[1], point.geographic);
    point.height = parse_quantity(source[2], "m");
    return point;
}

bool has_projection(const Reading &r) {
    return r.has("initial.file") && !r.inspected.of(r.config.initial.file).ideal;
}

void check_plane(Reading &r, const std::string &path, const char *from, double x, double extent) {
    if (x >= 0 && x < extent) return;
    r.problems.add(
        r.place(path),
        fmt::format("{}: {} m from the {} side is outside the domain, which extends {} m from there", path, x,
                    from, extent));
}

void check_point(Reading &r, const std::string &path, const SourcePoint &point) {
    const DomainConfig &d = r.config.domain;
    const double top = r.has("initial.file") ? INFINITY : r.config.vertical.top;
    if (!point.geographic) {
        check_plane(r, path, "western", point.first, d.nx * d.dx);
        check_plane(r, path, "southern", point.second, d.ny * d.dy);
    } else if (!has_projection(r)) {
        r.problems.add(r.place(path),
                       path + ": only a real initial.file has latitudes and longitudes; give the distances "
                              "of the source from the western and southern sides, such as \"41 km\"");
    } else if (std::abs(point.first) > 90 || std::abs(point.second) > 360) {
        r.problems.add(r.place(path), fmt::format("{}: latitude {} and longitude {} do not exist", path,
                                                  point.first, point.second));
    }
    if (point.height < 0 || point.height >= top)
        r.problems.add(
            r.place(path),
            fmt::format("{}: {} m above the ground is outside the model's atmosphere", path, point.height));
}

void derive_source(Reading &r, const std::string &table, TracerConfig &tracer) {
    const std::string path = table + ".source";
    if (!r.has(path)) {
        for (const std::string key : {".rate", ".start", ".end"})
            if (r.has(table + key))
                r.problems.add(r.place(table + key), table + key +
                                                         " has no effect without a source, such as "
                                                         "source = [\"41 km\", \"41 km\", \"100 m\"]");
        return;
    }
    if (!r.has(table + ".rate"))
        r.problems.add(r.place(path), path + " needs " + table + ".rate, such as rate = \"1 kg/s\"");
    if (r.has(table + ".end") && tracer.end <= tracer.start)
        r.problems.add(r.place(table + ".end"), fmt::format("{}.end = {} s is not after its start, {} s",
                                                            table, tracer.end, tracer.start));
    try {
        tracer.point = read_point(tracer.source);
        check_point(r, path, tracer.point);
    } catch (const std::invalid_argument &problem) {
        r.problems.add(r.place(path), fmt::format("{}: {}", path, problem.what()));
    }
}

} // namespace

void derive_tracers(Reading &r) {
    if (r.config.tracers.empty()) return;
    const std::set<std::string> taken = taken_names(r.config);
    for (TracerConfig &tracer : r.config.tracers) {
        const std::string table = "tracer." + tracer.name;
        check_name(r, table, tracer.name, taken);
        tracer.from_file = r.has("initial.file") && !r.has(table + ".initial");
        derive_source(r, table, tracer);
    }
}

} // namespace squall
