/// Tiedtke's mass-flux scheme in its new form: deep, shallow and middle convection, downdraughts, momentum,
/// available energy used up in a time that cells which resolve some of it lengthen.
///
/// Tiedtke (1989, Mon. Weather Rev. 117, 1779); Bechtold et al. (2008, Q. J. R. Meteorol. Soc. 134, 1337;
/// 2014, J. Atmos. Sci. 71, 734); Zhang and Wang (2017, J. Climate 30, 5923), which is WRF's cu_physics = 16,
/// from which constants and limits are taken where the papers leave them open. The equations stand in the
/// headers beside this one: cloud.hpp, draughts.hpp, closure.hpp, exchange.hpp.
#pragma once

#include "physics/cumulus_scheme.hpp"

namespace squall {

CumulusEntry tiedtke_scheme();

} // namespace squall
