/// How a base state follows from its column mass and geopotential: needed again where a nest takes them from
/// its parent, or a parent from its nest.
#pragma once

#include "core/loop.hpp"
#include "initial/wrf_base_state.hpp"

namespace squall {

struct BaseRule {
    enum class From {
        theta,        ///< pb from mub, alb from theta_init, which is kept
        geopotential, ///< alb and theta_init from phb
        atmosphere    ///< theta_init and alb from pressure by the analytic atmosphere
    };
    From from = From::theta;
    /// Whether it was built here, in balance to the last bit; that of a file is so to rounding of what the
    /// file holds.
    bool balanced = true;
    WrfBaseAtmosphere atmosphere;
};

/// Sets pb, alb, phb_residual, of a balanced one phb from the terrain up, and, but by From::theta, theta_init
/// on owned points of a grid whose mub and phb are set, as WRF does where there are several domains
/// (dyn_em/start_em). hypsometric: see DynamicsConfig.
void apply(const BaseRule &rule, Grid &grid, int hypsometric);

/// Makes phb of `columns` what alb and mub ask for, from the terrain up: the gradient of pressure takes a
/// base state for balanced, so that what its geopotential has beside that moves the air.
void balance(Grid &grid, const Range &columns, int hypsometric);

} // namespace squall
