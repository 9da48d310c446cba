// A plain, or a hill, with wind over it whose profile is logarithmic, for fires that burn there: the "hill"
// of Mandel, J., J. D. Beezley and A. K. Kochanski (2011): Coupled atmosphere-wildland fire modeling with
// WRF 3.3 and SFIRE 2011. Geosci. Model Dev. 4, 591-610, which WRF has as em_fire.

#include <algorithm>
#include <cmath>

#include "initial/cases/cases.hpp"
#include "initial/ideal.hpp"

namespace squall {
namespace {

/// Of the wind that is `u` at 10 m, up to `depth`, above which it stays as it is there.
double wind_at(const Config &config, double z) {
    const double z0 = parameter(config, "roughness"), level = std::min(z, parameter(config, "depth"));
    return parameter(config, "u") * std::log1p(level / z0) / std::log1p(10 / z0);
}

void set_wind(const Config &config, const Patch &patch, InitialState &s) {
    const Grid &g = s.grid;
    for (int k = 0; k < g.vertical.nz; ++k) {
        s.grid.u_base[std::size_t(k)] = real(wind_at(config, g.z_base[std::size_t(k)]));
        for (int j = 0; j < patch.shape.ny; ++j)
            for (int i = 0; i <= patch.shape.nx; ++i) s.state.u(i, k, j) = s.grid.u_base[std::size_t(k)];
    }
}

InitialState make(const Config &config, const Patch &patch) {
    const Sounding sounding = constant_stability(parameter(config, "theta"), parameter(config, "n"));
    const double width = parameter(config, "half_width");
    const auto hill = [&](double x, double y) {
        const double r = std::hypot(x - parameter(config, "centre_x"), y - parameter(config, "centre_y"));
        return parameter(config, "height") / (1 + r * r / (width * width));
    };
    InitialState s = atmosphere_at_rest(config, patch, sounding, hill);
    set_wind(config, patch, s);
    return s;
}

} // namespace

Case grass_fire() {
    return {"grass-fire",
            "Wind with a logarithmic profile over a plain or a hill, for fires (Mandel et al. 2011)",
            {{"theta", "K", 300, "potential temperature at the ground"},
             {"n", "s-1", 0.01, "buoyancy frequency"},
             {"u", "m/s", 5, "wind along x at 10 m"},
             {"roughness", "m", 0.03, "roughness length of the wind's profile"},
             {"depth", "m", 500, "depth of the logarithmic profile; the wind is constant above"},
             {"height", "m", 0, "height of the hill"},
             {"half_width", "m", 300, "distance from its top at which the hill has half its height"},
             {"centre_x", "m", 0, "distance of the hill east of the middle of the domain"},
             {"centre_y", "m", 0, "distance of the hill north of the middle of the domain"}},
            make};
}

} // namespace squall
