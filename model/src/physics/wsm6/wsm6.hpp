/// Six-class single-moment microphysics: vapour, cloud water, rain, cloud ice, snow, graupel.
///
/// The processes of Hong and Lim (2006) with the ice of Hong, Dudhia and Chen (2004), the fall speed that
/// snow and graupel have together of Dudhia, Hong and Lim (2008), and the bounds and their order of WRF's
/// mp_physics = 6 (version 4.7); see constants.hpp. Heat capacity and heat of vaporisation are those of
/// the air at the beginning of a step. Where it departs from WRF, unless asked not to (as_wrf): melting
/// and the evaporation of what melts take the heat that freezing and deposition give at that temperature,
/// so that the enthalpy c_p T + l_v q_v - l_f (q_i + q_s + q_g) is kept by every step.
#pragma once

#include "physics/microphysics_scheme.hpp"

namespace squall {

MicrophysicsEntry wsm6_scheme();

} // namespace squall
