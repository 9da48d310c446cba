/// Mountains within a cell as the wind meets them: Kim and Arakawa (1995, J. Atmos. Sci. 52, 1875), Kim and
/// Doyle (2005, Q. J. R. Meteorol. Soc. 131, 1893), Choi and Hong (2015, J. Geophys. Res. Atmos. 120, 12445).
#pragma once

#include "physics/gravity_wave_drag_scheme.hpp"

namespace squall::kim_arakawa {

/// The statistics of a cell for the one of eight directions that is nearest to the wind's.
struct Facing {
    real asymmetry; ///< OA: positive where the mountains stand upstream
    real length;    ///< OL along the wind
    real across;    ///< OL at right angles to it
    real aspect;    ///< OD: `across` over `length`, 0.1 to 10; 1 where both are 0, of hills that are all low
    real front;     ///< width of the cell across the wind, in root of its area
};

/// For column i and a wind of eastward u and northward v, which are not both 0.
Facing facing(const OrographicColumns &c, int i, real u, real v);

/// m, how many mountains there are: (1 + OL)^(OA + 1).
real mountains(const Facing &f);

} // namespace squall::kim_arakawa
