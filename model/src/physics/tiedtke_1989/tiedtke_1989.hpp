/// Tiedtke's mass-flux scheme in its older form: deep convection that uses up available energy in a fixed
/// time, shallow and mid-level convection that the supply of vapour keeps up, downdraughts and momentum.
///
/// Tiedtke (1989, Mon. Weather Rev. 117, 1779); Nordeng (1994, ECMWF Tech. Memo. 206); Zhang, Wang and
/// Hamilton (2011, Mon. Weather Rev. 139, 3489), which is WRF's cu_physics = 6, from which constants and
/// limits are taken where the papers leave them open. The equations stand in the headers beside this one:
/// air.hpp, cloud.hpp, draughts.hpp, closure.hpp, exchange.hpp.
#pragma once

#include "physics/cumulus_scheme.hpp"

namespace squall {

CumulusEntry tiedtke_1989_scheme();

} // namespace squall
