/// Three-class single-moment microphysics with simple ice: vapour, what floats and what falls. What floats is
/// cloud water above the melting point and ice below it, what falls is rain and snow.
///
/// The processes of Hong, Dudhia and Chen (2004, MWR 132, 103-120), the melting and freezing at the melting
/// level of Dudhia (1989, JAS 46, 3077-3107, equations B16 and B17), and the bounds and their order of WRF's
/// mp_physics = 3 (version 4.7). What the schemes of the family share is in physics/wsm6. Water is kept by
/// every step, enthalpy is not: what falls changes its phase with the temperature around it.
#pragma once

#include "physics/microphysics_scheme.hpp"

namespace squall {

MicrophysicsEntry wsm3_scheme();

} // namespace squall
