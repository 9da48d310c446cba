/// Nests: that each lies inside its parent, apart from others.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "config/checks.hpp"
#include "config/nearest.hpp"

namespace squall {
namespace {

/// Cells of a parent that interpolation reads around a nest (nesting/parent_window.hpp).
constexpr int around = 3;

struct Extent {
    int nx, ny;
};

void check_name(Reading &r, const NestConfig &nest) {
    const bool plain = !nest.name.empty() && std::ranges::all_of(nest.name, [](unsigned char c) {
        return std::isalnum(c) || c == '_' || c == '-';
    });
    if (!plain)
        r.problems.add(r.place("nest." + nest.name),
                       fmt::format("a nest cannot be called \"{}\": letters, digits, _ and -", nest.name));
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
        const int last = whole - around - cells / ratio + 1;
        if (last <= around)
            r.problems.add(
                r.place(table + "." + cells_key),
                fmt::format("{}.{} = {}: the parent has {} cells {}, and {} of the nest cover {} of them; "
                            "with three on either side it would need {}",
                            table, cells_key, cells, whole, axis, cells, cells / ratio,
                            cells / ratio + 2 * around));
        else if (start > last)
            r.problems.add(
                r.place(table + "." + start_key),
                fmt::format("{}.{} = {}: the nest would end within three cells of the parent's side or "
                            "beyond it; it may begin at {} at the latest",
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
        r.problems.add(
            r.place("nest." + nest.name + ".parent"),
            exists || names.empty()
                ? fmt::format("nest.{}.parent = \"{}\": that leads to no outermost domain; leave parent "
                              "out where the nest lies in the outermost one",
                              nest.name, nest.parent)
                : fmt::format("nest.{}.parent: there is no nest \"{}\"; did you mean \"{}\"?", nest.name,
                              nest.parent, nearest(nest.parent, names)));
    }
    r.config.nests = sorted;
}

bool overlap(const NestConfig &a, const NestConfig &b) {
    const auto meets = [](int start, int cells, int ratio, int other, int other_cells, int other_ratio) {
        return start < other + other_cells / other_ratio && other < start + cells / ratio;
    };
    return a.parent == b.parent &&
           meets(a.i_parent_start, a.nx, a.parent_grid_ratio, b.i_parent_start, b.nx, b.parent_grid_ratio) &&
           meets(a.j_parent_start, a.ny, a.parent_grid_ratio, b.j_parent_start, b.ny, b.parent_grid_ratio);
}

} // namespace

void derive_nests(Reading &r) {
    if (r.config.nests.empty()) return;
    sort_by_depth(r);
    const auto &nests = r.config.nests;
    const int rows = 2 * (r.config.boundary.specified_rows + r.config.boundary.relaxation_rows);
    for (std::size_t n = 0; n < nests.size(); ++n) {
        const NestConfig &nest = nests[n];
        check_name(r, nest);
        const auto parent = std::ranges::find(nests, nest.parent, &NestConfig::name);
        const Extent extent = nest.parent.empty() ? Extent{r.config.domain.nx, r.config.domain.ny}
                                                  : Extent{parent->nx, parent->ny};
        check_place(r, nest, extent);
        if (std::min(nest.nx, nest.ny) < rows)
            r.problems.add(r.place("nest." + nest.name),
                           fmt::format("nest.{}: {} x {} cells are too few for boundary.specified_rows and "
                                       "boundary.relaxation_rows on either side, which need {}",
                                       nest.name, nest.nx, nest.ny, rows));
        for (std::size_t other = 0; other < n; ++other)
            if (overlap(nests[other], nest))
                r.problems.add(r.place("nest." + nest.name),
                               fmt::format("nest.{} and nest.{} overlap; nests of one parent lie apart",
                                           nest.name, nests[other].name));
    }
}

} // namespace squall
