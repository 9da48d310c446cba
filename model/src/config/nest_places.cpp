#include "config/nest_places.hpp"

#include <algorithm>
#include <cmath>

#include "settings/nests.hpp"

namespace squall {

const NestConfig *parent_of(const Config &config, const NestConfig &nest) {
    const auto parent = std::ranges::find(config.nests, nest.parent, &NestConfig::name);
    return nest.parent.empty() ? nullptr : &*parent;
}

Extent extent_of_parent(const Config &config, const NestConfig &nest) {
    const NestConfig *parent = parent_of(config, nest);
    return parent ? Extent{parent->nx, parent->ny} : Extent{config.domain.nx, config.domain.ny};
}

const NestConfig *nest_of(const Config &config, const StreamConfig &stream) {
    const int n = domain_of_stream(stream.name) - 2;
    return n >= 0 && n < int(config.nests.size()) ? &config.nests[std::size_t(n)] : nullptr;
}

int layers_of(const Config &config, const NestConfig *nest) {
    while (nest && nest->nz == 0) nest = parent_of(config, *nest);
    return nest ? nest->nz : config.domain.nz;
}

OutermostPlace outermost_place(const Config &config, const NestConfig *nest) {
    if (!nest) return {};
    const OutermostPlace parent = outermost_place(config, parent_of(config, *nest));
    return {parent.x + (nest->i_parent_start - 1) * parent.cell,
            parent.y + (nest->j_parent_start - 1) * parent.cell, parent.cell / nest->parent_grid_ratio};
}

std::array<int, 2> start_around(const Config &config, const NestConfig &nest, double x, double y) {
    const OutermostPlace parent = outermost_place(config, parent_of(config, nest));
    const auto start = [&](double at, double from, int cells) {
        return static_cast<int>(
                   std::lround((at - from) / parent.cell - 0.5 * cells / nest.parent_grid_ratio)) +
               1;
    };
    return {start(x, parent.x, nest.nx), start(y, parent.y, nest.ny)};
}

std::array<int, 2> last_start(const NestConfig &nest, Extent parent) {
    const auto last = [&](int whole, int cells) {
        return whole - cells_beside_nest - cells / nest.parent_grid_ratio + 1;
    };
    return {last(parent.nx, nest.nx), last(parent.ny, nest.ny)};
}

bool overlap(const NestConfig &a, const NestConfig &b) {
    const auto meets = [](int start, int cells, int ratio, int other, int other_cells, int other_ratio) {
        return start < other + other_cells / other_ratio && other < start + cells / ratio;
    };
    return a.parent == b.parent &&
           meets(a.i_parent_start, a.nx, a.parent_grid_ratio, b.i_parent_start, b.nx, b.parent_grid_ratio) &&
           meets(a.j_parent_start, a.ny, a.parent_grid_ratio, b.j_parent_start, b.ny, b.parent_grid_ratio);
}

} // namespace squall
