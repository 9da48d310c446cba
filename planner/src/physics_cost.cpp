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

namespace squall::planner {
namespace {

/// Substeps of a step's three stages: one, half of them, and all (Wicker and Skamarock 2002).
int substeps(int of_last_stage) { return 1 + of_last_stage / 2 + of_last_stage; }

/// Schemes by kind.
std::map<std::string, std::string> schemes_of(const Config &config) {
    std::map<std::string, std::string> schemes{{"diffusion", config.diffusion.scheme}};
    for (const auto &[kind, member] : scheme_keys()) schemes[kind] = config.physics.*member;
    return schemes;
}

/// In how many steps a scheme of this kind is called once.
double steps_of_call(const std::string &kind, const Config &config) {
    if (kind == "radiation") return static_cast<double>(Radiation::steps_between(config));
    if (kind == "cumulus")
        return std::max(1.0, std::round(config.physics.cumulus_interval / config.run.time_step));
    return 1;
}

/// A table's number, or none.
const double *in_table(const std::map<std::string, std::map<std::string, double>> &table,
                       const std::string &kind, const std::string &scheme) {
    const auto of_kind = table.find(kind);
    if (of_kind == table.end()) return nullptr;
    const auto found = of_kind->second.find(scheme);
    return found == of_kind->second.end() ? nullptr : &found->second;
}

/// What a scheme takes, "none" nothing; null: it was not measured.
const double *known(const SchemeCosts &costs, const std::string &kind, const std::string &scheme) {
    static constexpr double nothing = 0;
    const double *cost = in_table(costs.schemes, kind, scheme);
    return cost || scheme != "none" ? cost : &nothing;
}

/// In how many parts the microphysics goes through a step.
int parts_of(const Config &config) {
    const auto &all = microphysics_schemes();
    const auto found = all.find(config.physics.microphysics);
    if (found == all.end()) return 1;
    return parts_of_step(static_cast<real>(config.run.time_step), found->second.longest_step);
}

} // namespace

SchemeCosts read_scheme_costs(const std::string &file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read the costs of schemes from " + file);
    try {
        const auto json = nlohmann::json::parse(in);
        SchemeCosts costs;
        costs.source = json.at("source").get<std::string>();
        json.at("schemes").get_to(costs.schemes);
        if (json.contains("part")) json.at("part").get_to(costs.part);
        json.at("calibrated").get_to(costs.calibrated);
        costs.acoustic_substeps = json.at("acoustic_substeps").get<int>();
        costs.acoustic_substep = json.at("acoustic_substep").get<double>();
        costs.tracer = json.at("tracer").get<double>();
        costs.initial_file = json.at("initial_file").get<double>();
        return costs;
    } catch (const nlohmann::json::exception &e) {
        throw std::runtime_error(fmt::format("{} does not hold costs of schemes: {}", file, e.what()));
    }
}

CellStepCost cell_step_cost(const SchemeCosts &costs, const Config &config) {
    CellStepCost cost;
    cost.parts = parts_of(config);
    for (const auto &[kind, scheme] : schemes_of(config)) {
        const double *of_call = known(costs, kind, scheme);
        if (!of_call) cost.unknown.push_back(fmt::format("{} {}", kind, scheme));
        if (of_call) cost.factor += *of_call / steps_of_call(kind, config);
        if (of_call && kind == "microphysics") { // a part that was not measured takes as much as the first
            const double *part = in_table(costs.part, kind, scheme);
            cost.factor += (cost.parts - 1) * (part ? *part : *of_call);
        }
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

} // namespace squall::planner
