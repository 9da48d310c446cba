/// The surface layer of the Eta model: Janjic (1996, 11th Conf. on Numerical Weather Prediction, 354-355;
/// 2002, NCEP Office Note 437), Monin-Obukhov similarity by five iterations from the conductances of the last
/// step.
///
/// Over land heat and vapour have a roughness of their own, Zilitinkevich's (1995), z0h = z0 exp(-0.1 k
/// (u* z0 / nu)^1/2), which falls with the Richardson number in stable air, up to eleven times as steep. Over
/// water there is a viscous sublayer (Janjic 1994, MWR 122, 927-945, section 2): wind, potential temperature
/// and humidity at its top lie between those of the surface and of the lowest layer, all three in smooth
/// flow, u* < 0.225 m/s; heat and vapour alone up to 0.7 m/s; above there is none. Gusts of convection widen
/// the friction velocity (Beljaars 1995, QJRMS 121, 255-270).
///
/// Where WRF differs (SurfaceColumns::as_wrf): its fluxes of heat and vapour have the density of dry air of
/// that pressure, here that of moist air; its temperature and vapour at 2 m over the sea begin at the skin
/// without the sublayer, here below it.
#pragma once

#include "physics/surface_layer_scheme.hpp"

namespace squall {

SurfaceLayerEntry eta_scheme();

} // namespace squall
