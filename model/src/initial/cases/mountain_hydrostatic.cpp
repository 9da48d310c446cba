// Durran, D. R. and J. B. Klemp (1983): A compressible model for the simulation of moist mountain
// waves. Mon. Wea. Rev. 111, 2341-2361: the linear hydrostatic wave over a bell-shaped mountain in
// an isothermal atmosphere. Momentum flux: Smith, R. B. (1979): The influence of mountains on the
// atmosphere. Adv. Geophys. 21, 87-230, eq. 2.34.

#include "initial/cases/cases.hpp"
#include "initial/ideal.hpp"

namespace squall {
namespace {

InitialState make(const Config &config, const Patch &patch) {
    const double height = parameter(config, "height"), half_width = parameter(config, "half_width");
    const double centre = parameter(config, "centre_x");
    const auto bell = [&](double x, double) {
        const double r = distance_x(config, x, centre) / half_width;
        return height / (1 + r * r);
    };
    InitialState s = atmosphere_at_rest(config, patch, isothermal(parameter(config, "temperature")), bell);
    set_uniform_wind(s, parameter(config, "u"));
    return s;
}

} // namespace

Case mountain_hydrostatic() {
    return {"mountain-hydrostatic",
            "Linear hydrostatic wave over a bell-shaped mountain (Durran and Klemp 1983)",
            {{"temperature", "K", 250, "temperature of the isothermal atmosphere; N = g / sqrt(cp T)"},
             {"u", "m/s", 20, "wind along x"},
             {"height", "m", 10, "height of the mountain; N h / u much less than 1 for a linear wave"},
             {"half_width", "m", 10e3, "half width: the distance at which the mountain has half its height"},
             {"centre_x", "m", 0, "distance of the mountain east of the middle of the domain"}},
            make};
}

} // namespace squall
