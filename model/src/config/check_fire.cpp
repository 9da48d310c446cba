/// A fire: where it begins, and what it needs of the run.
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "config/checks.hpp"
#include "config/units.hpp"

namespace squall {
namespace {

std::optional<double> as_degrees(const std::string &text) {
    try {
        return parse_quantity(text, "degrees");
    } catch (const std::invalid_argument &) {
        return {};
    }
}

/// Latitude comes first, as in a tracer's source. Throws std::invalid_argument.
GroundPoint ground_point(const std::vector<std::string> &text) {
    if (text.size() != 2)
        throw std::invalid_argument(fmt::format("{} values are not a point; expected two coordinates, such "
                                                "as [\"1000 m\", \"500 m\"]",
                                                text.size()));
    if (const auto latitude = as_degrees(text[0]))
        return {true, parse_quantity(text[1], "degrees"), *latitude};
    return {false, parse_quantity(text[0], "m"), parse_quantity(text[1], "m")};
}

/// The nest of a name and those around it, as far as there are any; of nests inside each other each once.
std::vector<const NestConfig *> nests_around(const Config &config, std::string name) {
    std::vector<const NestConfig *> all;
    while (!name.empty() && all.size() <= config.nests.size()) {
        const auto nest = std::ranges::find(config.nests, name, &NestConfig::name);
        if (nest == config.nests.end()) break;
        all.push_back(&*nest);
        name = nest->parent;
    }
    return all;
}

struct BurntDomain {
    double x, y; ///< how far it extends [m]
};

BurntDomain burnt_domain(const Config &config) {
    const DomainConfig &d = config.domain;
    BurntDomain cell{d.dx, d.dy};
    const auto nests = nests_around(config, config.fire.nest);
    for (const NestConfig *nest : nests) cell.x /= nest->parent_grid_ratio, cell.y /= nest->parent_grid_ratio;
    if (nests.empty()) return {d.nx * cell.x, d.ny * cell.y};
    return {nests.front()->nx * cell.x, nests.front()->ny * cell.y};
}

void check_on_ground(Reading &r, const std::string &path, const GroundPoint &point,
                     const BurntDomain &domain) {
    const bool real = r.has("initial.file") && !r.inspected.of(r.config.initial.file).ideal;
    const auto add = [&](const std::string &what) { r.problems.add(r.place(path), path + what); };
    if (point.geographic) {
        if (!real)
            add(": a latitude and longitude need initial.file of a real case; give distances from the "
                "western and the southern side, such as [\"1000 m\", \"500 m\"]");
        return;
    }
    const auto check = [&](double at, double extent, const char *side) {
        if (at < 0 || at >= extent)
            add(fmt::format(": {} m from the {} side is outside the domain, which extends {} m from there",
                            at, side, extent));
    };
    check(point.x, domain.x, "western");
    check(point.y, domain.y, "southern");
}

void derive_ignition(Reading &r, IgnitionConfig &line, const BurntDomain &domain) {
    const std::string table = "ignition." + line.name;
    if (line.end.empty()) line.end = line.start;
    if (!r.has(table + ".end_time")) line.end_time = line.start_time;
    if (line.end_time < line.start_time)
        r.problems.add(r.place(table + ".end_time"),
                       fmt::format("{}.end_time = {} s is before its start_time = {} s", table, line.end_time,
                                   line.start_time));
    const auto read = [&](const char *key, const std::vector<std::string> &text, GroundPoint &point) {
        const std::string path = table + (r.has(table + "." + key) ? std::string(".") + key : ".start");
        try {
            point = ground_point(text);
            check_on_ground(r, path, point, domain);
        } catch (const std::invalid_argument &problem) {
            r.problems.add(r.place(path), fmt::format("{}: {}", path, problem.what()));
        }
    };
    read("start", line.start, line.first);
    if (r.has(table + ".end"))
        read("end", line.end, line.last);
    else
        line.last = line.first;
    if (line.first.geographic != line.last.geographic)
        r.problems.add(r.place(table + ".end"),
                       table + ".end is not given as start is: both in metres, or both in degrees");
}

std::vector<std::string> keys_that_ask_for_a_file(const FireConfig &fire) {
    std::vector<std::string> keys;
    if (fire.fuel == "file") keys.push_back("fire.fuel");
    if (fire.moisture == "file") keys.push_back("fire.moisture");
    return keys;
}

void check_burning_nest(Reading &r) {
    const FireConfig &fire = r.config.fire;
    if (fire.nest.empty()) return;
    const auto nests = nests_around(r.config, fire.nest);
    const auto add = [&](const std::string &what) { r.problems.add(r.place("fire.nest"), what); };
    if (nests.empty())
        return add(fmt::format("fire.nest = \"{}\" is no nest of this run; leave it out for a fire on the "
                               "outermost domain",
                               fire.nest));
    for (const NestConfig *nest : nests)
        if (nest->moves_itself())
            add(fmt::format("nest.{} moves, but a fire needs a domain that stays where it is", nest->name));
    if (nests.front()->initial_file.empty())
        for (const std::string &key : keys_that_ask_for_a_file(fire))
            add(fmt::format("{} = \"file\" needs nest.{}.initial_file", key, fire.nest));
}

void check_needs_of_fire(Reading &r) {
    const FireConfig &fire = r.config.fire;
    const bool surface = r.config.physics.surface_layer != "none";
    const auto add = [&](const char *path, const std::string &what) { r.problems.add(r.place(path), what); };
    if (fire.moisture == "model" && !surface)
        add("fire.moisture", "fire.moisture = \"model\" needs the weather at 2 m, of physics.surface_layer");
    if (fire.roughness == 0 && !surface)
        add("fire.roughness", "key \"roughness\" is missing in [fire]: without physics.surface_layer nothing "
                              "else says how rough the ground is; expected a length, such as \"0.1 m\"");
    if (fire.nest.empty() && !r.has("initial.file"))
        for (const std::string &key : keys_that_ask_for_a_file(fire))
            add(key.c_str(), fmt::format("{} = \"file\" needs initial.file", key));
    if (fire.fuel != "category" && r.has("fire.fuel_category"))
        add("fire.fuel_category",
            fmt::format("fire.fuel_category has no effect with fire.fuel = \"{}\"", fire.fuel));
    if (fire.moisture != "constant" && r.has("fire.fuel_moisture"))
        add("fire.fuel_moisture",
            fmt::format("fire.fuel_moisture has no effect with fire.moisture = \"{}\"", fire.moisture));
    if (fire.moisture != "model" && r.has("fire.moisture_interval"))
        add("fire.moisture_interval",
            "fire.moisture_interval has no effect without fire.moisture = \"model\"");
    if (std::min(r.config.domain.nx, r.config.domain.ny) < 3)
        add("fire", fmt::format("[fire] needs a domain of 3 x 3 cells or more, but this has {} x {}",
                                r.config.domain.nx, r.config.domain.ny));
    if (r.config.digital_filter.scheme != "none")
        add("fire", "[fire] and [digital_filter] exclude each other: a fire does not burn backwards");
}

} // namespace

void derive_fire(Reading &r) {
    r.config.fire.on = r.has("fire");
    const BurntDomain domain = burnt_domain(r.config);
    for (IgnitionConfig &line : r.config.ignitions) {
        if (!r.config.fire.on)
            r.problems.add(r.place("ignition." + line.name),
                           fmt::format("[ignition.{}] has no effect without [fire]", line.name));
        derive_ignition(r, line, domain);
    }
    for (const TracerConfig &tracer : r.config.tracers)
        if (const std::string path = "tracer." + tracer.name + ".smoke";
            tracer.smoke > 0 && !r.config.fire.on)
            r.problems.add(r.place(path), path + " has no effect without [fire]");
}

void check_fire(Reading &r) {
    if (!r.config.fire.on) return;
    check_burning_nest(r);
    check_needs_of_fire(r);
}

} // namespace squall
