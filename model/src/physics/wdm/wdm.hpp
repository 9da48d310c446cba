/// Microphysics that counts cloud droplets, rain drops and the nuclei that droplets form on, and has ice as
/// the single-moment schemes wsm5 and wsm6.
///
/// The processes of Lim and Hong (2010, MWR 138, 1587-1612), which are those of Cohard and Pinty (2000, QJRMS
/// 126, 1815-1842) for liquid water and of Khairoutdinov and Kogan (2000, MWR 128, 229-243) for nuclei, with
/// the bounds and their order of WRF's mp_physics = 14 and 16 (version 4.7). Where they depart from WRF,
/// unless asked not to (as_wrf): numbers, which the air carries per mass, are those of a volume at its
/// density; drops that autoconversion makes stay drops; no more rain leaves a layer than is there; melting
/// takes the heats that wsm5 and wsm6 take; all snow melts that does. So water is conserved, and the enthalpy
/// that those conserve.
#pragma once

#include "physics/microphysics_scheme.hpp"

namespace squall {

MicrophysicsEntry wdm5_scheme();
MicrophysicsEntry wdm6_scheme();

} // namespace squall
