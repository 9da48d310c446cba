#include "initial/initial.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "initial/cases/cases.hpp"
#include "initial/usual_aerosol.hpp"
#include "physics/microphysics_scheme.hpp"

namespace squall {

const std::map<std::string, Case> &cases() {
    static const std::map<std::string, Case> all = [] {
        std::map<std::string, Case> by_name;
        for (Case &built_in : std::vector<Case>{
                 baroclinic_wave(),
                 density_current(),
                 grass_fire(),
                 inertia_gravity_wave(),
                 moist_bubble(),
                 mountain_hydrostatic(),
                 mountain_schaer(),
                 radiative_convective(),
                 single_column(),
                 squall_line(),
                 stratocumulus(),
                 supercell(),
                 warm_bubble(),
             })
            by_name.emplace(built_in.name, std::move(built_in));
        return by_name;
    }();
    return all;
}

bool has_parameter(const Config &config, const std::string &key) {
    return config.initial.file.empty() && config.initial.parameters.contains(key);
}

double parameter(const Config &config, const std::string &key) { return config.initial.parameters.at(key); }

static InitialState state_of(const Config &config, const Patch &patch) {
    if (!config.initial.file.empty()) return read_wrfinput(config, patch);
    const auto found = cases().find(config.initial.case_name);
    if (found == cases().end())
        throw std::runtime_error(fmt::format("there is no built-in case \"{}\"", config.initial.case_name));
    return found->second.make(config, patch);
}

InitialState make_initial_state(const Config &config, const Patch &patch) {
    InitialState s = state_of(config, patch);
    if (carries_aerosol(config.physics)) add_usual_aerosol(s);
    return s;
}

} // namespace squall
