/// Water below the soil, after TOPMODEL: a simple aquifer (Niu et al. 2007, J. Geophys. Res. 112, D07103)
/// under soil that is saturated where the ground lies low (Niu et al. 2005, J. Geophys. Res. 110, D21106),
/// with the parameters of He et al. (2023, NCAR/TN-575+STR).
#pragma once

#include "physics/noah_mp/column.hpp"

namespace squall::noah_mp {

/// Of the ground, where the water table reaches the surface.
real saturated_share(const noah::Soil &soil, const Groundwater &below);

/// Exchanges water between soil and aquifer for dt and lets the discharge go [kg m-2 s-1]. `conductivity` of
/// layers [m s-1]; `shut`: largest share of a layer that ice seals; `ice` [m3 m-3]. Sets Column::liquid,
/// which may be left below 0, and below.
real discharge(const noah::Soil &soil, const Layers &conductivity, real shut, const Layers &ice, real dt,
               Column &column);

} // namespace squall::noah_mp
