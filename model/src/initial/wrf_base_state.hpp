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

/// The same from mub, leaving that and phb as they are: of a grid that took them from another.
void set_base_state_from_mass(Grid &grid, const WrfBaseAtmosphere &base);

/// Sets pb on owned points from mub, and alb and theta_init from phb, so that with hypsometric 1 the base
/// state is in balance to the last bit (WRF's ideal_init_method 1).
void set_base_state_from_geopotential(Grid &grid);

/// Sets phb_residual on owned points from phb, alb and mub. With hypsometric 1 there is none, as in WRF,
/// which then takes thickness from the departure of geopotential alone.
void set_phb_residual(Grid &grid, int hypsometric);

/// Which hypsometric option gives the thickness of the layers of the column at owned point (i, j), from
/// phb, mub and the base state's pb and alb there. 0: neither does within 1 %.
int hypsometric_of_geopotential(const Grid &grid, int i, int j);

} // namespace squall
