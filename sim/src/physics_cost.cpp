#include "physics_cost.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "physics/microphysics_scheme.hpp"
#include "physics/radiation.hpp"
#include "physics/suites.hpp"

namespace squall::sim {
namespace {

/// Substeps of a step's three stages: one, half of them, and all (Wicker and Skamarock 2002).
int substeps(int of_last_stage) { return 1 + of_last_stage / 2 + of_last_stage; }

/// Schemes by kind.
std::map<std::string, std::string> schemes_of(const Config &config) {
    std::map<std::string, std::string> schemes{{"diffusion", config.diffusion.scheme}};
    for (const auto &[kind, member] : scheme_keys()) schemes[kind] = config.physics.*member;
    return schemes;
}

/// In how many steps a scheme of this kind is called once, or goes once through all of its work.
double steps_of_call(const std::string &kind, const Config &config) {
    if (kind == "radiation") return static_cast<double>(Radiation::steps_between(config));
    if (kind == "cumulus")
        return std::max(1.0, std::round(config.physics.cumulus_interval / config.run.time_step));
    const auto &all = microphysics_schemes();
    if (const auto found = all.find(config.physics.microphysics); kind == "microphysics" && found != all.end())
        return 1. / parts_of_step(static_cast<real>(config.run.time_step), found->second.longest_step);
    return 1;
}

/// A table's number, or none.
const double *known(const SchemeCosts &costs, const std::string &kind, const std::string &scheme) {
    static constexpr double nothing = 0;
    const auto of_kind = costs.schemes.find(kind);
    if (of_kind != costs.schemes.end())
        if (const auto found = of_kind->second.find(scheme); found != of_kind->second.end())
            return &found->second;
    return scheme == "none" ? &nothing : nullptr;
}

} // namespace

SchemeCosts read_scheme_costs(const std::string &file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read the costs of schemes " + file);
    try {
        const auto json = nlohmann::json::parse(in);
        SchemeCosts costs;
        costs.source = json.at("source").get<std::string>();
        json.at("schemes").get_to(costs.schemes);
        json.at("calibrated").get_to(costs.calibrated);
        costs.acoustic_substeps = json.at("acoustic_substeps").get<int>();
        costs.acoustic_substep = json.at("acoustic_substep").get<double>();
        costs.tracer = json.at("tracer").get<double>();
        costs.initial_file = json.at("initial_file").get<double>();
        return costs;
    } catch (const nlohmann::json::exception &e) {
        throw std::runtime_error(fmt::format("{} has no costs of schemes: {}", file, e.what()));
    }
}

CellStepCost cell_step_cost(const SchemeCosts &costs, const Config &config) {
    CellStepCost cost;
    for (const auto &[kind, scheme] : schemes_of(config)) {
        const double *of_call = known(costs, kind, scheme);
        if (!of_call) cost.unknown.push_back(fmt::format("{} {}", kind, scheme));
        cost.factor += of_call ? *of_call / steps_of_call(kind, config) : 0;
        if (const auto own = costs.calibrated.find(kind); own != costs.calibrated.end())
            cost.factor -= costs.schemes.at(kind).at(own->second);
    }
    cost.factor +=
        costs.acoustic_substep * (substeps(config.run.acoustic_substeps) - substeps(costs.acoustic_substeps));
    cost.factor += costs.tracer * static_cast<double>(config.tracers.size());
    if (!config.initial.file.empty() || !config.identity.outermost_file.empty())
        cost.factor += costs.initial_file;
    return cost;
}

} // namespace squall::sim
