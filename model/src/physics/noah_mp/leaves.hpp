/// Leaves and stems of the season, and the water and snow on them: Yang and Niu (2003), Niu et al. (2011).
#pragma once

#include "physics/noah_mp/column.hpp"

namespace squall::noah_mp {

/// What stands out of the snow.
struct Leaves {
    real leaf, stem; ///< areas over that of the ground under the canopy
    real cover;      ///< share of the ground under them
    bool growing;

    real area() const { return leaf + stem; }
    bool any() const { return leaf + stem > 0 && cover > 0; }
};

/// By the table of months or by Site::leaf_area, buried by `snow_depth` [m]. `temperature`: theirs [K].
Leaves leaves_of(const Site &site, real snow_depth, real temperature);

/// What comes of rain and snow on their way down.
struct Precipitation {
    real rain, snow;                ///< that reach the ground [kg m-2 s-1]
    real depth_rate;                ///< by which the snow there grows [m s-1]
    real wet;                       ///< share of leaves that water or ice covers
    real to_leaves, under, to_bare; ///< heat that it brings: to leaves, to the ground under them over their
                                    ///< share, to bare ground over its share [W m-2]
};

/// Holds back what the leaves can hold: Niu and Yang (2004, J. Geophys. Res. 109, D23111).
Precipitation intercept(const Leaves &leaves, const Air &air, Column &column);

/// What leaves gave off [kg m-2 s-1]: of the water on them (dew and frost negative) and through stomata.
struct LeafVapour {
    real evaporation, transpiration;
};

/// Takes it from the water on leaves, which then freezes or melts. Heat [W m-2]; `frozen`: the leaves were.
LeafVapour dry_leaves(const Leaves &leaves, const Air &air, bool frozen, real evaporation_heat,
                      real transpiration_heat, Column &column);

} // namespace squall::noah_mp
