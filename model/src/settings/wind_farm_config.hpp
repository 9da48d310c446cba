/// What a run file says of wind turbines.
#pragma once

#include <string>
#include <vector>

namespace squall {

/// [wind_farm]: turbines that take wind and make turbulence.
struct WindFarmConfig {
    std::string turbines;                 ///< table of where each stands and of what type; empty: none
    std::vector<std::string> curves;      ///< tables of thrust and power by wind speed, of each type
    std::vector<double> hub_heights;      ///< of each type, above the ground [m]
    std::vector<double> diameters;        ///< of its rotor [m]
    std::vector<double> standing_thrusts; ///< its thrust coefficient while the rotor stands
    double tke_factor = 0.25; ///< share of what is lost that is turbulence (WRF windfarm_tke_factor)
    bool wanted() const { return !turbines.empty(); }
};

} // namespace squall
