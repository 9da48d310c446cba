/// What is left of the fuel behind the front, and the heat of what has burnt.
#pragma once

#include "core/array.hpp"
#include "core/loop.hpp"
#include "physics/fire/fuel.hpp"

namespace squall::fire {

/// Share of a cell's fuel that is left, and of its area that has caught fire.
struct Remains {
    real fuel, area;
};

/// Of a cell and its eight neighbours: each quarter of the cell has caught fire in a share of its area that
/// follows from psi at its corners, and its fuel has fallen there exponentially since the mean of when its
/// corners caught fire (Mandel, Beezley and Kochanski 2011, section 3.4). `now`, and `ignition_time`: [s];
/// `burn_time`: to 1/e [s].
Remains remains_of(ConstField2 psi, ConstField2 ignition_time, int i, int j, double now, real burn_time);

/// Sensible and latent heat of a mass of fuel that burns [J m-2].
struct Heat {
    double sensible, latent;
};

/// `load`: its mass, water included [kg m-2]; `moisture`: of that, per dry mass. The water is the fuel's own,
/// and what burning cellulose makes (Clark et al. 2004).
Heat heat_of(double load, double moisture);

} // namespace squall::fire
