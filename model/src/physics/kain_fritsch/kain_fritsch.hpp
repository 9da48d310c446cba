/// Deep and shallow convection of Kain and Fritsch (1990), Kain (2004, J. Appl. Meteorol. 43, 170): a plume
/// that entrains, a downdraught, and as much of both as takes away the energy that is there. Constants and
/// order are those of WRF's cu_physics = 1, and so are its tables of saturated air and of the logarithm, on
/// which clouds that hardly rise depend. Pressure is hydrostatic there.
#pragma once

#include "physics/cumulus_scheme.hpp"

namespace squall {

CumulusEntry kain_fritsch_scheme();

} // namespace squall
