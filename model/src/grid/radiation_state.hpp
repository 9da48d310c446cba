/// What radiation leaves behind from one call to the next.
#pragma once

#include "core/array.hpp"

namespace squall {

/// Owned columns of a patch; halos are not filled. Part of a restart. Empty in a run without radiation.
struct RadiationState {
    RadiationState() = default;
    explicit RadiationState(Shape s)
        : heating(s), shortwave_down(s), shortwave_net(s), shortwave_down_top(s), shortwave_up_top(s),
          longwave_down(s), longwave_up_top(s), cosine(s) {}

    /// Rate of change of the potential temperature of dry air, on layers [K s-1] (RTHRATEN).
    Array3 heating;
    Array2 shortwave_down;     ///< at the ground [W m-2] (SWDOWN)
    Array2 shortwave_net;      ///< absorbed by the ground [W m-2] (GSW)
    Array2 shortwave_down_top; ///< at the top of the atmosphere [W m-2] (SWDNT)
    Array2 shortwave_up_top;   ///< [W m-2] (SWUPT)
    Array2 longwave_down;      ///< at the ground [W m-2] (GLW)
    Array2 longwave_up_top;    ///< [W m-2] (OLR)
    Array2 cosine;             ///< of the zenith angle of the sun (COSZEN)
};

} // namespace squall
