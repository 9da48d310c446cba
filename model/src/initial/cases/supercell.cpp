// Weisman, M. L. and J. B. Klemp (1982): The dependence of numerically simulated convective storms on
// vertical wind shear and buoyancy. Mon. Wea. Rev. 110, 504-520; the quarter-circle hodograph of
// Weisman and Klemp (1984): The structure and classification of numerically simulated convective
// storms in directionally varying wind shears. Mon. Wea. Rev. 112, 2479-2498.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "initial/cases/cases.hpp"
#include "initial/cases/thermal.hpp"
#include "initial/moist_ideal.hpp"

namespace squall {
namespace {

/// The wind turns by a quarter of a circle of `radius` up to `turn`, then grows along x up to `depth`.
void add_wind(const Config &config, std::vector<SoundingLevel> &levels) {
    const double radius = parameter(config, "turn_radius"), turn = parameter(config, "turn_depth");
    const double depth = parameter(config, "shear_depth"), aloft = parameter(config, "u_aloft");
    const double u = parameter(config, "u"), v = parameter(config, "v");
    for (SoundingLevel &l : levels) {
        const double angle = 0.5 * std::numbers::pi * std::min(l.z / turn, 1.0);
        l.u = u + radius * (1 - std::cos(angle));
        l.v = v + radius * std::sin(angle);
        if (l.z > turn) l.u += (aloft - l.u) * std::min((l.z - turn) / (depth - turn), 1.0);
    }
}

MoistSounding sounding_of(const Config &config) {
    if (!config.initial.sounding.empty()) return read_sounding(config.files, config.initial.sounding);
    auto levels = weisman_klemp_levels(1e5, parameter(config, "vapour"));
    add_wind(config, levels);
    return MoistSounding(1e5, std::move(levels));
}

InitialState make(const Config &config, const Patch &patch) {
    const MoistSounding sounding = sounding_of(config);
    InitialState s = moist_atmosphere(config, patch, sounding);
    add_disturbance(config, patch, sounding, thermal(config), s);
    return s;
}

} // namespace

Case supercell() {
    return {"supercell",
            "A thermal in sheared, unstable air becomes a splitting storm (Weisman and Klemp 1982, 1984)",
            {{"vapour", "", 0.014, "mixing ratio of the moist layer at the ground [kg/kg]"},
             {"u", "m/s", -8.1, "wind along x at the ground"},
             {"v", "m/s", -5, "wind along y at the ground"},
             {"turn_radius", "m/s", 8.5, "radius of the quarter circle in the hodograph"},
             {"turn_depth", "m", 2300, "height up to which the wind turns"},
             {"u_aloft", "m/s", 27.15, "wind along x from shear_depth up"},
             {"shear_depth", "m", 7000, "height up to which the wind increases"},
             {"amplitude", "K", 3, "amplitude of the thermal in potential temperature"},
             {"centre_x", "m", 0, "distance of the thermal's centre east of the middle of the domain"},
             {"centre_y", "m", 0, "distance of the thermal's centre north of the middle of the domain"},
             {"height", "m", 1500, "height of the thermal's centre"},
             {"radius_x", "m", 10e3, "radius of the thermal along x"},
             {"radius_y", "m", 10e3, "radius of the thermal along y; 0: a cylinder along y"},
             {"radius_z", "m", 1500, "vertical radius of the thermal"}},
            make};
}

} // namespace squall
