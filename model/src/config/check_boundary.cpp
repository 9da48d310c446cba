/// Specified sides of the domain and the file that they follow.
#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "config/checks.hpp"
#include "initial/initial.hpp"

namespace squall {
namespace {

struct SideKey {
    std::string path;
    Boundary value;
};

std::array<SideKey, 4> side_keys(const Reading &r) {
    const Boundaries &b = r.config.domain.boundaries;
    return {{{"domain.boundary_west", b.west},
             {"domain.boundary_east", b.east},
             {"domain.boundary_south", b.south},
             {"domain.boundary_north", b.north}}};
}

bool says_how_sides_are_closed(const Reading &r) {
    return std::ranges::any_of(side_keys(r), [&](const SideKey &side) { return r.has(side.path); });
}

/// Rows of two opposite sides must not meet, nor the points that relaxation reads inside them.
void check_rows(Reading &r, const SideKey &side) {
    const DomainConfig &d = r.config.domain;
    const int rows = r.config.boundary.specified_rows + r.config.boundary.relaxation_rows;
    if (std::min(d.nx, d.ny) >= 2 * rows) return;
    r.problems.add(r.place(r.has("boundary.relaxation_rows") ? "boundary.relaxation_rows" : side.path),
                   fmt::format("boundary.specified_rows + boundary.relaxation_rows = {} rows on every side "
                               "need a domain of at least {} x {} cells; it has {} x {}",
                               rows, 2 * rows, 2 * rows, d.nx, d.ny));
}

void check_specified(Reading &r, const SideKey &side) {
    for (const SideKey &other : side_keys(r))
        if (other.value != Boundary::specified) {
            r.problems.add(r.place(r.has(other.path) ? other.path : side.path),
                           fmt::format("{} = \"specified\" but {} is not: boundary.file holds all four "
                                       "sides; leave out the domain.boundary_ keys",
                                       side.path, other.path));
            return;
        }
    if (!r.has("boundary.file"))
        r.problems.add(r.place(side.path),
                       fmt::format("{} = \"specified\" needs boundary.file, the wrfbdy_d01 that belongs to "
                                   "initial.file",
                                   side.path));
    if (!r.has("initial.file"))
        r.problems.add(r.place(r.has("boundary.file") ? "boundary.file" : side.path),
                       "boundary.file needs initial.file: its values are those of that file's levels");
    else
        check_rows(r, side);
}

/// Periodic sides, which a domain has where nothing is said, are not what anybody wants of real weather.
void check_real_case(Reading &r) {
    try {
        if (r.inspected.of(r.config.initial.file).ideal) return;
    } catch (const std::exception &) {
        return; // noted where the file was read first
    }
    r.problems.add(r.place("initial.file"),
                   "initial.file is a real case: set boundary.file to the wrfbdy_d01 that was written with "
                   "it, or set domain.boundary_west, _east, _south and _north");
}

} // namespace

void take_file(Reading &r, const std::string &key, std::string &file) {
    file = (std::filesystem::path(r.config.file).parent_path() / file).string();
    if (r.inspected.is_file(file)) return;
    const bool prepared = r.has("prepare.analysis");
    r.problems.add(r.place(key),
                   fmt::format("{}: there is no file \"{}\" (paths are relative to the run file){}", key,
                               file, prepared ? "; `squall prepare` with this run file makes it" : ""));
}

void derive_boundary(Reading &r) {
    if (!r.has("boundary.file")) return;
    take_file(r, "boundary.file", r.config.boundary.file);
    if (says_how_sides_are_closed(r)) return;
    Boundaries &b = r.config.domain.boundaries;
    b.west = b.east = b.south = b.north = Boundary::specified;
}

namespace {

/// Of the sea, which a surface layer alone looks at from step to step.
void check_lower(Reading &r) {
    const bool has_layer = r.config.physics.surface_layer != "none";
    const auto refuse = [&](const std::string &key, const char *what) {
        r.problems.add(r.place(key), key + what);
    };
    if (r.has("boundary.lower_file")) take_file(r, "boundary.lower_file", r.config.boundary.lower_file);
    if (r.has("boundary.lower_file") && !r.has("initial.file"))
        refuse("boundary.lower_file", " needs initial.file: the sea of a built-in case has one temperature");
    else if (r.has("boundary.lower_file") && !has_layer)
        refuse("boundary.lower_file", " has no effect without physics.surface_layer = \"revised-mm5\"");
    if (r.config.physics.sea_skin == "none") return;
    if (!has_layer)
        refuse("physics.sea_skin", " needs the fluxes of physics.surface_layer = \"revised-mm5\"");
    if (r.config.physics.radiation == "none")
        refuse("physics.sea_skin", " needs the shortwave flux of physics.radiation");
}

} // namespace

void check_boundary(Reading &r) {
    check_lower(r);
    const auto sides = side_keys(r);
    const auto specified = std::ranges::find(sides, Boundary::specified, &SideKey::value);
    if (specified != sides.end()) {
        check_specified(r, *specified);
        return;
    }
    for (const std::string path : {"boundary.file", "boundary.specified_rows", "boundary.relaxation_rows",
                                   "boundary.relaxation_decay"})
        if (r.has(path) && (!path.ends_with("_rows") || r.config.nests.empty())) // whose sides are specified
            r.problems.add(r.place(path),
                           path + " has no effect: no side of the domain is specified; set boundary.file and "
                                  "leave out the domain.boundary_ keys, or leave out [boundary]");
    if (r.has("initial.file") && !says_how_sides_are_closed(r)) check_real_case(r);
}

} // namespace squall
