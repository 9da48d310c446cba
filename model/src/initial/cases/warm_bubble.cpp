// Wicker, L. J. and W. C. Skamarock (1998): A time-splitting scheme for the elastic equations
// incorporating second-order Runge-Kutta time differencing. Mon. Wea. Rev. 126, 1992-1999; the dry
// bubble of Bryan, G. H. and J. M. Fritsch (2002): A benchmark simulation for moist nonhydrostatic
// numerical models. Mon. Wea. Rev. 130, 2917-2928, eq. 1 and section 2.

#include "initial/cases/cases.hpp"
#include "initial/cases/thermal.hpp"
#include "initial/ideal.hpp"

namespace squall {
namespace {

InitialState make(const Config &config, const Patch &patch) {
    const Sounding sounding = constant_stability(parameter(config, "theta"), 0);
    InitialState s = atmosphere_at_rest(config, patch, sounding);
    set_uniform_wind(s, parameter(config, "u"));
    add_disturbance(config, patch, sounding, thermal(config), s);
    return s;
}

} // namespace

Case warm_bubble() {
    return {"warm-bubble",
            "A warm bubble rises in a neutral atmosphere (Wicker and Skamarock 1998; Bryan and Fritsch 2002)",
            {{"theta", "K", 300, "potential temperature of the neutral atmosphere"},
             {"u", "m/s", 0, "mean wind along x"},
             {"amplitude", "K", 2, "amplitude of the bubble in potential temperature"},
             {"centre_x", "m", 0, "distance of the bubble's centre east of the middle of the domain"},
             {"centre_y", "m", 0, "distance of the bubble's centre north of the middle of the domain"},
             {"height", "m", 2000, "height of the bubble's centre"},
             {"radius_x", "m", 2000, "radius of the bubble along x"},
             {"radius_y", "m", 0, "radius of the bubble along y; 0: a cylinder along y"},
             {"radius_z", "m", 2000, "vertical radius of the bubble"}},
            make};
}

} // namespace squall
