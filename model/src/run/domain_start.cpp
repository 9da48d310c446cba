#include "run/domain_start.hpp"

#include "initial/blank.hpp"
#include "run/agree.hpp"

namespace squall {

Patch patch_of(const Config &config, const Share &share, int rank) {
    const DomainConfig &d = config.domain;
    const int grain = config.identity.parent_grid_ratio;
    const auto [px, py] =
        choose_process_grid(share.count, d.nx, d.ny, config.parallel.ranks_x, config.parallel.ranks_y, grain);
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

InitialState initial_elsewhere(const Config &config, const Patch &patch, const InitialState &parent) {
    InitialState s = blank_state(config, patch.shape, config.domain.dx, config.domain.dy);
    s.base_rule = parent.base_rule;
    Grid &g = s.grid;
    const Grid &p = parent.grid;
    g.vertical = p.vertical;
    g.u_base = p.u_base, g.v_base = p.v_base, g.theta_base = p.theta_base;
    g.z_base = p.z_base, g.qv_base = p.qv_base;
    return s;
}

} // namespace squall
