// Wicker, L. J. and W. C. Skamarock (1998): A time-splitting scheme for the elastic equations
// incorporating second-order Runge-Kutta time differencing. Mon. Wea. Rev. 126, 1992-1999; the dry
// bubble of Bryan, G. H. and J. M. Fritsch (2002): A benchmark simulation for moist nonhydrostatic
// numerical models. Mon. Wea. Rev. 130, 2917-2928, eq. 1 and section 2.

#include <cmath>
#include <numbers>

#include "initial/cases/cases.hpp"
#include "initial/ideal.hpp"

namespace squall {
namespace {

/// theta' = amplitude cos^2(pi r / 2) within r <= 1; the bubble is a cylinder along y where
/// radius_y is 0.
Disturbance bubble(const Config &config) {
    const double amplitude = parameter(config, "amplitude"), height = parameter(config, "height");
    const double centre_x = parameter(config, "centre_x"), centre_y = parameter(config, "centre_y");
    const double radius_x = parameter(config, "radius_x"), radius_y = parameter(config, "radius_y");
    const double radius_z = parameter(config, "radius_z");
    return [=, &config](double x, double y, double z, double) {
        const double along_y = radius_y > 0 ? (y - centre_y) / radius_y : 0;
        const double r =
            std::hypot(distance_x(config, x, centre_x) / radius_x, along_y, (z - height) / radius_z);
        if (r > 1) return 0.0;
        const double c = std::cos(0.5 * std::numbers::pi * r);
        return amplitude * c * c;
    };
}

InitialState make(const Config &config, const Patch &patch) {
    const Sounding sounding = constant_stability(parameter(config, "theta"), 0);
    InitialState s = atmosphere_at_rest(config, patch, sounding);
    set_uniform_wind(s, parameter(config, "u"));
    add_disturbance(config, patch, sounding, bubble(config), s);
    return s;
}

} // namespace

Case warm_bubble() {
    return {"warm-bubble",
            "A warm bubble rises in a neutral atmosphere (Wicker and Skamarock 1998; Bryan and Fritsch 2002)",
            {{"theta", "K", 300, "potential temperature of the neutral atmosphere"},
             {"u", "m/s", 0, "mean wind along x"},
             {"amplitude", "K", 2, "greatest departure of potential temperature"},
             {"centre_x", "m", 0, "where the bubble's centre lies, east of the middle of the domain"},
             {"centre_y", "m", 0, "where the bubble's centre lies, north of the middle of the domain"},
             {"height", "m", 2000, "of the bubble's centre"},
             {"radius_x", "m", 2000, "of the bubble along x"},
             {"radius_y", "m", 0, "of the bubble along y; 0: a cylinder along y"},
             {"radius_z", "m", 2000, "of the bubble in height"}},
            make};
}

} // namespace squall
