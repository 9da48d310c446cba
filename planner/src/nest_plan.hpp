/// The nests of a run: which ranks step them, how often, and what they and their parents tell each other.
#pragma once

#include <vector>

#include "nesting/nest_link.hpp"
#include "settings/config.hpp"
#include "step_plan.hpp"

namespace squall::planner {

struct NestPlan {
    Config config;
    World world;             ///< of the ranks that have it
    int steps = 1;           ///< in one of its parent's
    StepPlan step;           ///< one of these, without nests inside it
    StepPlan look, feedback; ///< before and after them, between the ranks of its parent
    std::vector<NestPlan> nests;
};

/// The nests inside the domain of `config`, on ranks that the model's own planner chooses of those of
/// `world` that compute. Collective over nobody; needs MPI initialised. Throws as the model.
std::vector<NestPlan> plan_nests(const Config &config, const World &world);

/// Whether these step at a time, each on ranks of its own, and not one after the other.
bool side_by_side(const std::vector<NestPlan> &nests);

/// Messages between the patches of a parent and those of a nest, with so many values of each column.
/// `first_rank`: as of the layout. Counted as RegionExchange sends them.
StepPlan plan_regions(const World &parent, const RegionLayout &layout, int values);

/// What is exchanged in steps of a nest, in values of a column.
struct NestTraffic {
    LinkTraffic link;               ///< with its parent
    std::vector<HaloExchange> step; ///< among its patches, in each of its steps
    std::vector<HaloExchange> rim;  ///< likewise, before its rim is drawn to the parent's state
};

/// The model is asked, by a small domain and a small nest with the same settings.
NestTraffic traffic_of_a_nest(const Config &parent, const NestConfig &nest, int id);

} // namespace squall::planner
