/// Building blocks of built-in cases with moist air over flat ground.
#pragma once

#include <functional>

#include "initial/ideal.hpp"
#include "initial/moist_sounding.hpp"

namespace squall {

/// The air of a column that is `x`, `y` from the middle of the domain.
using MoistColumn = std::function<MoistAir(double x, double y)>;

/// Grid and base state of the sounding without its water, and the sounding itself as state: the same
/// everywhere, with its winds, in the base profiles too. Refuses a run of dry air, and a sounding that
/// ends below vertical.top, with ConfigError.
InitialState moist_atmosphere(const Config &config, const Patch &patch, const MoistSounding &sounding);

/// Adds to theta where the sounding has the heights that `disturbance` is given, and balances every
/// column again under the same mass.
void add_disturbance(const Config &config, const Patch &patch, const MoistSounding &sounding,
                     const Disturbance &disturbance, InitialState &s);

/// Makes every column one of this air, under the mass of the sounding.
void set_air(const Config &config, const Patch &patch, const MoistSounding &sounding,
             const MoistColumn &column, InitialState &s);

} // namespace squall
