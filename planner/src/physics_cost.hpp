/// What a domain's cell-steps take over those of the case that machines are calibrated with: a sum over its
/// schemes, as `squall lab scheme-costs` measures them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "settings/config.hpp"

namespace squall::planner {

/// In cell-steps as calibrated. Of radiation and cumulus a call, of everything else a step.
struct SchemeCosts {
    std::string source; ///< where they were measured
    /// By kind, a key of [physics] or "diffusion", and scheme. Differences count: each kind's own zero.
    std::map<std::string, std::map<std::string, double>> schemes;
    /// Likewise, what each part but the first takes where a scheme goes through a long step in parts.
    std::map<std::string, std::map<std::string, double>> part;
    std::map<std::string, std::string> calibrated; ///< the schemes of a cell-step that takes 1, by kind
    int acoustic_substeps = 4;                     ///< of that cell-step
    double acoustic_substep = 0;                   ///< each, of which a step has those of three stages
    double tracer = 0;                             ///< each that is carried
    double initial_file = 0;                       ///< on a map, with sides that follow a file
};

/// Reads machines/schemes.json. Throws std::runtime_error.
SchemeCosts read_scheme_costs(const std::string &file);

struct CellStepCost {
    double factor = 1;
    int parts = 1;                    ///< in which microphysics goes through a step
    std::vector<std::string> unknown; ///< schemes that were not measured, and count as nothing
};
CellStepCost cell_step_cost(const SchemeCosts &costs, const Config &config);

} // namespace squall::planner
