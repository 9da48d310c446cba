// Schaer, C., D. Leuenberger, O. Fuhrer, D. Luethi and C. Girard (2002): A new terrain-following
// vertical coordinate formulation for atmospheric prediction models. Mon. Wea. Rev. 130,
// 2459-2480, section 5b.

#include <cmath>
#include <numbers>

#include "initial/cases/cases.hpp"
#include "initial/ideal.hpp"

namespace squall {
namespace {

InitialState make(const Config &config, const Patch &patch) {
    const double height = parameter(config, "height"), half_width = parameter(config, "half_width");
    const double wavelength = parameter(config, "wavelength"), centre = parameter(config, "centre_x");
    const auto ridges = [&](double x, double) {
        const double r = distance_x(config, x, centre);
        const double c = std::cos(std::numbers::pi * r / wavelength);
        return height * std::exp(-(r / half_width) * (r / half_width)) * c * c;
    };
    const Sounding sounding =
        constant_stability(parameter(config, "theta"), parameter(config, "buoyancy_frequency"));
    InitialState s = atmosphere_at_rest(config, patch, sounding, ridges);
    set_uniform_wind(s, parameter(config, "u"));
    return s;
}

} // namespace

Case mountain_schaer() {
    return {"mountain-schaer",
            "Waves over a train of ridges of two scales (Schaer et al. 2002)",
            {{"theta", "K", 288, "potential temperature at the level of the plain"},
             {"buoyancy_frequency", "s-1", 0.01, "Brunt-Väisälä frequency, constant with height"},
             {"u", "m/s", 10, "wind along x"},
             {"height", "m", 250, "height of the highest ridge"},
             {"half_width", "m", 5e3, "e-folding half width of the ridges' envelope"},
             {"wavelength", "m", 4e3, "wavelength of the ridges"},
             {"centre_x", "m", 0, "distance of the envelope's centre east of the middle of the domain"}},
            make};
}

} // namespace squall
