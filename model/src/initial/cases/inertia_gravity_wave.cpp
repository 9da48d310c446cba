// Skamarock, W. C. and J. B. Klemp (1994): Efficiency and accuracy of the Klemp-Wilhelmson
// time-splitting technique. Mon. Wea. Rev. 122, 2623-2630, section 4.

#include <cmath>
#include <numbers>

#include "initial/cases/cases.hpp"
#include "initial/ideal.hpp"

namespace squall {
namespace {

/// theta' = amplitude sin(pi z / depth) / (1 + ((x - centre) / half_width)^2).
Disturbance warm_column(const Config &config) {
    const double amplitude = parameter(config, "amplitude"), depth = parameter(config, "depth");
    const double centre = parameter(config, "centre_x"), half_width = parameter(config, "half_width");
    return [=, &config](double x, double, double z, double) {
        const double r = distance_x(config, x, centre) / half_width;
        return z < depth ? amplitude * std::sin(std::numbers::pi * z / depth) / (1 + r * r) : 0.0;
    };
}

InitialState make(const Config &config, const Patch &patch) {
    const Sounding sounding =
        constant_stability(parameter(config, "theta"), parameter(config, "buoyancy_frequency"));
    InitialState s = atmosphere_at_rest(config, patch, sounding);
    set_uniform_wind(s, parameter(config, "u"));
    add_disturbance(config, patch, sounding, warm_column(config), s);
    return s;
}

} // namespace

Case inertia_gravity_wave() {
    return {
        "inertia-gravity-wave",
        "Gravity waves spread from a small warm disturbance in a channel (Skamarock and Klemp 1994)",
        {{"theta", "K", 300, "potential temperature at the surface"},
         {"buoyancy_frequency", "s-1", 0.01, "Brunt-Väisälä frequency, constant with height"},
         {"u", "m/s", 20, "mean wind along x"},
         {"amplitude", "K", 0.01, "amplitude of the perturbation in potential temperature"},
         {"centre_x", "m", -50e3, "distance of the perturbation's centre east of the middle of the domain"},
         {"half_width", "m", 5e3,
          "half width: the distance at which the perturbation has half its amplitude"},
         {"depth", "m", 10e3, "depth of the perturbation, from the surface"}},
        make};
}

} // namespace squall
