/// Deep convection by an ensemble of closures that leaves to the grid what it resolves, with downdraughts and
/// momentum.
///
/// Grell (1993, Mon. Weather Rev. 121, 764); Grell and Devenyi (2002, Geophys. Res. Lett. 29, 1693); Grell
/// and Freitas (2014, Atmos. Chem. Phys. 14, 5233), which is WRF's cu_physics = 3 by its defaults, from which
/// constants and limits are taken where the papers leave them open. The equations stand in the headers beside
/// this one: air.hpp, cloud.hpp, draughts.hpp, exchange.hpp, closure.hpp; shallow.hpp.
#pragma once

#include "physics/cumulus_scheme.hpp"

namespace squall {

CumulusEntry grell_freitas_scheme();

/// With shallow convection too, WRF's ishallow = 1.
CumulusEntry grell_freitas_shallow_scheme();

} // namespace squall
