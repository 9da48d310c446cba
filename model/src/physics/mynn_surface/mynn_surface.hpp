/// The surface layer that goes with MYNN in WRF (Olson et al. 2021, NOAA Tech. Memo. OAR GSL-66):
/// Monin-Obukhov similarity with the profiles of the revised MM5 scheme (Jimenez et al. 2012, MWR 140,
/// 898-918) and roughness of its own for heat and vapour.
///
/// Over water: Charnock's roughness with 0.011 to 0.018 as the wind at 10 m grows from 10 to 18 m/s, and
/// COARE 3's for heat and vapour (Fairall et al. 2003, J. Climate 16, 571-591). Over land Zilitinkevich's
/// (1995), z0h = z0 exp(-0.085 k (u* z0 / nu)^1/2); where snow is 0.1 m deep that of Andreas (2002, J.
/// Hydrometeorol. 3, 417-432). Gusts widen the wind: of convection (Beljaars 1995), over land as deep as 1.5
/// boundary layers, and of what the grid does not resolve (Mahrt and Sun 1995). z/L follows from the bulk
/// Richardson number by iteration, where that does not end from Li et al. (2010, BLM 137, 153-158). The
/// friction velocity is the mean of the last step's and this one's, as in WRF, to damp oscillations.
///
/// Where WRF differs (SurfaceColumns::as_wrf): it takes the mixing ratio at land's surface for specific
/// humidity, and the sea's specific humidity for a mixing ratio at 2 m; and over ground or water colder than
/// 0 degrees it has the saturation of ice, for land's use too. The wind at 10 m is as WRF's, from a neutral
/// profile where the lowest layer's middle is below 13 m, but WRF takes the second layer's where that is
/// near.
#pragma once

#include "physics/surface_layer_scheme.hpp"

namespace squall {

SurfaceLayerEntry mynn_surface_scheme();

} // namespace squall
