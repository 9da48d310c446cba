// Straka, J. M., R. B. Wilhelmson, L. J. Wicker, J. R. Anderson and K. K. Droegemeier (1993):
// Numerical solutions of a non-linear density current: a benchmark solution and comparisons.
// Int. J. Numer. Meth. Fluids 17, 1-22.

#include <cmath>
#include <numbers>

#include "core/constants.hpp"
#include "initial/cases/cases.hpp"
#include "initial/ideal.hpp"

namespace squall {
namespace {

/// Temperature falls by (cos(pi r) + 1) / 2 of the amplitude within the ellipse r <= 1.
Disturbance cold_blob(const Config &config) {
    const double amplitude = parameter(config, "amplitude"), centre = parameter(config, "centre_x");
    const double height = parameter(config, "height"), radius_x = parameter(config, "radius_x");
    const double radius_z = parameter(config, "radius_z");
    return [=, &config](double x, double, double z, double p) {
        const double r = std::hypot(distance_x(config, x, centre) / radius_x, (z - height) / radius_z);
        if (r > 1) return 0.0;
        const double exner = std::pow(p / constants::p0, double(constants::r_d) / constants::c_p);
        return amplitude * 0.5 * (std::cos(std::numbers::pi * r) + 1) / exner;
    };
}

InitialState make(const Config &config, const Patch &patch) {
    const Sounding sounding = constant_stability(parameter(config, "theta"), 0);
    InitialState s = atmosphere_at_rest(config, patch, sounding);
    add_disturbance(config, patch, sounding, cold_blob(config), s);
    return s;
}

} // namespace

Case density_current() {
    return {
        "density-current",
        "A blob of cold air falls in a neutral atmosphere and spreads along the ground (Straka et al. 1993)",
        {{"theta", "K", 300, "potential temperature of the neutral atmosphere"},
         {"amplitude", "K", -15,
          "amplitude of the cold perturbation in temperature (not potential temperature)"},
         {"centre_x", "m", 0, "distance of the cold air's centre east of the middle of the domain"},
         {"height", "m", 3000, "height of the cold air's centre"},
         {"radius_x", "m", 4000, "half width of the cold air"},
         {"radius_z", "m", 2000, "half depth of the cold air"}},
        make};
}

} // namespace squall
