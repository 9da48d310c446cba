/// Six-class single-moment microphysics: vapour, cloud water, rain, cloud ice, snow, graupel.
///
/// The processes and parameters of Hong and Lim (2006) with the ice of Hong, Dudhia and Chen (2004)
/// and the collection of Lin, Farley and Orville (1983); see constants.hpp. Where it departs from
/// WRF's mp_physics = 6: water and enthalpy are conserved to rounding (exchange.hpp), latent heats are
/// constants, processes stop at saturation and at the melting point with their latent heat counted,
/// and precipitation falls by upstream differences in substeps.
#pragma once

#include "physics/microphysics_scheme.hpp"

namespace squall {

MicrophysicsEntry wsm6_scheme();

} // namespace squall
