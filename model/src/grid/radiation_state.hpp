/// What radiation leaves behind from one call to the next.
#pragma once

#include "core/array.hpp"

namespace squall {

/// Owned columns of a patch; halos are not filled. Part of a restart. Empty in a run without radiation.
struct RadiationState {
    RadiationState() = default;
    /// `relief`: the ground is not level for sunlight (SunlitGround::wanted).
    explicit RadiationState(Shape s, bool relief = false)
        : heating(s), shortwave_down(s), shortwave_direct(s), shortwave_net(s), shortwave_down_top(s),
          shortwave_up_top(s), longwave_down(s), longwave_up_top(s), cosine(s) {
        if (relief) shortwave_on_relief = Array2(s);
    }

    /// Rate of change of the potential temperature of dry air, on layers [K s-1] (RTHRATEN).
    Array3 heating;
    Array2 shortwave_down;     ///< at the ground, on a level plane [W m-2] (SWDOWN)
    Array2 shortwave_direct;   ///< of it straight from the sun [W m-2] (SWDDIR)
    Array2 shortwave_net;      ///< absorbed by the ground [W m-2] (GSW)
    Array2 shortwave_down_top; ///< at the top of the atmosphere [W m-2] (SWDNT)
    Array2 shortwave_up_top;   ///< [W m-2] (SWUPT)
    Array2 longwave_down;      ///< at the ground [W m-2] (GLW)
    Array2 longwave_up_top;    ///< [W m-2] (OLR)
    Array2 cosine;             ///< of the zenith angle of the sun (COSZEN)
    /// What the ground is reached by.
    const Array2 &shortwave_reaching() const {
        return shortwave_on_relief.bytes() > 0 ? shortwave_on_relief : shortwave_down;
    }
    Array2 shortwave_on_relief; ///< on the ground as it is inclined and shaded [W m-2] (SWNORM); else empty
};

} // namespace squall
