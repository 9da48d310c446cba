// Weisman, M. L. and J. B. Klemp (1982): The dependence of numerically simulated convective storms on
// vertical wind shear and buoyancy. Mon. Wea. Rev. 110, 504-520 (the sounding); Rotunno, R., J. B.
// Klemp and M. L. Weisman (1988): A theory for strong, long-lived squall lines. J. Atmos. Sci. 45,
// 463-485 (shear in the lowest 2.5 km).

#include <algorithm>

#include "initial/cases/cases.hpp"
#include "initial/cases/thermal.hpp"
#include "initial/moist_ideal.hpp"

namespace squall {
namespace {

MoistSounding sounding_of(const Config &config) {
    if (!config.initial.sounding.empty()) return read_sounding(config.files, config.initial.sounding);
    const double u = parameter(config, "u"), shear = parameter(config, "shear");
    const double depth = parameter(config, "shear_depth");
    auto levels = weisman_klemp_levels(1e5, parameter(config, "vapour"));
    for (SoundingLevel &l : levels) l.u = u + shear * std::min(l.z / depth, 1.0);
    return MoistSounding(1e5, std::move(levels));
}

InitialState make(const Config &config, const Patch &patch) {
    const MoistSounding sounding = sounding_of(config);
    InitialState s = moist_atmosphere(config, patch, sounding);
    add_disturbance(config, patch, sounding, thermal(config), s);
    return s;
}

} // namespace

Case squall_line() {
    return {"squall-line",
            "A line of storms across low-level shear (Weisman and Klemp 1982; Rotunno et al. 1988)",
            {{"vapour", "", 0.014, "mixing ratio of the moist layer at the ground [kg/kg]"},
             {"u", "m/s", -12, "wind along x at the ground"},
             {"shear", "m/s", 12, "change of the wind from the ground to shear_depth"},
             {"shear_depth", "m", 2500, "height up to which the wind changes"},
             {"amplitude", "K", 3, "amplitude of the thermal in potential temperature"},
             {"centre_x", "m", 0, "distance of the thermal's centre east of the middle of the domain"},
             {"centre_y", "m", 0, "distance of the thermal's centre north of the middle of the domain"},
             {"height", "m", 1500, "height of the thermal's centre"},
             {"radius_x", "m", 4e3, "radius of the thermal along x"},
             {"radius_y", "m", 0, "radius of the thermal along y; 0: a cylinder along y"},
             {"radius_z", "m", 1500, "vertical radius of the thermal"}},
            make};
}

} // namespace squall
