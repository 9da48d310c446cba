/// Five-class single-moment microphysics: vapour, cloud water, rain, cloud ice, snow.
///
/// The processes of Hong, Dudhia and Chen (2004, MWR 132, 103-120), with the bounds and their order of WRF's
/// mp_physics = 4 (version 4.7). What it shares with the scheme of six classes, which adds graupel, is that
/// one's (physics/wsm6). Where it departs from WRF, unless asked not to (as_wrf): snow that melts evaporates,
/// as in the paper and as WRF means to, and takes the heats that wsm6 takes; so the enthalpy
/// c_p T + l_v q_v - l_f (q_i + q_s) is kept by every step.
#pragma once

#include "physics/microphysics_scheme.hpp"

namespace squall {

MicrophysicsEntry wsm5_scheme();

} // namespace squall
