/// Building blocks of built-in cases: an atmosphere at rest over terrain, and what is added to it.
///
/// Every column depends on its global position only, so that any decomposition gives the same bits.
/// Horizontal positions x, y are in m east and north of the middle of the domain.
#pragma once

#include <functional>

#include "initial/column.hpp"
#include "initial/initial.hpp"
#include "initial/sounding.hpp"

namespace squall {

/// Height of the surface [m].
using Terrain = std::function<double(double x, double y)>;

/// A flat surface at z = 0.
inline double flat(double, double) { return 0; }

/// A disturbance of potential temperature [K] at height z [m] and pressure p [Pa].
using Disturbance = std::function<double(double x, double y, double z, double p)>;

/// The levels of [vertical] in this atmosphere over flat ground: explicit eta, or layers whose
/// thickness in height grows by `stretch` up to `top`. Throws ConfigError.
VerticalGrid make_levels(const Config &config, const Sounding &sounding);

/// Grid and base state of the atmosphere at rest over terrain, and the state equal to it. Coriolis
/// is that of [dynamics]. Throws ConfigError.
InitialState atmosphere_at_rest(const Config &config, const Patch &patch, const Sounding &sounding,
                                const Terrain &terrain = flat);

/// Sets the same wind along x everywhere, in the base profile too.
void set_uniform_wind(InitialState &s, double u);

/// Adds to theta and balances every column again, keeping `conserve`. `departure(x, y)` gives what
/// theta becomes in a column: theta_init plus that. The sounding is that of atmosphere_at_rest.
void add_departure(const Config &config, const Patch &patch, const Sounding &sounding,
                   const std::function<ThetaDeparture(double x, double y)> &departure, Conserve conserve,
                   InitialState &s);

/// The same for a disturbance of the sounding that is given by height, the air above undisturbed.
void add_disturbance(const Config &config, const Patch &patch, const Sounding &sounding,
                     const Disturbance &disturbance, InitialState &s);

/// x - centre, by the shorter way round where the domain is periodic in x.
double distance_x(const Config &config, double x, double centre);

} // namespace squall
