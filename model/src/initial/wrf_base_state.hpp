/// The base state that WRF integrates from, which is not simply what a wrfinput file holds.
#pragma once

#include "grid/grid.hpp"

namespace squall {

/// WRF's analytic base atmosphere: T = max(t_iso, t00 + lapse ln(p / p00)), and above p_strat
/// T = t_iso + lapse_strat ln(p / p_strat).
struct WrfBaseAtmosphere {
    real p00 = 0, t00 = 0, lapse = 0, t_iso = 0, lapse_strat = 0, p_strat = 0;
};

/// From mub and theta_init of the grid sets pb and alb on owned points, as WRF does at the start
/// of an idealised run (dyn_em/start_em).
void set_base_state_from_theta(Grid &grid);

/// From the terrain sets mub, pb, theta_init, alb and phb on owned points, as WRF does at the start
/// of a real-data run (dyn_em/start_em). hypsometric: see DynamicsConfig.
void set_base_state_from_terrain(Grid &grid, const WrfBaseAtmosphere &base, int hypsometric);

/// Sets phb_residual on owned points from phb, alb and mub.
void set_phb_residual(Grid &grid, int hypsometric);

} // namespace squall
