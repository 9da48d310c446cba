/// Tables of wind turbines: where they stand and what they are.
#pragma once

#include <vector>

#include <mpi.h>

#include "grid/grid.hpp"
#include "parallel/decomposition.hpp"
#include "physics/wind_farm/turbine.hpp"
#include "settings/config.hpp"

namespace squall {

/// Of config.wind_farm.curves: columns wind_speed [m s-1], which grows from above 0, thrust and power [kW].
/// Throws std::runtime_error: the file, the line and what is wrong.
std::vector<TurbineType> read_turbine_types(const Config &config);

/// Of config.wind_farm.turbines: columns latitude, longitude [degrees] and type, from 0; or i, j, cells of
/// the outermost domain from 0, and type. In the table's order; of a nest those that stand in it by latitude
/// and longitude. Collective over the ranks of the domain; throws std::runtime_error on all alike, also where
/// one stands outside of the outermost domain.
std::vector<StandingTurbine> find_turbines(const Config &config, const Patch &patch, MPI_Comm comm,
                                           const Grid &grid);

} // namespace squall
