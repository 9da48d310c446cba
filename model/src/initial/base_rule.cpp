#include "initial/base_rule.hpp"

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "initial/hydrostatics.hpp"

namespace squall {

namespace {

/// Makes phb what alb asks for, and says so.
void balance(Grid &g, int hypsometric) {
    for_each_column({0, g.shape.nx, 0, g.shape.ny}, [&](int i, int j) {
        double phi = double(constants::g) * g.terrain(i, j);
        g.phb(i, 0, j) = real(phi);
        for (int k = 0; k < g.shape.nz; ++k) {
            phi += double(g.alb(i, k, j)) * hypsometric_depth(g.vertical, k, g.mub(i, j), hypsometric);
            g.phb(i, k + 1, j) = real(phi);
        }
    });
    g.phb_residual.fill(0);
}

} // namespace

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
        balance(grid, hypsometric);
    else
        set_phb_residual(grid, hypsometric);
}

} // namespace squall
