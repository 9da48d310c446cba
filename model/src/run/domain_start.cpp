#include "run/domain_start.hpp"

#include <array>
#include <stdexcept>

#include "initial/blank.hpp"
#include "initial/levels_in_file.hpp"
#include "nesting/level_remap.hpp"
#include "run/agree.hpp"

namespace squall {
namespace {

/// All ranks see alike what is impossible.
std::array<int, 2> process_grid_of(const Config &config, int ranks) try {
    return choose_process_grid(ranks, config.domain.nx, config.domain.ny, config.parallel.ranks_x,
                               config.parallel.ranks_y, config.identity.parent_grid_ratio);
} catch (const std::invalid_argument &e) {
    throw AgreedError(e.what());
}

} // namespace

Patch patch_of(const Config &config, const Share &share, int rank) {
    const DomainConfig &d = config.domain;
    const int grain = config.identity.parent_grid_ratio;
    const auto [px, py] = process_grid_of(config, share.count);
    if (share.has(rank)) return make_patch(rank - share.first, px, py, d.nx, d.ny, d.nz, d.boundaries, grain);
    Patch none;
    none.shape.nz = d.nz;
    none.nx_domain = d.nx, none.ny_domain = d.ny;
    none.px = px, none.py = py, none.cx = none.cy = -1;
    none.grain = grain;
    return none;
}

InitialState read_initial(const Config &config, const Patch &patch, MPI_Comm comm) {
    InitialState initial;
    agree(comm, [&] { initial = make_initial_state(config, patch); });
    return initial;
}

VerticalGrid levels_of(const NestConfig &nest, const VerticalGrid &parent) {
    if (!nest.initial_file.empty()) return levels_in_file(nest.initial_file, nest.nz);
    if (!nest.eta.empty()) return levels_inside(parent, nest.eta);
    return nest.nz > 0 && nest.nz != parent.nz ? levels_inside(parent, divided(parent.znw, nest.nz)) : parent;
}

InitialState initial_elsewhere(const Config &config, const Patch &patch, const InitialState &parent,
                               const VerticalGrid &levels) {
    InitialState s = blank_state(config, patch.shape, config.domain.dx, config.domain.dy);
    s.base_rule = parent.base_rule;
    Grid &g = s.grid;
    const Grid &p = parent.grid;
    g.vertical = levels;
    set_base_profiles(LevelRemap(p.vertical, levels), p, g);
    return s;
}

} // namespace squall
