/// Nests: where they lie if their middle is told, and that each lies inside its parent, apart from others, in
/// its time.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "config/check_moves.hpp"
#include "config/checks.hpp"
#include "config/nest_places.hpp"
#include "initial/initial.hpp"
#include "initial/levels_in_file.hpp"
#include "initial/place_in_file.hpp"
#include "physics/radiation/scheme.hpp"
#include "settings/nests.hpp"
#include "squall/io_words.hpp"

namespace squall {
namespace {

void check_name(Reading &r, const NestConfig &nest) {
    const bool plain = !nest.name.empty() && std::ranges::all_of(nest.name, [](unsigned char c) {
        return std::isalnum(c) || c == '_' || c == '-';
    });
    if (!plain)
        r.problems.add(
            r.place("nest." + nest.name),
            fmt::format("\"{}\" is not a valid nest name: use letters, digits, _ and -", nest.name));
}

void check_place(Reading &r, const NestConfig &nest, Extent parent) {
    const std::string table = "nest." + nest.name;
    const auto check = [&](const char *start_key, int start, const char *cells_key, int cells, int whole,
                           const char *axis) {
        const int ratio = nest.parent_grid_ratio;
        if (cells % ratio != 0) {
            r.problems.add(r.place(table + "." + cells_key),
                           fmt::format("{}.{} = {} is not a multiple of parent_grid_ratio = {}; {} or {} is",
                                       table, cells_key, cells, ratio, cells / ratio * ratio,
                                       (cells / ratio + 1) * ratio));
            return;
        }
        const int last = whole - cells_beside_nest - cells / ratio + 1;
        if (last <= cells_beside_nest)
            r.problems.add(r.place(table + "." + cells_key),
                           fmt::format("{}.{} = {}: the parent has {} cells {}; the {} cells of the nest "
                                       "cover {} of them and, with three on either side, need {}",
                                       table, cells_key, cells, whole, axis, cells, cells / ratio,
                                       cells / ratio + 2 * cells_beside_nest));
        else if (start > last)
            r.problems.add(r.place(table + "." + start_key),
                           fmt::format("{}.{} = {}: the nest would end beyond the parent's side or within "
                                       "three cells of it; it can begin at {} at the latest",
                                       table, start_key, start, last));
    };
    check("i_parent_start", nest.i_parent_start, "nx", nest.nx, parent.nx, "from west to east");
    check("j_parent_start", nest.j_parent_start, "ny", nest.ny, parent.ny, "from south to north");
}

/// Parents first, as they are declared otherwise; notes parents that there are none of.
void sort_by_depth(Reading &r) {
    std::vector<NestConfig> rest = r.config.nests, sorted;
    std::ranges::stable_sort(rest, {}, &NestConfig::line);
    const auto known = [&](const std::string &name) {
        return name.empty() || std::ranges::find(sorted, name, &NestConfig::name) != sorted.end();
    };
    for (bool more = true; more && !rest.empty();) {
        more = false;
        for (auto nest = rest.begin(); nest != rest.end(); ++nest)
            if (known(nest->parent)) {
                sorted.push_back(*nest);
                rest.erase(nest);
                more = true;
                break;
            }
    }
    for (const NestConfig &nest : rest) {
        std::vector<std::string> names;
        for (const NestConfig &other : r.config.nests)
            if (other.name != nest.name) names.push_back(other.name);
        const bool exists = std::ranges::find(names, nest.parent) != names.end();
        r.problems.add(r.place("nest." + nest.name + ".parent"),
                       exists || names.empty()
                           ? fmt::format("nest.{}.parent = \"{}\" does not lead to the outermost domain; "
                                         "leave out parent if the nest lies in the outermost domain",
                                         nest.name, nest.parent)
                           : fmt::format("nest.{}.parent: there is no nest \"{}\"; {}", nest.name,
                                         nest.parent, io::near_or_all(nest.parent, names)));
    }
    r.config.nests = sorted;
}

/// Derives the corner from the middle, where that is what the run file tells.
void find_corner(Reading &r, NestConfig &nest) {
    const std::string table = "nest." + nest.name;
    const auto given = [&](const char *key) { return r.has(table + "." + key); };
    const bool corner = given("i_parent_start") || given("j_parent_start");
    const bool middle = given("center_latitude") || given("center_longitude");
    if (given("track") && !corner && !middle) return; // begins where that begins
    const auto refuse = [&](const std::string &what) { r.problems.add(r.place(table), table + ": " + what); };
    if (corner == middle)
        return refuse(corner ? "its position is given twice: leave out either i_parent_start and "
                               "j_parent_start or center_latitude and center_longitude"
                             : "its position is missing: set i_parent_start and j_parent_start, or "
                               "center_latitude and center_longitude");
    if (corner && given("i_parent_start") && given("j_parent_start")) return;
    if (corner) return refuse("i_parent_start and j_parent_start go together; one is missing");
    if (!given("center_latitude") || !given("center_longitude"))
        return refuse("center_latitude and center_longitude go together; one is missing");
    if (r.config.initial.file.empty())
        return refuse("center_latitude and center_longitude need initial.file, which locates the outermost "
                      "domain on Earth; on a plane use i_parent_start and j_parent_start");
    try {
        const auto [x, y] = place_in_file(r.config.initial.file, nest.center_latitude, nest.center_longitude);
        const auto [i, j] = start_around(r.config, nest, x, y);
        nest.i_parent_start = i, nest.j_parent_start = j;
    } catch (const std::runtime_error &error) {
        return refuse(error.what());
    }
    if (std::min(nest.i_parent_start, nest.j_parent_start) <= cells_beside_nest)
        refuse(fmt::format("around that centre it would begin at the parent's cell {}, {}; three cells must "
                           "stay outside it on each side",
                           nest.i_parent_start, nest.j_parent_start));
}

void check_life(Reading &r, const NestConfig &nest) {
    const std::string table = "nest." + nest.name;
    const auto check = [&](const char *key, double time) {
        if (r.has(table + "." + key) && time > 0) check_multiple(r, table + "." + key, time);
    };
    check("start", nest.start), check("end", nest.end);
    const auto refuse = [&](const char *key, const std::string &what) {
        r.problems.add(r.place(table + "." + key), fmt::format("{}.{}: {}", table, key, what));
    };
    if (nest.end > 0 && nest.end <= nest.start)
        refuse("end",
               fmt::format("it would end after {} s, before it starts after {} s", nest.end, nest.start));
    const NestConfig *parent = parent_of(r.config, nest);
    if (parent &&
        (nest.start < parent->start || (parent->end > 0 && (nest.end == 0 || nest.end > parent->end))))
        refuse(
            "start",
            fmt::format("its parent \"{}\" runs from {} s to {}: a nest must start and end within that time",
                        parent->name, parent->start,
                        parent->end > 0 ? fmt::format("{} s", parent->end) : "the end"));
}

void check_smoothing(Reading &r, const NestConfig &nest) {
    const std::string key = "nest." + nest.name + ".smoothing";
    if (r.has(key) && nest.smoothing != "none" && !nest.feedback)
        r.problems.add(r.place(key), key + " has no effect without feedback; leave it out");
}

/// Layers of its own, where it tells their interfaces.
void take_eta(Reading &r, NestConfig &nest) {
    const std::string table = "nest." + nest.name, key = table + ".eta";
    const std::vector<double> &eta = nest.eta;
    if (!r.has(key)) return;
    const auto refuse = [&](const std::string &what) { r.problems.add(r.place(key), key + ' ' + what); };
    if (r.has(table + ".nz") && eta.size() != static_cast<std::size_t>(nest.nz) + 1)
        refuse(fmt::format("has {} interfaces; nz = {} layers need {}", eta.size(), nest.nz, nest.nz + 1));
    check_interfaces(r, key, eta);
    if (eta.size() < 4) return;
    nest.nz = static_cast<int>(eta.size()) - 1;
}

bool has_interfaces(const std::string &file, int nz, const std::vector<double> &eta) {
    return std::ranges::equal(levels_in_file(file, nz).znw, eta,
                              [](real a, double b) { return std::abs(a - b) <= 1e-5; });
}

/// Resolves the path of a nest's own file, and holds it to what the run file says of the nest.
void take_initial_file(Reading &r, NestConfig &nest, double spacing) {
    const std::string table = "nest." + nest.name, key = table + ".initial_file";
    if (r.has(table + ".blend_rows") && nest.initial_file.empty())
        r.problems.add(r.place(table + ".blend_rows"),
                       table + ".blend_rows has no effect without initial_file; leave it out");
    if (nest.initial_file.empty()) return;
    std::string &file = nest.initial_file;
    file = (std::filesystem::path(r.config.file).parent_path() / file).string();
    const auto refuse = [&](const std::string &what) {
        r.problems.add(r.place(key), fmt::format("{}: {}", key, what));
    };
    if (r.config.initial.file.empty())
        return refuse(
            "the outermost domain has none; a nest of a built-in case starts from its parent's state");
    if (!r.inspected.is_file(file))
        return refuse(
            fmt::format("there is no file \"{}\" (paths are relative to the run file){}", file,
                        r.has("prepare.analysis") ? "; `squall prepare` with this run file makes it" : ""));
    try {
        const WrfInputInfo info = r.inspected.of(file);
        const auto compare = [&](const char *what, double in_file, double wanted) {
            if (std::abs(in_file - wanted) > 1e-5 * std::abs(wanted))
                refuse(fmt::format("\"{}\" has {} = {}, the nest {}", file, what, in_file, wanted));
        };
        compare("cells from west to east", info.nx, nest.nx);
        compare("cells from south to north", info.ny, nest.ny);
        if (r.has(table + ".nz")) compare("layers", info.nz, nest.nz);
        nest.nz = info.nz;
        if (!nest.eta.empty() && !has_interfaces(file, info.nz, nest.eta))
            refuse(fmt::format("\"{}\" has other levels than {}.eta; make it again with `squall prepare`, or "
                               "leave out eta: the file has its own",
                               file, table));
        compare("spacing [m]", info.dx, spacing);
        check_w(r, key, file);
    } catch (const std::exception &error) {
        refuse(error.what());
    }
}

void take_lower_file(Reading &r, NestConfig &nest) {
    const std::string key = "nest." + nest.name + ".lower_file";
    if (nest.lower_file.empty()) return;
    take_file(r, key, nest.lower_file);
    if (nest.initial_file.empty())
        r.problems.add(r.place(key),
                       key + " needs nest." + nest.name + ".initial_file, whose sea it updates");
    if (r.config.physics.surface_layer == "none")
        r.problems.add(r.place(key), key + " has no effect without physics.surface_layer = \"revised-mm5\"");
}

void take_aerosol_file(Reading &r, NestConfig &nest) {
    const std::string key = "nest." + nest.name + ".aerosol_file";
    if (nest.aerosol_file.empty()) return;
    take_file(r, key, nest.aerosol_file);
    const auto scheme = radiation::schemes().find(r.config.physics.radiation);
    if (scheme == radiation::schemes().end() || !scheme->second.sees_aerosol)
        r.problems.add(r.place(key), key + " has no effect without physics.radiation = \"rrtmgp\"");
}

/// Streams that are told of nests that there are.
void check_nest_streams(Reading &r) {
    for (const StreamConfig &stream : r.config.nest_streams) {
        const int id = domain_of_stream(stream.name), last = int(r.config.nests.size()) + 1;
        const auto refuse = [&](const std::string &what) {
            r.problems.add(r.place("output." + stream.name), fmt::format("output.{}: {}", stream.name, what));
        };
        if (last == 1)
            refuse("it would belong to a nest, but there is none; use another name");
        else if (id > last)
            refuse(fmt::format("there is no domain {}; the nests are 2 to {}", id, last));
        else if (stream.name.starts_with("restart"))
            refuse("frames of [output.restart] hold all domains; remove the table");
    }
}

/// A nest's stream has of its parent's all but the layers, where these are others.
void leave_parents_layers(Reading &r) {
    for (StreamConfig &stream : r.config.nest_streams)
        if (layers_of(r.config, nest_of(r.config, stream)) != r.config.domain.nz &&
            !r.has("output." + stream.name + ".levels"))
            stream.levels.clear();
}

} // namespace

void derive_nests(Reading &r) {
    check_nest_streams(r);
    if (r.config.nests.empty()) return;
    sort_by_depth(r);
    auto &nests = r.config.nests;
    const int rows = 2 * (r.config.boundary.specified_rows + r.config.boundary.relaxation_rows);
    for (std::size_t n = 0; n < nests.size(); ++n) {
        NestConfig &nest = nests[n];
        check_name(r, nest);
        find_corner(r, nest);
        derive_moves(r, nest);
        check_place(r, nest, extent_of_parent(r.config, nest));
        check_life(r, nest);
        check_smoothing(r, nest);
        take_lower_file(r, nest);
        take_aerosol_file(r, nest);
        take_eta(r, nest);
        take_initial_file(r, nest, r.config.domain.dx * outermost_place(r.config, &nest).cell);
        if (std::min(nest.nx, nest.ny) < rows)
            r.problems.add(r.place("nest." + nest.name),
                           fmt::format("nest.{}: {} x {} cells are too few: boundary.specified_rows and "
                                       "boundary.relaxation_rows on either side need {}",
                                       nest.name, nest.nx, nest.ny, rows));
        for (std::size_t other = 0; other < n; ++other)
            if (overlap(nests[other], nest))
                r.problems.add(
                    r.place("nest." + nest.name),
                    fmt::format("nest.{} and nest.{} overlap; nests of one parent must not overlap",
                                nest.name, nests[other].name));
    }
    leave_parents_layers(r);
    check_moving_neighbours(r);
    check_moving_streams(r);
}

} // namespace squall
