/// Thermal radiation of a cloud of stratocumulus by its water alone, as the first flight of DYCOMS-II has it:
/// Stevens et al. (2005, MWR 133, 1443-1462), equations 3 and 4.
///
/// The net upward flux at a height z, with Q the path of cloud water times 85 m2 kg-1,
///
///     F = 70 W m-2 exp(-Q above) + 22 W m-2 exp(-Q below)
///         + rho c_p D ((z - z_i)^(4/3) / 4 + z_i (z - z_i)^(1/3)) 1 m^(4/3)
///
/// cools the cloud's top, warms its base a little, and above the inversion z_i cools the air as sinking at
/// the divergence D of 3.75e-6 s-1 warms it; from 2 km above the inversion on F stays. z_i is where water of
/// all kinds falls to 8 g/kg; air drier than that has no inversion. There is no sunlight.
#pragma once

#include "physics/radiation/scheme.hpp"

namespace squall::radiation {

SchemeEntry stratocumulus_scheme();

} // namespace squall::radiation
