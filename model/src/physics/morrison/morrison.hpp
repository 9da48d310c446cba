/// Two-moment microphysics: rain, cloud ice, snow and graupel or hail with their numbers, cloud water with a
/// number of droplets that is given.
///
/// The processes of Morrison, Curry and Khvorostyanov (2005) and Morrison, Thompson and Tatarskii (2009),
/// with the bounds and their order of WRF's mp_physics = 10 (version 4.7); see constants.hpp. Two schemes:
/// "morrison" has hail, as WRF unless told otherwise, "morrison-graupel" graupel (morr_rimed_ice = 0). Heats
/// and densities are those of the air at the beginning of a step. Where it departs from WRF, unless asked not
/// to (as_wrf): what falls is shared out by the mass of dry air; WRF takes the density of all air, and so
/// does not close the water of a run. Every step keeps the enthalpy c_p T + l_v q_v - l_f (q_i + q_s + q_g).
#pragma once

#include "physics/microphysics_scheme.hpp"

namespace squall {

MicrophysicsEntry morrison_scheme();
MicrophysicsEntry morrison_graupel_scheme();

} // namespace squall
