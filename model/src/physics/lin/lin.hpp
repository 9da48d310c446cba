/// Six-class single-moment microphysics: vapour, cloud water, rain, cloud ice, snow, graupel.
///
/// The processes of Lin, Farley and Orville (1983) and Rutledge and Hobbs (1984), of which Chen and Sun
/// (2002) made the scheme that WRF has as mp_physics = 2 (version 4.7), with its bounds and their order, and
/// the saturation adjustment of Tao, Simpson and McCumber (1989, MWR 117, 231-235); see constants.hpp. Where
/// it departs from WRF, unless asked not to (as_wrf):
/// - Nuclei grow by what droplets there are; WRF makes their water up where there are none.
/// - Ice takes its temperature with it as it falls; in WRF the layer that it leaves is cooled, and the one
/// that it
///   comes to warmed, by its heat of fusion.
/// - The ice that Bergeron's process makes snow of is what the paper says; WRF multiplies it by the time step
/// in
///   seconds, and subtracts the water that freezes.
/// So water and the enthalpy c_p T + l_v q_v - l_f (q_i + q_s + q_g) are kept by every step.
#pragma once

#include "physics/microphysics_scheme.hpp"

namespace squall {

MicrophysicsEntry lin_scheme();

} // namespace squall
