/// What convection that the grid does not resolve leaves from one step to the next.
#pragma once

#include "core/array.hpp"

namespace squall {

/// Owned columns of a patch; halos are not filled. Part of a restart. Empty in a run without a cumulus
/// scheme.
struct ConvectionState {
    ConvectionState() = default;
    /// `winds`: of a scheme that moves wind.
    explicit ConvectionState(Shape s, bool winds = false)
        : heating(s), vapour(s), cloud(s), rain(s), ice(s), snow(s), updraught(s), remaining(s), rate(s),
          accumulated(s) {
        if (winds) u = Array3(s), v = Array3(s);
    }

    /// Rates of change while convection lasts: of dry potential temperature [K s-1] (RTHCUTEN) and of mixing
    /// ratios [kg kg-1 s-1] (RQVCUTEN, RQCCUTEN, RQRCUTEN, RQICUTEN, RQSCUTEN).
    Array3 heating, vapour, cloud, rain, ice, snow;
    Array3 u, v;        ///< likewise of wind at the middle of cells [m s-2] (RUCUTEN, RVCUTEN); empty without
    Array3 updraught;   ///< mean of w over the last minutes, at the middle of layers [m s-1] (W0AVG)
    Array2 remaining;   ///< how long convection will last [s]; none where it is not positive (NCA)
    Array2 rate;        ///< of precipitation while it lasts [kg m-2 s-1] (PRATEC)
    Array2 accumulated; ///< precipitation [mm] (RAINC)
};

} // namespace squall
