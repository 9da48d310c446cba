#include "initial/base_rule.hpp"

namespace squall {

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
    set_phb_residual(grid, hypsometric);
}

} // namespace squall
