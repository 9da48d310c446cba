#include "config/wind_farm_schema.hpp"

#include <fmt/format.h>

namespace squall {
namespace {

/// Values of one key, one for each type of turbine.
struct OfTypes {
    const char *key;
    const std::vector<double> &values;
    double least, most; ///< both are impossible
};

void check_types(Reading &r) {
    const WindFarmConfig &farm = r.config.wind_farm;
    const auto refuse = [&](const std::string &key, const std::string &what) {
        r.problems.add(r.place("wind_farm." + key), fmt::format("wind_farm.{} {}", key, what));
    };
    if (farm.curves.empty()) return refuse("curves", "is missing: name a table for each type of turbine");
    const OfTypes all[] = {{"hub_heights", farm.hub_heights, 0, 1000},
                           {"diameters", farm.diameters, 0, 1000},
                           {"standing_thrusts", farm.standing_thrusts, -1e-9, 2}};
    for (const OfTypes &of : all) {
        if (of.values.size() != farm.curves.size())
            return refuse(of.key, fmt::format("has {} values for the {} types of wind_farm.curves",
                                              of.values.size(), farm.curves.size()));
        for (const double value : of.values)
            if (!(value > of.least && value < of.most))
                refuse(of.key, fmt::format("{} is impossible", value));
    }
    for (std::size_t n = 0; n < farm.curves.size(); ++n)
        if (farm.diameters[n] > 2 * farm.hub_heights[n])
            refuse("diameters",
                   fmt::format("of type {}: a rotor of {} m does not turn at {} m above the ground", n,
                               farm.diameters[n], farm.hub_heights[n]));
}

} // namespace

TableSchema wind_farm_table() {
    using F = WindFarmConfig;
    const auto in = [](auto member) { return slot_of(&Config::wind_farm, member); };
    return {
        "wind_farm",
        "Wind turbines, Fitch et al. (2012): they slow the wind down in the layers of their rotors; a part "
        "of "
        "what it loses is power (POWER), a part turbulence of the boundary layer. Needs a boundary layer of "
        "the "
        "mynn family (WRF's windfarm_opt = 1).",
        {
            {"turbines",
             in(&F::turbines),
             "table of the turbines, relative to the run file: columns latitude, longitude and type, from 0; "
             "or "
             "i, j, the cells of the outermost domain from 0, and type",
             {},
             {},
             "none"},
            {"curves",
             in(&F::curves),
             "tables of the types by number, relative to the run file: columns wind_speed (at the hub, in "
             "m/s), "
             "thrust (coefficient) and power (kW). Below the first wind speed and above the last a rotor "
             "stands",
             {.example = R"(["turbine-0.csv"])"},
             {},
             "none"},
            {"hub_heights",
             in(&F::hub_heights),
             "heights of the types' hubs above the ground in m",
             {.example = "[75]"},
             {},
             "none"},
            {"diameters",
             in(&F::diameters),
             "diameters of the types' rotors in m",
             {.example = "[85]"},
             {},
             "none"},
            {"standing_thrusts",
             in(&F::standing_thrusts),
             "thrust coefficients of the types while the wind is too weak for them",
             {.example = "[0.13]"},
             {},
             "none"},
            {"tke_factor",
             in(&F::tke_factor),
             "share of what the wind loses, but for the power, that becomes turbulence, Archer et al. (2020) "
             "(WRF's windfarm_tke_factor)",
             {.min = 0, .max = 1}},
        }};
}

void check_wind_farm(Reading &r) {
    WindFarmConfig &farm = r.config.wind_farm;
    if (!farm.wanted()) {
        for (const std::string key : {"curves", "hub_heights", "diameters", "standing_thrusts", "tke_factor"})
            if (const std::string path = "wind_farm." + key; r.has(path))
                r.problems.add(r.place(path), path + " has no effect without wind_farm.turbines");
        return;
    }
    const std::string &mixing = r.config.physics.boundary_layer;
    const bool knows = mixing.starts_with("mynn");
    if (!knows)
        r.problems.add(
            r.place("wind_farm.turbines"),
            fmt::format("wind_farm.turbines needs the turbulence of a boundary layer of the mynn "
                        "family, but physics.boundary_layer = \"{}\"; set \"mynn-edmf\" or \"mynn\"",
                        mixing));
    take_file(r, "wind_farm.turbines", farm.turbines);
    for (std::string &curve : farm.curves) take_file(r, "wind_farm.curves", curve);
    check_types(r);
}

} // namespace squall
