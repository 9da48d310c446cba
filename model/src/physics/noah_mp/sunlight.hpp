/// What leaves and the ground take up of sunlight: two streams within the leaves (Dickinson 1983, Adv.
/// Geophys. 25, 305; Sellers 1985, Int. J. Remote Sens. 6, 1335), gaps where nothing grows (Niu and Yang
/// 2004, J. Geophys. Res. 109, D23111, with a gap of 1 - the share under leaves).
#pragma once

#include "physics/noah_mp/leaves.hpp"

namespace squall::noah_mp {

struct Sunlight {
    real leaves, ground, reflected; ///< [W m-2]
    real lit_area, shaded_area;     ///< of leaves
    real lit, shaded;               ///< visible light that they take up, over their area [W m-2]
};

/// `snow_cover`: share of the ground; `snowfall` that reaches it [kg m-2 s-1]; `wet`: share of leaves. Ages
/// Column::snow_albedo by day.
Sunlight sunlight(const Leaves &leaves, const Site &site, const Air &air, real snow_cover, real snowfall,
                  real wet, Column &column);

/// The albedo of snow that ages for dt under `snowfall`: Verseghy (1991, Int. J. Climatol. 11, 111).
real aged_snow_albedo(real albedo, real snowfall, real dt);

} // namespace squall::noah_mp
