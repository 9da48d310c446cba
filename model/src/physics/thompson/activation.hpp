/// Cloud droplets that form on aerosol in rising air.
///
/// What part of it does, by T. Eidhammer's runs of a parcel model (Feingold and Heymsfield 1992, J. Atmos.
/// Sci. 49, 2325-2342; Eidhammer, DeMott and Kreidenweis 2009, JGR 114, D06202), as WRF reads them from
/// CCN_ACTIVATE.BIN, in the public domain: of 5 mean radii and 4 hygroscopicities there those of sulphate,
/// 0.04 micrometres and 0.4, at which WRF looks.
#pragma once

namespace squall::thompson {

/// Droplets [m-3] of water-friendly aerosol of this number [m-3], 10 to 10000 cm-3, in an updraught [m s-1],
/// 0.01 to 100, at a temperature [K], -30 to 30 C in steps of 10; beyond these as at the ends.
double activated(double number, double updraught, double temperature);

} // namespace squall::thompson
