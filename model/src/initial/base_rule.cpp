#include "initial/base_rule.hpp"

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "initial/hydrostatics.hpp"

namespace squall {

void balance(Grid &g, const Range &columns, int hypsometric) {
    for_each_column(columns, [&](int i, int j) {
        double phi = double(constants::g) * g.terrain(i, j);
        g.phb(i, 0, j) = real(phi);
        for (int k = 0; k < g.shape.nz; ++k) {
            phi += double(g.alb(i, k, j)) * hypsometric_depth(g.vertical, k, g.mub(i, j), hypsometric);
            g.phb(i, k + 1, j) = real(phi);
            g.phb_residual(i, k, j) = 0;
        }
    });
}

void apply(const BaseRule &rule, Grid &grid, int hypsometric) {
    switch (rule.from) {
    case BaseRule::From::theta:
        set_base_state_from_theta(grid);
        break;
    case BaseRule::From::geopotential:
        set_base_state_from_geopotential(grid);
        break;
    case BaseRule::From::atmosphere:
        set_base_state_from_mass(grid, rule.atmosphere);
        break;
    }
    if (rule.balanced)
        balance(grid, {0, grid.shape.nx, 0, grid.shape.ny, 0, 1}, hypsometric);
    else
        set_phb_residual(grid, hypsometric);
}

} // namespace squall
