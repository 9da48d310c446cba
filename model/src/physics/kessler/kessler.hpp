/// Warm rain of Kessler (1969) in the form of Klemp and Wilhelmson (1978, JAS 35, 1070-1096,
/// section 2), with the constants and the order of operations of WRF's mp_physics = 1, so that
/// both models make the same rain from the same column.
#pragma once

#include "physics/microphysics_scheme.hpp"

namespace squall {

MicrophysicsEntry kessler_scheme();

} // namespace squall
